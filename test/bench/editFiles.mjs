import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { asAuthor } from "./asAuthor.mjs"
import { git } from "./audit/scan.mjs"

const commentMarks = { py: "#", rb: "#" }

/** A line more in every file of so many, in one commit. Returns how many files changed. */
export const editFiles = (root, every) => {
  const files = git(root, "ls-files", "-z")
    .split("\0")
    .filter((name) => /\.(?:[cm]?[jt]sx?|py|go|java|rb|php|cs|rs)$/.test(name))
  const chosen = files.filter((_, i) => i % every === 0)
  for (const name of chosen) {
    const lines = readFileSync(join(root, name), "utf8").split("\n")
    lines.splice(Math.min(12, lines.length), 0, `${commentMarks[name.split(".").at(-1)] ?? "//"} Edited.`)
    writeFileSync(join(root, name), lines.join("\n"))
  }
  git(root, ...asAuthor, "commit", "-qam", "Edit")
  return chosen.length
}
