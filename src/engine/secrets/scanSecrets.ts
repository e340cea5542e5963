import { connectionPasswords, privateKeys, urlPasswords } from "./blocks.ts"
import { labelledSecrets } from "./labelled.ts"
import type { Provider } from "./Provider.ts"
import { placedSecrets } from "./placed.ts"
import { hintPattern, providersAt } from "./providers.ts"
import type { Secret } from "./Secret.ts"
import { entropy, isPlaceholder, looksRandom } from "./shape.ts"

export type { Secret, SecretKind } from "./Secret.ts"

export interface ScanOptions {
  /** Also read `NAME=value` without quotes, one to a line: for configuration and prose. Default false. */
  readonly unquoted?: boolean
  /** Also report long random strings that no name calls a credential. Default false. */
  readonly highEntropy?: boolean
  /** Also return what is not worth reporting (test keys, made-up values, weak passwords), for hiding. Default false. */
  readonly harmless?: boolean
}

/**
 * Credentials in a text, in document order and without overlaps; an issuer's own shape wins over a name, and a name
 * over mere randomness. Offsets are UTF-16. Linear in the length of the text.
 */
export const scanSecrets = (text: string, options: ScanOptions = {}): ReadonlyArray<Secret> => {
  const lenient = options.harmless === true
  const all = [
    ...providerSecrets(text),
    ...(text.includes("PRIVATE KEY") ? privateKeys(text) : []),
    ...urlPasswords(text),
    ...connectionPasswords(text),
    ...placedSecrets(text),
    ...labelledSecrets(text, { unquoted: options.unquoted === true, lenient }),
    ...(options.highEntropy === true ? randomStrings(text) : [])
  ]
  const distinct = withoutOverlaps(all)
  return lenient ? distinct : distinct.filter((secret) => !secret.harmless)
}

const providerSecrets = (text: string): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  hintPattern.lastIndex = 0
  for (let hint = hintPattern.exec(text); hint !== null; hint = hintPattern.exec(text)) {
    for (const provider of providersAt(hint[0])) {
      const secret = matched(text, hint.index, provider)
      if (secret === null) continue
      found.push(secret)
      hintPattern.lastIndex = Math.max(hintPattern.lastIndex, secret.end)
      if (provider.id === "aws-access-key-id" && !secret.harmless) found.push(...awsSecretsNear(text, secret))
    }
  }
  return found
}

const matched = (text: string, at: number, provider: Provider): Secret | null => {
  const goesOn = at > 0 && /[A-Za-z0-9_-]/.test(text[at - 1]!)
  if (goesOn && provider.anywhere !== true && provider.back === undefined) return null
  provider.pattern.lastIndex = at
  const match = provider.pattern.exec(text)
  if (match === null) return null
  let start = match[1] === undefined ? at : at + match[0].indexOf(match[1])
  const end = match[1] === undefined ? at + match[0].length : start + match[1].length
  if (provider.back !== undefined) {
    const before = provider.back.exec(text.slice(Math.max(0, at - 48), at))
    if (before === null) return null
    start = at - before[0].length
  }
  const value = text.slice(start, end)
  const isMadeUp = isPlaceholder(value) || entropy(value) < (provider.bits ?? 3.2)
  const harmless = isMadeUp || (provider.harmless?.(value, text, start) ?? false)
  return {
    rule: provider.id,
    noun: provider.noun,
    start,
    end,
    kind: "provider",
    confidence: provider.confidence,
    label: null,
    harmless
  }
}

const AWS_PAIR_REACH = 300
const awsSecret = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=_-])/g

/** The secret half stands near the id, whatever it is called there. */
const awsSecretsNear = (text: string, id: Secret): ReadonlyArray<Secret> => {
  const from = Math.max(0, id.start - AWS_PAIR_REACH)
  const found: Array<Secret> = []
  for (const match of text.slice(from, id.end + AWS_PAIR_REACH).matchAll(awsSecret)) {
    if (entropy(match[0]) < 4.2 || isPlaceholder(match[0]) || /^[0-9a-f]+$/i.test(match[0])) continue
    const start = from + match.index
    found.push({
      ...id,
      rule: "aws-secret-access-key",
      noun: "an AWS secret access key",
      start,
      end: start + 40,
      confidence: 0.93
    })
  }
  return found
}

const RANDOM_MIN = 24
const randomRun = /[A-Za-z0-9+/_=~-]{24,512}/g

const randomStrings = (text: string): ReadonlyArray<Secret> => {
  const found: Array<Secret> = []
  for (const match of text.matchAll(randomRun)) {
    if (!looksRandom(match[0], RANDOM_MIN)) continue
    const start = match.index
    found.push({
      rule: "high-entropy-string",
      noun: "a long random-looking value",
      start,
      end: start + match[0].length,
      kind: "high-entropy",
      confidence: 0.5,
      label: null,
      harmless: false
    })
  }
  return found
}

const rank = (secret: Secret): number =>
  (secret.kind === "provider" ? 0 : secret.kind === "labelled" ? 1 : 2) + (secret.harmless ? 0.5 : 0)

const withoutOverlaps = (secrets: ReadonlyArray<Secret>): ReadonlyArray<Secret> => {
  if (secrets.length < 2) return secrets
  const kept: Array<Secret> = []
  for (const secret of [...secrets].sort((a, b) => a.start - b.start || rank(a) - rank(b) || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || secret.start >= last.end) kept.push(secret)
    else if (rank(secret) < rank(last)) kept[kept.length - 1] = secret
  }
  return kept
}
