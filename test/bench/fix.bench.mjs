import { execFileSync, spawn } from "node:child_process"
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { generateRepository } from "./generateRepository.mjs"

/**
 * Claim: from the submission of a fix to its pull request on plain git, with the runner `rules`, takes at most 3 s in the
 * median, in a repository of 100,000 lines on two idle cores. Beside it, what git alone needs for a clone, a branch, a
 * commit and a push. `npm run bench -- fix [--lines=100000] [--fixes=15]`.
 */
const launcher = fileURLToPath(new URL("../../bin/assay", import.meta.url))
const fixtures = fileURLToPath(new URL("../fixtures/fixes", import.meta.url))
const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"]
const git = (root, ...args) =>
  execFileSync("git", ["-C", root, ...identity, ...args], { stdio: "pipe" })
    .toString()
    .trim()

/** A generated repository with one defect of each rule that has a fixer, as a bare one. */
const plant = (folder, lines) => {
  const root = join(folder, "checkout")
  const written = generateRepository(root, lines)
  for (const rule of readdirSync(fixtures)) {
    const fixed = readdirSync(join(fixtures, rule)).find((name) =>
      readdirSync(join(fixtures, rule, name)).includes("after")
    )
    if (fixed !== undefined)
      cpSync(join(fixtures, rule, fixed, "before"), join(root, "planted", rule), { recursive: true })
  }
  git(root, "add", "--all")
  git(root, "commit", "--quiet", "-m", "plant defects")
  const bare = join(folder, "shop.git")
  execFileSync("git", ["clone", "--quiet", "--bare", root, bare])
  return { bare, written }
}

const serve = async (folder, bare) => {
  const env = {
    PATH: process.env.PATH,
    ASSAY_DATA_DIR: join(folder, "data"),
    ASSAY_LOCAL_REPO_ROOTS: bare,
    ...{ ASSAY_PORT: "0", ASSAY_DOCS_PORT: "0", ASSAY_ADMIN_PORT: "0" }
  }
  const child = spawn(process.execPath, [launcher, "serve"], { env, stdio: ["ignore", "pipe", "pipe"] })
  let log = ""
  const signIn = new Promise((resolve) => {
    child.stderr.on("data", (chunk) => {
      log += chunk
      const token = /#token=(\w+)/.exec(log)?.[1]
      if (token !== undefined) resolve(token)
    })
  })
  const [line] = await Promise.race([
    new Promise((resolve) => createInterface({ input: child.stdout }).once("line", (text) => resolve([text]))),
    new Promise((_, reject) => child.once("exit", () => reject(new Error(log))))
  ])
  const { api } = JSON.parse(line)
  const json = { "content-type": "application/json" }
  const session = await fetch(`${api}/api/session/link`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token: await signIn, password: "a password for benches" })
  })
  const { csrf_token, permissions } = await session.json()
  const cookie = session.headers.getSetCookie()[0].split(";")[0]
  const created = await fetch(`${api}/api/keys`, {
    method: "POST",
    headers: { ...json, cookie, "x-assay-csrf": csrf_token },
    body: JSON.stringify({ name: "bench", scopes: permissions })
  })
  const { api_key } = await created.json()
  const call = async (method, path, body) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, ...(body === undefined ? {} : json) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`)
    return answer
  }
  /** The job once its stream of events has ended. */
  const ended = async (id) => {
    const headers = { authorization: `Bearer ${api_key}`, accept: "text/event-stream" }
    await (await fetch(`${api}/api/jobs/${id}/events`, { headers })).text()
    return call("GET", `/api/jobs/${id}`)
  }
  const stop = () => new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGTERM"))
  return { call, ended, stop }
}

/** The least that anyone who opens a pull request by hand has to do. */
const byGitAlone = (folder, bare, number) => {
  const clone = join(folder, `clone-${number}`)
  const start = performance.now()
  execFileSync("git", ["clone", "--quiet", bare, clone])
  git(clone, "checkout", "--quiet", "-b", `by-hand-${number}`)
  writeFileSync(join(clone, "package.json"), `${readFileSync(join(clone, "package.json"), "utf8")}\n`)
  git(clone, "commit", "--quiet", "--all", "-m", "change")
  git(clone, "push", "--quiet", "origin", `by-hand-${number}`)
  const took = performance.now() - start
  rmSync(clone, { recursive: true, force: true })
  return took
}

const print = (what, times) => {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(0)
  console.log(`  ${what.padEnd(36)} p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, slowest ${at(1)} ms (${sorted.length})`)
}

export const run = async (args) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-bench-fix-"))
  chmodSync(folder, 0o755)
  const { bare, written } = plant(folder, Number(option(args, "lines", "100000")))
  const count = Number(option(args, "fixes", "15"))
  const server = await serve(folder, bare)
  try {
    const repository = { github_org: "acme", github_repo: "shop", clone_url: bare }
    const { github_base_branch } = await server.call("POST", "/api/repos", repository)
    const audit = await server.call("POST", `/api/repos/acme/shop/${github_base_branch}/jobs`, { workflow: "audit" })
    await server.ended(audit.id)
    const { data } = await server.call("GET", "/api/observations?kind=finding&status=new&include=locations&limit=200")
    const refs = data.filter(({ locations }) => locations[0].file_path.startsWith("planted/")).map(({ ref }) => ref)
    const times = []
    const stages = new Map()
    for (const ref of refs) {
      if (times.length === count) break
      const start = performance.now()
      const { job_id } = await server.call("POST", `/api/observations/${ref}/fix`)
      const job = await server.ended(job_id)
      if (job.status !== "completed") continue
      times.push(performance.now() - start)
      await collectStages(server, job_id, stages)
    }
    if (times.length < count) throw new Error(`Only ${times.length} fixes came to a pull request.`)
    console.log(`\nfixes in a repository of ${written.toLocaleString("en")} lines (aim: p50 3000 ms)`)
    print("submission to pull request", times)
    for (const [stage, measured] of stages) print(`  ${stage}`, measured)
    print(
      "git alone",
      Array.from({ length: 5 }, (_, number) => byGitAlone(folder, bare, number))
    )
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How long each stage took, by its events. */
const collectStages = async (server, job_id, stages) => {
  const { data } = await server.call("GET", `/api/jobs/${job_id}/events?limit=200`)
  const started = new Map()
  for (const { ts, stage, type } of data) {
    if (type === "stage_started") started.set(stage, Date.parse(ts))
    if (type !== "stage_completed" || !started.has(stage)) continue
    if (!stages.has(stage)) stages.set(stage, [])
    stages.get(stage).push(Date.parse(ts) - started.get(stage))
  }
}
