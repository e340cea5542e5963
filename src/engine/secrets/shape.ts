/** What a string looks like, whatever its name: random, made up, or a name. */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hex = /^[0-9a-f]+$/i
/** Hashes that are stored to check a password, and values that only the holder of another key can read. */
const derived =
  /^(?:\$(?:2[abxy]?|5|6|1|y|argon2\w*|pbkdf2|scrypt)\$|pbkdf2_|\{(?:S?SHA|SSHA\d+|MD5|CRYPT)\}|sha(?:1|256|384|512)[-:$]|md5[-:$]|ENC\[|vault:|\$ANSIBLE_VAULT|AQICAH|arn:|projects\/)/i

const isUuid = (value: string): boolean => uuid.test(value)
/** Keys that are made to stand in pages and programs for everyone. */
const isPublished = (value: string): boolean =>
  /^(?:phc_|pk_(?:live|test)_|pk\.|pub-|rzp_live_|sb_publishable_)/.test(value)

const isDerived = (value: string): boolean => derived.test(value)

/** Bits per character. */
export const entropy = (value: string): number => {
  const counts = new Map<number, number>()
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Filler wherever it stands in a value. */
const filler =
  /example|changeme|change[_-]?(?:me|this|it)|dummy|placeholder|replace|redacted|censored|insert[_-]|your[_-]|[_-]here\b|x{5,}|\*{3,}|\.{3}|…|0{8,}|1{6,}|a{6,}|0123456789|1234567890|9876543210|123456789|abcdefghi|deadbeef|cafebabe|foobar|lorem|ipsum|not[_-]?(?:a[_-])?real|fake|undefined/i
/** Words that, alone or with a number, say that this is not a credential, or that it is everybody's. */
const fillerWords =
  /^(?:a|an|the|my|your|our|some|any|this|is|it|of|for|to|in|and|or|not|no|new|old|user|username|userpass|usr|name|pass|passwd|password|passw|passphrase|pw|pwd|secret|secrets|token|key|keys|api|apikey|auth|access|client|private|public|default|test|tests|testing|tester|dev|develop|development|local|localhost|staging|prod|demo|sample|mock|stub|foo|bar|baz|qux|quux|none|null|nil|true|false|empty|admin|root|guest|postgres|mysql|mongo|mongodb|redis|rabbitmq|minio|minioadmin|db|database|sa|system|oracle|temp|tmp|todo|fixme|value|string|text|here|me|change|invalid|valid|wrong|bad|good|correct|incorrect|abc|abcd|abcdef|abcdefg|qwerty|qwertyuiop|asdf|asdfgh|letmein|welcome|hello|world|x|xx|xxx|xxxx|y|z|one|two|super|strong|weak|very|secure|unsafe|insecure|basic|bearer|hidden|masked|unknown|missing|required|optional|enter|confirm|reset|forgot|update|create|set|get)$/

const reference =
  /^[$%@#&:]|\$\{|\$\(|\{\{|\}\}|\{[\w.]*\}|%\(|%[sdv]\b|^<.*>$|<[\w .-]+>|^\[.*\]$|^\{.*\}$|^__\w+__$|process\.env|os\.environ|getenv|\benv[.:(]|\bENV\[|^(?:secretKeyRef|valueFrom|ref|file|env|ssm|vault|op|gcp|aws-sm)[:/]/i

const leet: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "@": "a", $: "s" }

/** Words of a value with digits and marks taken off: `Passw0rd-123` is `passw`, `rd` and, read as leet, `password`. */
const isFillerWords = (value: string): boolean => {
  const words = wordsOf(value.replace(/[^A-Za-z]+/g, " "))
  if (words.length === 0 || words.every((word) => fillerWords.test(word))) return true
  const plain = value.replace(/[\d!@#$%^&*?.]+$/, "").replace(/[01345@$]/g, (mark) => leet[mark] ?? mark)
  const read = wordsOf(plain.replace(/[^A-Za-z]+/g, " "))
  return read.length > 0 && read.every((word) => fillerWords.test(word))
}

/** `clientSecret_v2` -> client, secret, v, 2 */
export const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== "")

/** Few characters over and over, or in the order of the alphabet. */
const isMonotonous = (value: string): boolean => {
  if (value.length < 8) return new Set(value).size <= 2
  let steps = 0
  for (let i = 1; i < value.length; i++) {
    const step = value.charCodeAt(i) - value.charCodeAt(i - 1)
    if (step === 0 || step === 1 || step === -1) steps++
  }
  return steps / (value.length - 1) > 0.45 || new Set(value).size < Math.min(8, value.length / 2)
}

/** A made-up value, a template, or a reference to where the real one is kept. */
export const isPlaceholder = (value: string): boolean =>
  reference.test(value) || filler.test(value) || isFillerWords(value) || isMonotonous(value)

const classOf = (code: number): number =>
  code >= 48 && code <= 57 ? 1 : code >= 65 && code <= 90 ? 2 : code >= 97 && code <= 122 ? 3 : 4

/** Share of places where the class of characters changes, a capital before its word not counted. */
const restlessness = (value: string): number => {
  let changes = 0
  for (let i = 1; i < value.length; i++) {
    const before = classOf(value.charCodeAt(i - 1))
    const here = classOf(value.charCodeAt(i))
    if (before !== here && !(before === 2 && here === 3) && before !== 4 && here !== 4) changes++
  }
  return changes / (value.length - 1)
}

/** Long enough, of a key's alphabet, and jumping between cases and digits as names never do. */
export const looksRandom = (value: string, minLength = 16): boolean => {
  if (value.length < minLength || value.length > 512 || !/^[A-Za-z0-9+/=_.~!@#$%^&*-]+$/.test(value)) return false
  if (isUuid(value) || isDerived(value) || isPublished(value) || !/\d/.test(value) || !/[A-Za-z]/.test(value))
    return false
  const bits = entropy(value)
  if (hex.test(value)) return value.length >= 24 && bits >= 3 && !isMonotonous(value)
  if (bits < (value.length < 24 ? 3.2 : 3.6) || isPlaceholder(value)) return false
  // Words joined by marks, a path, or a version: most of it reads.
  const words = value.match(/(?<![A-Za-z0-9])(?:[A-Z]?[a-z]{3,}|[A-Z]{3,}|\d{1,4})(?![A-Za-z0-9])/g) ?? []
  if (words.reduce((total, word) => total + word.length, 0) > value.length * 0.4) return false
  return restlessness(value) >= 0.24
}

/** Something a person could have chosen as a password: letters with digits or marks, and nothing that code is made of. */
export const looksChosen = (value: string): boolean => {
  if (value.length < 6 || value.length > 80 || /\s/.test(value) || !/[A-Za-z]/.test(value)) return false
  if (isDerived(value) || isUuid(value) || isPlaceholder(value)) return false
  if (
    /^(?:\w+:)?\/\/|^\.{0,2}\/|\\[dwsbnu.]|[\^(|)]|^[\w-]+\([^)]*\)|=>|::|^\w+(?::[\w.-]+){2,}$|^[\w.-]+@[\w.-]+\.\w+$/.test(
      value
    )
  )
    return false
  if (
    /^[a-z]+(?:[-_.:/][a-z]+)*[-_.]?\d{0,3}$|^[A-Z]+(?:_[A-Z\d]+)*$|^[\w-]+(?:\.[\w-]+)+$|^[\w.-]+(?:\/[\w.-]+)+$/.test(
      value
    )
  ) {
    return /^[a-z]{3,}\d{1,3}$/.test(value)
  }
  const marks = /[!@#$%^&*?+~]/.test(value)
  return /\d/.test(value) || (marks && /[a-z]/.test(value) && /[A-Z]/.test(value))
}
