import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { measured } from "./audit/measured.mjs"
import { nativeRuff, ruffRules } from "./audit/ruff.mjs"
import { generateRepository } from "./generateRepository.mjs"

/**
 * Claim: on two idle cores a standard audit does 50,000 lines a second and a full one 30,000; 1,000,000 lines take at most
 * 60 s and 1 GB; an audit after 1 % of the files changed costs at most a tenth of a full one. In the same run: oxlint and
 * ruff, each the native program, where they read the same files. ruff needs Python with pip, and is left out without.
 * `npm run bench -- audit [path] [--suite=full] [--workers=2] [--lines=100000,1000000]`; without a path, repositories are generated.
 */
const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))
const dist = process.env.ASSAY_DIST ?? path("../../dist")
const bundled = `${dist}/engine/core/process/bundled/scan-process.js`
const entry = existsSync(bundled) ? bundled : `${dist}/engine/core/process/scan-process.js`

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback
const git = (root, ...args) =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: "pipe", maxBuffer: 1e9 })

const sourceOf = (root) => {
  try {
    const commit = git(root, "rev-parse", "HEAD").trim()
    return { kind: "git", gitDir: git(root, "rev-parse", "--absolute-git-dir").trim(), commit }
  } catch {
    return { kind: "worktree", root }
  }
}

/** The whole process: its start and what it writes for the next audit count, too. */
const scan = async (root, request) => {
  const input = JSON.stringify({ source: sourceOf(root), ...request })
  const { output, ...cost } = await measured(process.execPath, ["--max-old-space-size=512", entry], { input })
  const last = JSON.parse(output.trim().split("\n").at(-1) ?? "{}")
  if (last.type !== "result") throw new Error(last.message ?? "The scan ended without a result.")
  const { result } = last
  return { ...cost, cpu: cost.cpu || result.cpu_seconds, memory: cost.memory || result.peak_rss_bytes / 1e6, result }
}

const number = (n) => Math.round(n).toLocaleString("en")
const row = (name, lines, { seconds, cpu, memory }, note = "") =>
  console.log(
    `${name.padEnd(34)} ${number(lines).padStart(9)} lines ${seconds.toFixed(2).padStart(7)} s ${number(lines / seconds).padStart(8)} lines/s ` +
      `${cpu.toFixed(2).padStart(7)} CPU s ${number(lines / cpu).padStart(8)} lines/CPU s ${number(memory).padStart(5)} MB  ${note}`
  )

const audit = async (root, suite, workers, note) => {
  const cost = await scan(root, { suite, workers })
  const { inventory, findings, tools } = cost.result
  row(`${suite} audit`, inventory.lines, cost, `${tools.length} tools, ${findings.length} observations; ${note}`)
  const failed = tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
  if (failed.length > 0) console.log(`  did not finish: ${failed.join(", ")}`)
  return cost
}

const commentMarks = { py: "#", rb: "#" }

/** A line more in every hundredth file. */
const edit = (root, every) => {
  const files = git(root, "ls-files", "-z")
    .split("\0")
    .filter((name) => /\.(?:[cm]?[jt]sx?|py|go|java|rb|php|cs|rs)$/.test(name))
  const chosen = files.filter((_, i) => i % every === 0)
  for (const name of chosen) {
    const lines = readFileSync(join(root, name), "utf8").split("\n")
    lines.splice(Math.min(12, lines.length), 0, `${commentMarks[name.split(".").at(-1)] ?? "//"} Edited.`)
    writeFileSync(join(root, name), lines.join("\n"))
  }
  git(
    root,
    "-c",
    "user.name=bench",
    "-c",
    "user.email=bench@localhost",
    "-c",
    "commit.gpgsign=false",
    "commit",
    "-qam",
    "Edit"
  )
  return chosen.length
}

