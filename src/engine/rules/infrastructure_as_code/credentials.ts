import type { Emit } from "../../core/tool/AuditTool.ts"
import type { Attribute, Block } from "../../languages/formats/terraform.ts"
import { isPlaceholder, looksChosen, looksRandom } from "../../secrets/shape.ts"
import { nameOf } from "./Resource.ts"
import type { RuleId } from "./rules.ts"

const secretName =
  /(?:^|_)(?:password|passwd|passphrase|pwd|secret|token|api_?key|secret_?key|private_?key|access_?key|client_secret|auth_?key)$/i
/** What such an attribute of a resource means, whatever the resource is. */
const secretAttribute =
  /^(?:master_|admin_|administrator_login_|user_|root_|db_)?password$|^(?:client_secret|auth_token|shared_key|shared_secret)$/

const literalOf = ({ text }: Attribute): string | null => /^"([^"\n$%]{1,200})"$/.exec(text.trim())?.[1] ?? null

/** Chosen by a person or by chance, and neither filler nor a reference to where the value is kept. */
const isSecret = (value: string): boolean =>
  value.length >= 6 &&
  !isPlaceholder(value) &&
  !/^(?:arn:|projects\/|https?:|\/|alias\/|[a-z][\w.-]*\.(?:com|io|net|org)\b)/i.test(value) &&
  (looksChosen(value) || looksRandom(value, 12))

const reported = (
  rule: RuleId,
  attribute: Attribute,
  value: string,
  message: string,
  noun: string,
  text: string
): Parameters<Emit<RuleId>>[0] => {
  const at = text.indexOf(value, attribute.start)
  const redact = at < 0 ? [] : ([[at, at + value.length]] as const)
  return { rule, start: attribute.start, end: attribute.end, message, noun, redact, identifiers: [noun] }
}

/** Credentials written out as a variable's default or as an attribute of a resource. */
export const inspectCredentials = (blocks: ReadonlyArray<Block>, text: string, emit: Emit<RuleId>): void => {
  for (const block of blocks) {
    const name = block.labels[0] ?? ""
    const preset = block.attributes.default
    if (block.type === "variable" && preset !== undefined && secretName.test(name)) {
      const value = literalOf(preset)
      if (value === null || !isSecret(value)) continue
      const message = `The default of \`${name}\` is a credential, and is used wherever no other value is given.`
      emit(reported("secret_default", preset, value, message, name, text))
    }
    if (block.type !== "resource") continue
    for (const [key, attribute] of Object.entries(block.attributes)) {
      const value = secretAttribute.test(key) ? literalOf(attribute) : null
      if (value === null || !isSecret(value)) continue
      const message = `\`${key}\` of ${nameOf(block)} is written out in the file.`
      emit(reported("secret_in_resource", attribute, value, message, key, text))
    }
  }
}
