import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

const DAYS = 7

/** A retention can be raised in place. */
const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  const zero = /^"?(0)"?$/.exec(attribute?.value ?? "")
  if (attribute === null || zero === null) return declined(valueIsElsewhere("backup_retention_period"))
  const start = file.text.indexOf("0", attribute.start)
  return {
    edits: [{ start, end: start + 1, text: String(DAYS) }],
    summary: `Keep automatic backups for ${DAYS} days`
  }
}

export default fixer({ tool: "infrastructure_as_code", rule: "no_backups", languages: ["terraform"], propose })
