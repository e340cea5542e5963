import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  if (attribute === null || attribute.name !== "publicly_accessible") {
    return declined(
      "Which addresses need this database cannot be read from the code; list them in place of the whole internet."
    )
  }
  if (attribute.value !== "true") return declined(valueIsElsewhere(attribute.name))
  const { start, end } = attribute
  return { edits: [{ start, end, text: "false" }], summary: "Give the database no address on the internet" }
}

export default fixer({ tool: "infrastructure_as_code", rule: "public_database", languages: ["terraform"], propose })
