import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { leftOut, peers } from "./audit/peers.mjs"
import { againstAim, number, row } from "./audit/report.mjs"
import { sameResult } from "./audit/sameResult.mjs"
import { git, scan } from "./audit/scan.mjs"
import { smallRepository } from "./audit/smallRepository.mjs"
import { editFiles } from "./editFiles.mjs"
import { generateRepository } from "./generateRepository.mjs"

/**
 * Claim: on two idle cores a full audit of 1,000,000 lines takes at most 12 s and 600 MB; after 1 % of the files changed at
 * most 8 % of its processor time and 15 % of its time; a repository of 20 files at most 0.8 s from the command to its table;
 * and the result is the same, byte for byte, under load, with any number of threads, cached or not. In the same run: other
 * tools where they read the same files, installed on demand and left out where they cannot be.
 * `npm run bench -- audit [path] [--suite=full] [--workers=2] [--lines=100000,1000000]`; without a path, repositories are generated.
 */
const LARGE = 1_000_000
const AIMS = { seconds: 12, memory: 600, againCpu: 8, againSeconds: 15 }
const LINES_OF_SAME_RESULT = 10_000

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const audit = async (root, suite, workers) => {
  const cost = await scan(root, { suite, workers })
  const { inventory, findings, tools } = cost.result
  const hasAim = suite === "full" && inventory.lines >= LARGE
  const aims = hasAim
    ? `; ${againstAim(cost.seconds, AIMS.seconds, "s")}, ${againstAim(cost.memory, AIMS.memory, "MB", 0)}`
    : ""
  row(`${suite} audit`, inventory.lines, cost, `${tools.length} tools, ${findings.length} observations${aims}`)
  const failed = tools.filter(({ status }) => status !== "completed").map(({ id }) => id)
  if (failed.length > 0) console.log(`  did not finish: ${failed.join(", ")}`)
}

const again = async (root, suite, workers) => {
  const cache = `${root}-cache`
  try {
    const first = await scan(root, { suite, workers, cache })
    const changed = editFiles(root, 100)
    const second = await scan(root, { suite, workers, cache })
    const share = (key, aim, what) => `${againstAim((100 * second[key]) / first[key], aim, "%")} of the ${what}`
    const shares = `${share("cpu", AIMS.againCpu, "CPU time")}, ${share("seconds", AIMS.againSeconds, "time")} of the first`
    row(`${suite} audit, cache written`, first.result.inventory.lines, first)
    row(`${suite} audit again`, second.result.inventory.lines, second, `${changed} files changed; ${shares}`)
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

const beside = async ({ name, install, audit: run }, files, lines, workers) => {
  const program = install()
  if (program === null) {
    console.log(`  ${name} is left out: it is not installed, and cannot be from here.`)
    return
  }
  try {
    const { found, files: read, ...cost } = await run(program, files, workers)
    row(`  ${name}`, lines, cost, `${read} files read, ${found} diagnostics`)
  } catch (error) {
    console.log(`  ${name} is left out: it ended without a result (${String(error).slice(0, 120)}).`)
  }
}

const compare = async (root, workers) => {
  for (const pattern of new Set(peers.map((peer) => String(peer.pattern)))) {
    const contestants = peers.filter((peer) => String(peer.pattern) === pattern)
    const files = part(root, contestants[0].pattern)
    try {
      if (files.files.length === 0) continue
      const own = await scan(files.target, { suite: "full", workers })
      const { inventory, findings } = own.result
      const note = `${inventory.files} files read, ${findings.length} observations`
      row(`full audit of ${pattern}`, inventory.lines, own, note)
      for (const peer of contestants) await beside(peer, files, inventory.lines, workers)
    } finally {
      rmSync(files.target, { recursive: true, force: true })
    }
  }
  for (const reason of leftOut) console.log(`  ${reason}`)
}

const all = async (name, root, workers, args) => {
  console.log(`\n${name}`)
  const suites = option(args, "suite", "standard,full").split(",")
  for (const suite of suites) await audit(root, suite, workers)
  if (args.some((arg) => !arg.startsWith("--"))) return
  await again(root, suites.at(-1), workers)
}

/** A mirror has its objects in packs, as they were fetched. */
const withGenerated = async (lines, use) => {
  const root = join(tmpdir(), `assay-bench-${lines}-${process.pid}`)
  try {
    generateRepository(root, lines)
    git(root, "gc", "-q")
    await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export const run = async (args) => {
  const workers = Number(option(args, "workers", "2"))
  const given = args.find((arg) => !arg.startsWith("--"))
  if (given !== undefined) return all(given, resolve(given), workers, args)
  await smallRepository()
  for (const lines of option(args, "lines", "100000,1000000").split(",").map(Number)) {
    await withGenerated(lines, async (root) => {
      await all(`generated, ${number(lines)} lines`, root, workers, args)
      if (lines < LARGE) await compare(root, workers)
    })
  }
  console.log("")
  await withGenerated(LINES_OF_SAME_RESULT, sameResult)
}
