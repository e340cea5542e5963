import { existsSync, realpathSync } from "node:fs"
import { join } from "node:path"
import { type SourceRequest, startAhead } from "../engine/ahead.ts"

/** Processes that commands will ask something, by command. */
const processes: Readonly<Record<string, string>> = {
  audit: "scan-process",
  review: "scan-process",
  discover: "discovery-process"
}

/**
 * The working tree that the command will most likely name, by its arguments alone: whichever of them is the folder of a
 * repository. Where the guess is wrong, the process has listed files in vain.
 */
const likelySource = (args: ReadonlyArray<string>): SourceRequest | null => {
  if (args.includes("--no-git")) return null
  const root = args.find((arg) => !arg.startsWith("-") && existsSync(join(arg, ".git")))
  return root === undefined ? null : { kind: "worktree", root: realpathSync(root) }
}

/**
 * The scanning process loads its code, and lists the files, while the command loads its own code; neither waits for the
 * other.
 */
export const startProcessFor = ([command = "", ...rest]: ReadonlyArray<string>): void => {
  const entry = Object.hasOwn(processes, command) ? processes[command] : undefined
  if (entry !== undefined && rest.length > 0) startAhead(entry, command === "review" ? null : likelySource(rest))
}
