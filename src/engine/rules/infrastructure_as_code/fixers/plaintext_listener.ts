import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  if (attribute === null || !/https_traffic_only/.test(attribute.name)) {
    return declined("A listener for HTTPS needs a certificate, and only the owner knows which.")
  }
  if (attribute.value !== "false") return declined(valueIsElsewhere(attribute.name))
  const { start, end } = attribute
  return { edits: [{ start, end, text: "true" }], summary: "Answer over HTTPS only" }
}

export default fixer({ tool: "infrastructure_as_code", rule: "plaintext_listener", languages: ["terraform"], propose })
