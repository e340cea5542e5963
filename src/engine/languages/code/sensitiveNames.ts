import { wordsOf } from "../../secrets/shape.ts"

const secret =
  / (?:password|passwd|passphrase|passcode|secret|ssn|cvv|cvc|jwt|jwttoken|accesstoken|refreshtoken|authtoken|apikey|privatekey|secretkey|userpassword|dbpassword|(?:user|db|database|mysql|admin|root|login|smtp|ldap|new|old|plain|raw) (?:pwd|pass|pw)|(?:access|refresh|auth|authorization|api|bearer|oauth|oauth2|jwt|login|bot|github|gitlab|slack|user|vault|service account) token|(?:api|secret|private|master|signing|encryption) key|(?:card|credit card|debit card|account|social security) number|pass word) $/

/** Words next to which a secret word names no secret. */
const harmless =
  / (?:is|has|had|have|no|not|use|uses|using|show|hide|need|needs|require|required|requires|invalid|missing|empty|bad|wrong|hash|hashed|encrypted|encrypt|cipher|masked|mask|redacted|hidden|obfuscated|forgot|reset|change|changed|update|without|should|can|must|set|num|count|total|max|min|public|csrf|xsrf|cancel|cancellation|page|next|continuation|sync|design|lexer|parser|validate|validated|verify|check|confirm|allow|enable|enabled|disable|error|type|dummy|fake|example|sample|default|test|sealed|wrapped|kubernetes|k8s|on|toggle|about|mock|placeholder|old length|ask|prompt|kind|bank) /

/** The value under this name is itself a secret: not its length, its hash, or whether there is one. */
export const isSecretName = (name: string): boolean => {
  if (name.length < 3 || name.length > 60) return false
  const words = ` ${wordsOf(name).join(" ").toLowerCase()} `
  return secret.test(words) && !harmless.test(words)
}

/** Tables of texts, names and rules about secrets, not the secrets. */
export const isAboutNames = (path: string): boolean =>
  /(?:^|[.\->:])(?:\w*(?:errors?|messages?|labels?|i18n|strings?|fields?|schema|texts?|translations?|touched|validators?|validation|keys?|types?|names?|columns?|rules|actions?|routes?|urls?|paths?|permissions?|scopes?|enums?|constants?|consts?|events?|kinds?|links?|pages?|views?|lang|locale|help|docs?|options?schema|descriptions?|flags?|placeholders?|selectors?|attributes?))(?:\[|\.|->|::|\?\.)["']?[\w$]+["']?\]?$/i.test(
    path
  )
