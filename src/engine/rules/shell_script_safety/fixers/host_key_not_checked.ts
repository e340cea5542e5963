import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { commandAt } from "./commandAt.ts"

const unchecked = /(StrictHostKeyChecking[= ]["']?)(no|off)\b/gi

const propose = ({ file, match }: FixSite): Proposal => {
  const command = file.language === "shell" ? commandAt(file, match.start, match.end) : undefined
  if (command === undefined) return declined("Only scripts of their own are changed, not steps of a workflow.")
  const { start, end } = command
  const text = file.text.slice(start, end)
  if (/UserKnownHostsFile[= ]["']?\/dev\/null/i.test(text)) {
    return declined(
      "Known keys are thrown away here, so no changed key can be noticed: the host's key has to be added first."
    )
  }
  const edits = [...text.matchAll(unchecked)].map(({ index, 0: all, 1: option = "" }) => ({
    start: start + index + option.length,
    end: start + index + all.length,
    text: "accept-new"
  }))
  return { edits, summary: "Reject a host whose SSH key has changed" }
}

export default fixer({ tool: "shell_script_safety", rule: "host_key_not_checked", languages: ["shell"], propose })
