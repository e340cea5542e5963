import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import type { Word } from "../../../languages/formats/shell.ts"
import { call, leavesRoot, settledNames } from "../checks.ts"
import { commandAt } from "./commandAt.ts"

/** `$DIR` and `${DIR}`, which `:?` can be added to. */
const plain = /^\$(?:\{(\w+)\}|(\w+))$/

const guardOf = ({ expansions, text, start }: Word) => {
  const [only, ...others] = expansions
  const match = only === undefined ? null : plain.exec(text.slice(only.start - start, only.end - start))
  const name = match?.[1] ?? match?.[2]
  return only === undefined || name === undefined || others.length > 0
    ? null
    : { start: only.start, end: only.end, text: `\${${name}:?}` }
}

const propose = ({ file, match }: FixSite): Proposal => {
  const command = file.language === "shell" ? commandAt(file, match.start, match.end) : undefined
  if (command === undefined) return declined("Only scripts of their own are changed, not steps of a workflow.")
  const isSettled = settledNames(file)
  const guards = call(command)
    .filter((word) => leavesRoot(word, isSettled))
    .map(guardOf)
  const edits = guards.filter((guard) => guard !== null)
  if (edits.length === 0 || edits.length < guards.length) {
    return declined(
      "Several variables make up the path, and which of them may be empty cannot be read from the script."
    )
  }
  return { edits, summary: "Stop instead of removing system folders when a variable is empty" }
}

export default fixer({
  tool: "shell_script_safety",
  rule: "removal_with_unset_variable",
  languages: ["shell"],
  propose
})
