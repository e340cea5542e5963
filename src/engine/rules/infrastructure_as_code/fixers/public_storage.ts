import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { terraformBlocks } from "../../../languages/formats/terraform.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

const blocking = new Set(["block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets"])
const allowing = new Set(["allow_blob_public_access", "allow_nested_items_to_be_public"])

/** Signs in the same file that people are meant to read the objects without a key. */
const servesEveryone =
  /\bwebsite\b|"public-read(?:-write)?"|\bPrincipals?"?\s*[=:]\s*(?:\{[^}]{0,80})?\[?\s*"\*"|identifiers\s*=\s*\[\s*"\*"\s*\]|container_access_type\s*=\s*"(?:blob|container)"/

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  const name = attribute?.name ?? ""
  if (attribute === null || (!blocking.has(name) && !allowing.has(name))) {
    return declined(
      "Whether these objects are meant for everyone is the owner's decision; it cannot be read from the code."
    )
  }
  if (servesEveryone.test(file.text)) {
    return declined("This file also makes objects public on purpose, so closing the storage may take a site down.")
  }
  if (allowing.has(name)) {
    if (attribute.value !== "true") return declined(valueIsElsewhere(name))
    const { start, end } = attribute
    return { edits: [{ start, end, text: "false" }], summary: "Keep containers of the storage account private" }
  }
  const block = terraformBlocks(file).find(({ attributes }) => attributes[name]?.start === match.start)
  const open = Object.values(block?.attributes ?? {})
    .map(({ start, end }) => writtenAttribute(file, start, end))
    .filter((one) => one !== null && blocking.has(one.name) && one.value !== "true")
  if (open.length === 0 || open.some((one) => one?.value !== "false")) return declined(valueIsElsewhere(name))
  return {
    edits: open.flatMap((one) => (one === null ? [] : [{ start: one.start, end: one.end, text: "true" }])),
    summary: "Block public access to the bucket"
  }
}

export default fixer({ tool: "infrastructure_as_code", rule: "public_storage", languages: ["terraform"], propose })
