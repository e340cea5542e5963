import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { call } from "../checks.ts"
import { commandsIn } from "./commandAt.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  if (!file.text.startsWith("#!")) {
    return declined("The script may be sourced, and `exit` would then close the shell of the person who uses it.")
  }
  const change = commandsIn(file).findLast((command) => command.end <= match.start && call(command)[0]?.text === "cd")
  if (change === undefined) return declined("The `cd` before this command was not found.")
  return {
    edits: [{ start: change.end, end: change.end, text: " || exit 1" }],
    summary: "End the script when `cd` fails, before anything is removed"
  }
}

export default fixer({
  tool: "shell_script_safety",
  rule: "removal_after_unchecked_cd",
  languages: ["shell"],
  propose
})
