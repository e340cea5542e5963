import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"

const entry = /^(["']?allowPrivilegeEscalation["']?\s*:\s*)(true|yes|on)\b/i

/** Programs that gain rights by themselves, and a capability that the platform does not accept together with `false`. */
const needsRights = /\bsudo\b|\bsu\s|\bSYS_ADMIN\b|\bprivileged\s*:\s*true/

const propose = ({ file, match }: FixSite): Proposal => {
  const written = entry.exec(file.text.slice(match.start, match.start + 200))
  if (written === null) return declined("The value is written in another part of the file (an anchor or a template).")
  if (needsRights.test(file.text)) {
    return declined("Something in this file needs the rights that a container gains, so it may stop working.")
  }
  const start = match.start + written[1]!.length
  return {
    edits: [{ start, end: start + written[2]!.length, text: "false" }],
    summary: "Forbid programs in the container to gain rights"
  }
}

export default fixer({ tool: "container_configuration", rule: "privilege_escalation", languages: ["yaml"], propose })
