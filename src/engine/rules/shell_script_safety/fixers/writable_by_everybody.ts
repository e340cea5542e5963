import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { isProgramPath } from "../../../languages/formats/programPath.ts"
import { call } from "../checks.ts"
import { commandAt } from "./commandAt.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const command = commandAt(file, match.start, match.end)
  const words = command === undefined ? [] : call(command).slice(1)
  const [mode, ...targets] = words.filter(({ text }) => !/^\d?[<>]/.test(text))
  const isExecutable = /^(?:0?777|(?:a|ugo|o)?[+=]rwx)$/.test(mode?.text ?? "")
  if (
    mode === undefined ||
    !isExecutable ||
    targets.length === 0 ||
    !targets.every(({ text }) => isProgramPath(text))
  ) {
    return declined("Who writes to these files cannot be read from the script; give them to that user or group.")
  }
  return {
    edits: [{ start: mode.start, end: mode.end, text: "755" }],
    summary: "Let only the owner change the program; everyone may still run it"
  }
}

export default fixer({ tool: "shell_script_safety", rule: "writable_by_everybody", languages: ["shell"], propose })
