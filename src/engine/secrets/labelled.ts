import type { Secret } from "./Secret.ts"
import { entropy, isPlaceholder, looksChosen, looksRandom, wordsOf } from "./shape.ts"

const anchor =
  /passw(?:or)?d|passphrase|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|encrypt(?:ion)?[_-]?key|sign(?:ing|ature)?[_-]?key|auth[_-]?key|master[_-]?key|account[_-]?key|shared[_-]?key|session[_-]?key|jwt[_-]?key|hmac[_-]?key|license[_-]?key|_pass\b|_auth\b|_key\b/gi

/** The last words of a name say what it holds. */
const sensitive =
  /(?:^|_)(?:(?:pass(?:w(?:or)?d|phrase)?|passwd|pwd|userpass|dbpass(?:word)?)|secret|token|credentials?|auth|(?:api|access|secret|private|encrypt|encryption|sign|signing|signature|auth|master|account|shared|session|cookie|jwt|hmac|crypto|service|storage|deploy|license)_?key(?:_base)?|\w*(?:apikey|authtoken|accesstoken|clientsecret|secretkey|accesskey|privatekey))(?:_(?:prod|production|live|staging|value|base64|b64|str|string|raw|plain|v?\d+))*$/
/** Issuers whose keys have no shape of their own; a name that holds one of them says what the value opens. */
const vendor =
  /(?:^|_)(?:heroku|datadog|dd|newrelic|new_relic|sendgrid|mailgun|mailchimp|mandrill|postmark|sparkpost|twilio|stripe|braintree|paypal|square|algolia_admin|rollbar|bugsnag|honeybadger|segment|mixpanel|amplitude|intercom|zendesk|freshdesk|salesforce|hubspot|pipedrive|shopify|cloudflare|fastly|linode|vultr|ovh|hetzner|digitalocean|netlify|vercel|sonar|sonarqube|snyk|codecov|coveralls|artifactory|jfrog|nuget|docker|dockerhub|jira|atlassian|confluence|trello|asana|notion|airtable|circleci|travis|buildkite|jenkins|pagerduty|opsgenie|slack|discord|telegram|github|gitlab|bitbucket|azure|openai|anthropic|cohere|pinecone|deepl|openweather|alphavantage|coinbase|binance|kraken|infura|alchemy|etherscan|plaid|okta|auth0|firebase_server|fcm|apns|nexmo|vonage|plivo|clearbit)(?:_|$)/
const vendorKey = /_(?:key|secret|token|auth|pass|id_secret|application_key|app_key)$/
const passwordish = /pass|pwd/
/** Values of such names are public, derived, or no credentials at all. */
const innocent =
  /(?:^|_)(?:public|publishable|pub|csrf|xsrf|page|next|prev|previous|cursor|continuation|cache|hash|hashed|example|sample|test|testing|tests|mock|fake|dummy|encrypted|sealed|expected|invalid|wrong|bad|missing|label|placeholder|hint|message|msg|error|err|type|regex|regexp|pattern|site|recaptcha|mapbox|syntax|lexer|parse|parser|punctuation|symbol|keyword|separator|delimiter|design|i18n|translation|lang|old|mask|masked|min|max|url|uri|path|file|name|header|algolia|sync|anti|forgery|eof|idempotency|ssh_public|emulator|posthog|demo)(?:_|$)/

const word = /[\w.-]/
const MAX_LABEL = 80

