import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { measured } from "./measured.mjs"

/** ASSAY_DIST names another build to measure. */
export const dist = process.env.ASSAY_DIST ?? fileURLToPath(new URL("../../../dist", import.meta.url))
const bundled = `${dist}/engine/core/process/bundled/scan-process.js`
const entry = existsSync(bundled) ? bundled : `${dist}/engine/core/process/scan-process.js`

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

/** The whole process: its start and what it writes for the next audit count, too. */
export const scan = async (root, request) => {
  const input = JSON.stringify({ source: sourceOf(root), ...request })
  const { output, ...cost } = await measured(process.execPath, ["--max-old-space-size=512", entry], { input })
  const last = JSON.parse(output.trim().split("\n").at(-1) ?? "{}")
  if (last.type !== "result") throw new Error(last.message ?? "The scan ended without a result.")
  const { result } = last
  return { ...cost, cpu: cost.cpu || result.cpu_seconds, memory: cost.memory || result.peak_rss_bytes / 1e6, result }
}
