import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  if (attribute?.value !== '"optional"') return declined(valueIsElsewhere("http_tokens"))
  const { start, end } = attribute
  return {
    edits: [{ start, end, text: '"required"' }],
    summary: "Require a session token (IMDSv2) for the instance metadata service"
  }
}

export default fixer({
  tool: "infrastructure_as_code",
  rule: "metadata_without_token",
  languages: ["terraform"],
  propose
})
