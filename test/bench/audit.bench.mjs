import { execFileSync, spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { generateRepository } from "./generateRepository.mjs"

/**
 * Claim: a scan does 50,000 lines a second with two threads and stays under 600 MB.
 * `npm run bench -- audit [path] [--suite=full] [--workers=2]`; without a path, repositories of 100,000 and 1,000,000
 * lines are generated.
 */
const entry = fileURLToPath(new URL("../../dist/services/audit/scan-process.js", import.meta.url))

const scan = (request) =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, [entry], { stdio: ["pipe", "pipe", "inherit"] })
    let output = ""
    child.stdout.on("data", (chunk) => {
      output += chunk
    })
    child.on("error", fail)
    child.on("close", () => {
      const last = JSON.parse(output.trim().split("\n").at(-1) ?? "{}")
      if (last.type === "result") done(last.result)
      else fail(new Error(last.message ?? "The scan ended without a result."))
    })
    child.stdin.end(JSON.stringify(request))
  })

const option = (args, name, fallback) => args.find((arg) => arg.startsWith(`--${name}=`))?.split("=")[1] ?? fallback

const sourceOf = (path) => {
  const root = resolve(path)
  try {
    const commit = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8", stdio: "pipe" }).trim()
    const gitDir = execFileSync("git", ["-C", root, "rev-parse", "--absolute-git-dir"], { encoding: "utf8" }).trim()
    return { kind: "git", gitDir, commit }
  } catch {
    return { kind: "worktree", root }
  }
}

const measure = async (name, path, args) => {
  const suite = option(args, "suite", "standard")
  const workers = Number(option(args, "workers", "2"))
  const result = await scan({ source: sourceOf(path), suite, workers })
  const { lines, files } = result.inventory
  const seconds = result.wall_ms / 1000
  const numbers = {
    repository: name,
    suite,
    workers,
    files,
    lines,
    seconds: Number(seconds.toFixed(2)),
    lines_per_second: Math.round(lines / seconds),
    cpu_seconds: Number(result.cpu_seconds.toFixed(2)),
    lines_per_cpu_second: Math.round(lines / result.cpu_seconds),
    peak_memory_mb: Math.round(result.peak_rss_bytes / 1e6),
    findings: result.findings.length,
    tool_failures: result.tool_failures.length
  }
  console.log(JSON.stringify(numbers))
}

export const run = async (args) => {
  const path = args.find((arg) => !arg.startsWith("--"))
  if (path !== undefined) return measure(path, path, args)
  for (const lines of [100_000, 1_000_000]) {
    const root = join(tmpdir(), `assay-bench-${lines}-${process.pid}`)
    try {
      generateRepository(root, lines)
      await measure(`generated, ${lines} lines`, root, args)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }
}
