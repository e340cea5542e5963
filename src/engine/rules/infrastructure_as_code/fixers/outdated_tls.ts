import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { type Block, terraformBlocks } from "../../../languages/formats/terraform.ts"
import { valueIsElsewhere, writtenAttribute } from "./writtenAttribute.ts"

/** The setting of the same service that accepts TLS 1.2 and later; null where the service is not known. */
const current = (type: string, name: string, value: string): string | null => {
  switch (name) {
    case "ssl_policy":
      return /^aws_(?:lb|alb)_listener$/.test(type) ? "ELBSecurityPolicy-TLS13-1-2-2021-06" : null
    case "minimum_protocol_version":
      return type === "aws_cloudfront_distribution" ? "TLSv1.2_2021" : null
    case "security_policy":
      return type === "aws_api_gateway_domain_name" ? "TLS_1_2" : null
    default:
      return value.startsWith("TLS_") ? "TLS_1_2" : value.startsWith("TLS") ? "TLS1_2" : "1.2"
  }
}

/** The certificate of CloudFront itself comes with TLS 1.0. */
const usesDefaultCertificate = (block: Block): boolean =>
  block.blocks.some(({ attributes }) => attributes.cloudfront_default_certificate?.text === "true")

const holds = (block: Block, start: number): boolean =>
  Object.values(block.attributes).some((attribute) => attribute.start === start) ||
  block.blocks.some((inner) => holds(inner, start))

const propose = ({ file, match }: FixSite): Proposal => {
  const attribute = writtenAttribute(file, match.start, match.end)
  const value = /^"([\w.-]+)"$/.exec(attribute?.value ?? "")?.[1]
  if (attribute === null || value === undefined) return declined(valueIsElsewhere(attribute?.name ?? "The version"))
  const block = terraformBlocks(file).find((one) => holds(one, match.start))
  if (block !== undefined && usesDefaultCertificate(block)) {
    return declined("The default certificate of CloudFront comes with TLS 1.0; the site needs one of its own.")
  }
  const type = block?.labels[0] ?? ""
  const text = current(type, attribute.name, value)
  if (text === null) return declined(`Which values \`${attribute.name}\` of \`${type}\` takes is not known here.`)
  const { start, end } = attribute
  return { edits: [{ start, end, text: `"${text}"` }], summary: "Accept TLS 1.2 and later only" }
}

export default fixer({ tool: "infrastructure_as_code", rule: "outdated_tls", languages: ["terraform"], propose })