const again = async (root, suite, workers) => {
  const cache = `${root}-cache`
  try {
    const first = await scan(root, { suite, workers, cache })
    const changed = edit(root, 100)
    const second = await scan(root, { suite, workers, cache })
    const share = (key) =>
      `${((100 * second[key]) / first[key]).toFixed(1)} % of the ${key === "cpu" ? "CPU" : "wall"} time`
    row(
      `${suite} audit again`,
      second.result.inventory.lines,
      second,
      `${changed} files changed; ${share("seconds")}, ${share("cpu")} (aim 10 %)`
    )
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

/** Files of these languages, alone in a folder, so that everybody reads the same. */
const part = (root, pattern) => {
  const target = `${root}-part`
  rmSync(target, { recursive: true, force: true })
  const names = git(root, "ls-files", "-z")
    .split("\0")
    .filter((name) => pattern.test(name))
  for (const name of names) {
    mkdirSync(dirname(join(target, name)), { recursive: true })
    copyFileSync(join(root, name), join(target, name))
  }
  execFileSync("git", ["init", "-q", target])
  return { target, files: names.map((name) => join(target, name)) }
}

const compare = async (root, workers) => {
  const contests = [
    [
      "oxlint",
      /\.[cm]?[jt]sx?$/,
      async ({ target }) => {
        const args = [
          "-c",
          path("audit/oxlint.json"),
          "--disable-nested-config",
          `--threads=${workers}`,
          "--format=json",
          target
        ]
        const cost = await measured(path("node_modules/.bin/oxlint"), args)
        return { ...cost, found: JSON.parse(cost.output).diagnostics.length }
      }
    ],
    [
      "ruff",
      /\.py$/,
      async ({ files }) => {
        const ruff = nativeRuff()
        if (ruff === undefined) return undefined
        const args = [
          "check",
          "--isolated",
          "--no-cache",
          "--exit-zero",
          "--output-format=json",
          `--select=${ruffRules}`
        ]
        const cost = await measured(ruff, [...args, ...files], { env: { ...process.env, RAYON_NUM_THREADS: workers } })
        return { ...cost, found: JSON.parse(cost.output).length }
      }
    ]
  ]
  for (const [name, pattern, other] of contests) {
    const files = part(root, pattern)
    try {
      if (files.files.length === 0) continue
      const cost = await other(files)
      if (cost === undefined) {
        console.log(`${name} is left out: it is not installed, and pip cannot install it.`)
        continue
      }
      const own = await scan(files.target, { suite: "standard", workers })
      const { lines } = own.result.inventory
      row(`standard audit of ${name}'s files`, lines, own, `${own.result.findings.length} observations`)
      row(`  ${name}`, lines, cost, `${cost.found} diagnostics`)
    } finally {
      rmSync(files.target, { recursive: true, force: true })
    }
  }
}

const all = async (name, root, workers, args) => {
  console.log(`\n${name}`)
  const suites = option(args, "suite", "standard,full").split(",")
  const aims = { standard: "aim 50,000 lines/s", full: "aim 30,000 lines/s" }
  for (const suite of suites) await audit(root, suite, workers, aims[suite])
  if (args.some((arg) => !arg.startsWith("--"))) return
  await again(root, suites.at(-1), workers)
}

export const run = async (args) => {
  const workers = Number(option(args, "workers", "2"))
  const given = args.find((arg) => !arg.startsWith("--"))
  if (given !== undefined) return all(given, resolve(given), workers, args)
  for (const lines of option(args, "lines", "100000,1000000").split(",").map(Number)) {
    const root = join(tmpdir(), `assay-bench-${lines}-${process.pid}`)
    try {
      generateRepository(root, lines)
      // A mirror has its objects in packs, as they were fetched.
      git(root, "gc", "-q")
      await all(
        `generated, ${number(lines)} lines${lines >= 1_000_000 ? " (aim 60 s, 1 GB)" : ""}`,
        root,
        workers,
        args
      )
      if (lines < 1_000_000) await compare(root, workers)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
}