/** What may stand between a name and its value, the value's opening mark included. */
const between =
  /(?:["'`]?\]?\s{0,4}(?::\s{0,3}(?:readonly\s)?[A-Za-z][\w<>[\]|?. ]{0,40}?\s{0,3}=(?!=)|:=|\?=|\?\?=|\|\|=|=>|:|=(?![=>~]))\s{0,6}(?:(?:[\w.$[\]"'()-]{1,60}\s{0,2}(?:\|\||\?\?|\?:)\s{0,2})|(?:(?:os\.|process\.)?(?:environ\.get|getenv|env)\(\s?["'][\w.-]{1,60}["'],\s{0,2}))?(?:\[\]byte\(|Buffer\.from\(|new TextEncoder\(\)\.encode\()?[bruBRUf@]?(?=["'`])|["']\s?,\s{0,3}(?=["'`])|["']\s{0,3}(?:value|Value)=(?=["'])|["']?\s{0,2}\n\s{1,30}value:\s?(?=["'])|>(?=[^<\s]{6,200}<\/)|\((?=["'`]))/y
/** An empty value is not what stands on the next line. */
const plainBetween = /["']?\s{0,4}(?:=|:{1,3}=|\?=|:|\s)[^\S\n]{0,6}(?=[^\s"'`=])/y
const getter =
  /(?:environ\.get|getenv|ENV\.fetch|environ\.setdefault|\benv|getEnv|System\.getProperty|config\.get|setProperty|setenv|Setenv|\.put|\.set|put|define)\(\s?["']$/
const setter = /^(?:set|with)_|(?:^|_)(?:basic_auth)$/

export interface LabelledOptions {
  /** Values may stand without quotes, one to a line: .env, properties, YAML, shell. */
  readonly unquoted: boolean
  /** For redaction rather than reports: weak and short values count. */
  readonly lenient: boolean
}

const labelAt = (text: string, at: number): { readonly start: number; readonly end: number } => {
  let start = at
  while (start > 0 && at - start < MAX_LABEL && word.test(text[start - 1]!)) start--
  let end = at
  while (end < text.length && end - at < MAX_LABEL && word.test(text[end]!)) end++
  return { start, end }
}

interface Value {
  readonly start: number
  readonly end: number
  readonly quoted: boolean
}

const valueAfter = (
  text: string,
  label: { readonly start: number; readonly end: number },
  options: LabelledOptions
): Value | null => {
  between.lastIndex = label.end
  const separator = between.exec(text)
  if (separator !== null && admits(text, label, separator[0])) {
    const at = between.lastIndex
    if (separator[0] === ">") return { start: at, end: text.indexOf("<", at), quoted: true }
    const close = closingQuote(text, at)
    if (close >= 0) return { start: at + openingLength(text, at), end: close, quoted: true }
  }
  if (!options.unquoted) return null
  plainBetween.lastIndex = label.end
  if (plainBetween.exec(text) === null || !startsLine(text, label.start)) return null
  const at = plainBetween.lastIndex
  const line = text.slice(at, at + 300).split(/[\r\n]/, 1)[0]!
  const value = line.replace(/\s+(?:#|\/\/|;).*$/, "").trimEnd()
  const isAssigned = /[=:]/.test(text.slice(label.end, at))
  if (/\s/.test(value) || (!isAssigned && !isNetrcLine(text, label.start))) return null
  return { start: at, end: at + value.length, quoted: false }
}

/** What stands before a place on its line, as far as it is worth reading. */
const lineBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - 120), at)
  return before.slice(before.lastIndexOf("\n") + 1)
}

const isNetrcLine = (text: string, at: number): boolean =>
  /(?:^|\s)login\s+\S+\s+$|^\s+$/.test(lineBefore(text, at)) &&
  /\bmachine\s+\S/.test(text.slice(Math.max(0, at - 200), at))

const startsLine = (text: string, at: number): boolean =>
  /^(?:[\s-]*|\s*(?:export|ENV|ARG|set|setx|-e|--env|readonly|declare -x)\s+|\S.*\blogin\s+\S+\s+|\/\/[\w./:-]+:)["']?$/.test(
    lineBefore(text, at)
  )

const openingLength = (text: string, at: number): number => (text.startsWith(text[at]!.repeat(3), at) ? 3 : 1)

const closingQuote = (text: string, at: number): number => {
  const quote = text[at]!
  const from = at + openingLength(text, at)
  for (let i = from; i < text.length && i - from <= 300; i++) {
    const c = text[i]!
    if (c === quote) return i
    if (c === "\n") return -1
    if (c === "\\") i++
  }
  return -1
}

/** A comma and an opening parenthesis separate only where a lookup or a setter says so. */
const admits = (text: string, label: { readonly start: number; readonly end: number }, separator: string): boolean => {
  if (separator === "(") return setter.test(wordsOf(lastPart(text.slice(label.start, label.end))).join("_"))
  if (/^["']\s?,/.test(separator)) return getter.test(text.slice(Math.max(0, label.start - 40), label.start))
  if (separator === ">") return text[label.start - 1] === "<"
  return true
}

const lastPart = (label: string): string => label.slice(label.lastIndexOf(".") + 1)

/** Also `createHash("md5")`-like neighbours: what follows a value shows when it is only a part of something. */
const isJoined = (text: string, value: Value): boolean =>
  value.quoted && /^["'`]+\s{0,3}(?:\+|%|\.\s?format|\.\$|\.\s?["'$])/.test(text.slice(value.end, value.end + 14))

/** Assignments, entries, attributes and lookups whose name says "credential" and whose value looks like one. */
export const labelledSecrets = (text: string, options: LabelledOptions): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  anchor.lastIndex = 0
  for (let match = anchor.exec(text); match !== null; match = anchor.exec(text)) {
    const label = labelAt(text, match.index)
    anchor.lastIndex = Math.max(anchor.lastIndex, label.end)
    const value = valueAfter(text, label, options)
    if (value === null || value.end <= value.start) continue
    const secret = classified(text, text.slice(label.start, label.end), value, options)
    if (secret !== null) {
      found.push(secret)
      anchor.lastIndex = Math.max(anchor.lastIndex, secret.end)
    }
  }
  return found
}

const nounOf = (name: string): string =>
  passwordish.test(name) ? "a password" : /token|auth$/.test(name) ? "a token" : "a secret key"

/** Names of what signs sessions and tokens, which frameworks take as a text that a person may have made up. */
const isSigningSecret =
  /(?:^|_)(?:secret_key|jwt_secret|session_secret|cookie_secret|app_secret|secret_key_base|jwt_key)$/

/** A random UUID; one with few characters is made up. */
const isKeyUuid = (content: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(content) &&
  entropy(content.replaceAll("-", "")) > 3

const isAwsKey = (content: string): boolean =>
  /^[A-Za-z0-9+/]{40}$/.test(content) && entropy(content) > 4 && !isPlaceholder(content)

const classified = (text: string, label: string, value: Value, { lenient }: LabelledOptions): Secret | null => {
  const name = wordsOf(lastPart(label).replace(/^[-_]+/, "")).join("_")
  const full = wordsOf(label).join("_")
  const isVendors = vendor.test(full) && vendorKey.test(full)
  if (!isVendors && !sensitive.test(name) && !sensitive.test(full)) return null
  const content = text.slice(value.start, value.end)
  const at = { start: value.start, end: value.end, kind: "labelled" as const, label }
  if (/aws|amazon|s3|secret_access_key/.test(full) && isAwsKey(content)) {
    return {
      ...at,
      rule: "aws-secret-access-key",
      noun: "an AWS secret access key",
      kind: "provider",
      confidence: 0.93,
      harmless: false
    }
  }
  const isPassword = passwordish.test(name)
  const generic = { ...at, rule: isPassword ? "generic-password" : "generic-api-key", noun: nounOf(name) }
  const isInnocent = innocent.test(full) || isJoined(text, value)
  const certainty = isInnocent ? null : certaintyOf({ content, full, isPassword, isVendors, isQuoted: value.quoted })
  if (certainty !== null) return { ...generic, confidence: certainty, harmless: false }
  return lenient && mayBeSecret(content) ? { ...generic, confidence: 0.5, harmless: true } : null
}

interface Labelled {
  readonly content: string
  readonly full: string
  readonly isPassword: boolean
  readonly isVendors: boolean
  readonly isQuoted: boolean
}

/** As long as the hashes of passwords are, and longer than anyone's own. */
const digest = /^(?:[0-9a-f]{40}|[0-9a-f]{96}|[0-9a-f]{128})$/i

/** How certain a value under such a name is a credential; null where it is none. */
const certaintyOf = ({ content, full, isPassword, isVendors, isQuoted }: Labelled): number | null => {
  if (isPassword && digest.test(content)) return null
  if (looksRandom(content) || (isVendors && isKeyUuid(content))) return 0.85
  if (!isPassword && !isSigningSecret.test(full)) return null
  if (!looksChosen(content)) return null
  return isPassword && isQuoted ? 0.75 : 0.72
}

const mayBeSecret = (content: string): boolean =>
  content.length >= 4 &&
  !/\s/.test(content) &&
  !/^[$%]?[{(<].*[})>]$|^\[redacted\]$|^(?:true|false|null|none|undefined)$/i.test(content)
