import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { terraformBlocks } from "../../../languages/formats/terraform.ts"
import { writtenAttribute } from "./writtenAttribute.ts"

/** Only where the provider encrypts in place: everywhere else the change destroys the resource and makes an empty one. */
const encryptsInPlace = new Set(["aws_redshift_cluster"])

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  const block = terraformBlocks(file).find(({ attributes }) => attributes[attribute?.name ?? ""]?.start === match.start)
  if (attribute === null || attribute.value !== "false" || !encryptsInPlace.has(block?.labels[0] ?? "")) {
    return declined(
      "Terraform replaces an existing resource when its encryption changes, and its data is lost: restore an encrypted copy of a snapshot."
    )
  }
  const { start, end } = attribute
  return { edits: [{ start, end, text: "true" }], summary: "Encrypt the cluster at rest" }
}

export default fixer({ tool: "infrastructure_as_code", rule: "unencrypted_storage", languages: ["terraform"], propose })
