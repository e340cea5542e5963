import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath, pathToFileURL } from "node:url"
import { measured } from "./measured.mjs"

/** ASSAY_DIST names another build to measure. */
export const dist = process.env.ASSAY_DIST ?? fileURLToPath(new URL("../../../dist", import.meta.url))
const entryOf = (name) => {
  const bundled = `${dist}/engine/core/process/bundled/${name}.cjs`
  return existsSync(bundled) ? bundled : `${dist}/engine/core/process/${name}.js`
}

/**
 * As the build's own program starts the process: with other arguments V8 would reject the code made at the build. Builds of
 * before 2026-11-29 do not name them.
 */
const { nodeArguments = (maxHeapMb) => [`--max-old-space-size=${maxHeapMb}`] } = await import(
  pathToFileURL(`${dist}/engine/core/process/childProcess.js`).href
)

export const git = (root, ...args) =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8", stdio: "pipe", maxBuffer: 1e9 })

const sourceOf = (root) => {
  try {
    const commit = git(root, "rev-parse", "HEAD").trim()
    return { kind: "git", gitDir: git(root, "rev-parse", "--absolute-git-dir").trim(), commit }
  } catch {
    return { kind: "worktree", root }
  }
}

/** The whole process: its start and what it writes for the next time count, too. */
const inProcess = (name) => async (root, request) => {
  const input = JSON.stringify({ source: sourceOf(root), ...request })
  const { output, ...cost } = await measured(process.execPath, [...nodeArguments(512), entryOf(name)], { input })
  // What it cost so far may be reported once more after it.
  const messages = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line || "{}"))
  const end = messages.findLast(({ type }) => type === "result" || type === "error")
  if (end?.type !== "result") throw new Error(end?.message ?? "The process ended without a result.")
  const { result } = end
  return { ...cost, cpu: cost.cpu || result.cpu_seconds, memory: cost.memory || result.peak_rss_bytes / 1e6, result }
}

export const scan = inProcess("scan-process")

const discovery = inProcess("discovery-process")

export const discover = (root, request) => discovery(root, { suite: "full", ...request })
