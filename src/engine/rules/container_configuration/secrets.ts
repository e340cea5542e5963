import { isPlaceholder, looksChosen, looksRandom, wordsOf } from "../../secrets/shape.ts"

const secretWords = new Set([
  "password",
  "passwd",
  "pwd",
  "passphrase",
  "secret",
  "token",
  "apikey",
  "credential",
  "credentials"
])
const secretPairs =
  /(?:^| )(?:api|private|access|secret|auth|encryption|signing|master|account|shared|license) keys?(?: base)?$/
/** Words after which a name means where the secret is kept, how long it lasts, or what it is called. */
const describing =
  /(?:^| )(?:file|files|path|dir|directory|url|uri|endpoint|host|name|id|arn|ref|type|method|length|size|min|max|ttl|expiry|expires|expiration|expire|lifetime|timeout|rounds|salt rounds|policy|hash|algorithm|header|cookie|prefix|suffix|regex|pattern|field|column|key name|mount|store|provider|enabled|required|allowed|disabled|version|count|limit|budget|issuer|audience|public|validity|location|map|source|username|user)$/
const switches =
  /(?:^| )(?:allow|no|empty|random|enable|disable|require|use|has|is|max|min|num|skip|without|public|passwordless)(?: |$)/

/** `POSTGRES_PASSWORD`, `stripeApiKey`, `JWT_SECRET`; not `PASSWORD_FILE` nor `ALLOW_EMPTY_PASSWORD`. */
export const isSecretName = (name: string): boolean => {
  const words = wordsOf(name)
  const text = words.join(" ")
  if (describing.test(text) || switches.test(text)) return false
  return secretWords.has(words.at(-1) ?? "") || secretPairs.test(text)
}

export const isPasswordName = (name: string): boolean => /(?:password|passwd|passphrase|pwd)$/i.test(name)

/** Written out, and neither a reference nor filler. */
export const isWrittenOut = (value: string): boolean =>
  value.length >= 6 && !isPlaceholder(value) && (looksChosen(value) || looksRandom(value, 12))

/** A password that is in every list of default passwords, set where a service will accept it. */
export const isDefaultPassword = (value: string): boolean =>
  /^(?:password|passw0rd|root|admin|postgres|mysql|mongo|rabbitmq|guest|secret|toor|minioadmin|sa|oracle|123456\d{0,3})$/i.test(
    value
  )
