import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { isString, literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { scanSecrets } from "../../secrets/scanSecrets.ts"
import { assignmentsTo, callAt, isPrescribed, matchAt, onlyDecrypts, resolved } from "./context.ts"
import type { RuleId } from "./rules.ts"

/** The root of every tree: the whole file. */
const ROOT = 0

export const mentionsKey =
  /hmac|cipher|jwt|jsonwebtoken|session|cookie|secret|Fernet|AES|pbkdf2|scrypt|PBE|Rfc2898|SecretKeySpec|IvParameterSpec|NewCBC|NewGCM/i

type ArgumentPosition = number | string
interface KeyTaker {
  readonly call: RegExp
  readonly languages?: ReadonlyArray<SourceFile["language"]>
  /** Position or name of the key among the arguments, or `option:<name>` of an object literal. */
  readonly key: ReadonlyArray<ArgumentPosition>
  readonly what: string
}

const keyTakers: ReadonlyArray<KeyTaker> = [
  { call: /^crypto\.createHmac$/, key: [1], what: "an HMAC key" },
  { call: /^crypto\.createCipheriv$/, key: [1], what: "an encryption key" },
  { call: /^jsonwebtoken\.(?:sign|verify)$/, key: [1], what: "the key that signs tokens" },
  {
    call: /^(?:express-session|cookie-session)$/,
    key: ["option:secret", "option:keys"],
    what: "the key that signs sessions"
  },
  { call: /^(?:CryptoJS|crypto-js)\.(?:AES\.encrypt|HmacSHA(?:256|512|1))$/, key: [1], what: "an encryption key" },
  { call: /^hmac\.(?:new|digest)$/, languages: ["python"], key: [0, "key"], what: "an HMAC key" },
  { call: /^cryptography\.fernet\.Fernet$/, key: [0, "key"], what: "an encryption key" },
  {
    call: /^Crypto(?:dome)?\.Cipher\.(?:AES|DES3?|ChaCha20(?:_Poly1305)?)\.new$/,
    key: [0, "key"],
    what: "an encryption key"
  },
  { call: /^(?:jwt|jose\.jwt)\.encode$/, languages: ["python"], key: [1, "key"], what: "the key that signs tokens" },
  { call: /^crypto\/hmac\.New$/, key: [1], what: "an HMAC key" },
  { call: /^crypto\/aes\.NewCipher$/, key: [0], what: "an encryption key" },
  { call: /^github\.com\/gorilla\/sessions\.NewCookieStore$/, key: [0], what: "the key that signs sessions" },
  { call: /^(?:javax\.crypto\.spec\.)?SecretKeySpec$/, key: [0], what: "an encryption key" },
  { call: /^hash_hmac$/, key: [2], what: "an HMAC key" },
  { call: /^openssl_encrypt$/, key: [2], what: "an encryption key" }
]

const ivTakers: ReadonlyArray<KeyTaker> = [
  { call: /^crypto\.createCipheriv$/, key: [2], what: "" },
  { call: /^Crypto(?:dome)?\.Cipher\.AES\.new$/, key: [2, "iv", "IV", "nonce"], what: "" },
  {
    call: /^cryptography\.hazmat\.primitives\.ciphers(?:\.modes)?\.(?:modes\.)?(?:CBC|CTR|GCM|CFB|OFB)$/,
    key: [0],
    what: ""
  },
  { call: /^crypto\/cipher\.(?:NewCBCEncrypter|NewCTR|NewCFBEncrypter|NewOFB)$/, key: [1], what: "" },
  { call: /^(?:javax\.crypto\.spec\.)?IvParameterSpec$/, key: [0], what: "" },
  { call: /^openssl_encrypt$/, key: [4], what: "" },
  { call: /^(?:javax\.crypto\.spec\.)?GCMParameterSpec$/, key: [1], what: "" },
  { call: /(?:^|\.)(?:gcm|aead|aesgcm|aesGCM)\.Seal$/i, languages: ["go"], key: [1], what: "" }
]

const saltTakers: ReadonlyArray<KeyTaker> = [
  { call: /^crypto\.(?:pbkdf2|scrypt)(?:Sync)?$/, key: [1], what: "" },
  { call: /^hashlib\.pbkdf2_hmac$/, key: [2, "salt"], what: "" },
  { call: /^hashlib\.scrypt$/, key: ["salt"], what: "" },
  { call: /^cryptography\.hazmat\.primitives\.kdf\.(?:pbkdf2\.PBKDF2HMAC|scrypt\.Scrypt)$/, key: ["salt"], what: "" },
  { call: /^(?:golang\.org\/x\/crypto|crypto)\/(?:pbkdf2|scrypt)\.Key$/, key: [1], what: "" },
  { call: /^(?:javax\.crypto\.spec\.)?PBEKeySpec$/, key: [1], what: "" },
  { call: /^(?:javax\.crypto\.spec\.)?PBEParameterSpec$/, key: [0], what: "" },
  { call: /^hash_pbkdf2$/, key: [2], what: "" },
  { call: /^(?:System\.Security\.Cryptography\.)?Rfc2898DeriveBytes$/, key: [1], what: "" }
]

/** Calls that only change how a literal is written. */
const conversion =
  /^(?:Buffer\.from|bytes|bytearray|\[\]byte|b64decode|base64\.\w+|binascii\.unhexlify|hex\.\w+|bytes\.fromhex|new TextEncoder\(\)\.encode|CryptoJS\.enc\.\w+\.parse|Base64\.getDecoder\(\)\.decode|(?:System\.Text\.)?Encoding\.\w+\.GetBytes|Convert\.FromBase64String|hex2bin|base64_decode)$/
const zeros =
  /^(?:Buffer\.alloc\(\d+(?:,\s*0)?\)|new Uint8Array\(\d+\)|bytes\(\d+\)|b?["'](?:\\0|\\x00)+["'](?:\s*\*\s*\d+)?|b?["'](?:\\0|\\x00|0)["']\s*\*\s*\d+|make\(\[\]byte,\s*(?:\d+|aes\.BlockSize|block\.BlockSize\(\))\)|new byte\[(?:\d+)?\](?:\{[\s\d,]*\})?|str_repeat\(["'](?:\\0|0)["'],\s*\d+\))$/

/** The literal that a value comes down to, through names and conversions; NONE when it is not one. */
const literalUnder = (file: SourceFile, node: number, depth = 0): number => {
  const tree = file.tree!
  const at = resolved(file, node)
  if (isString(file, at)) return literalValue(file, at) === null ? NONE : at
  if (depth > 3) return NONE
  const call = callAt(file, at)
  if (call !== undefined) {
    if (conversion.test(call.callee) && call.args[0] !== undefined) return literalUnder(file, call.args[0], depth + 1)
    if (/^(?:encode|getBytes|toByteArray|toCharArray)$/.test(call.method) && call.receiverNode !== NONE) {
      return literalUnder(file, call.receiverNode, depth + 1)
    }
  }
  if (tree.is(at, "type_conversion_expression"))
    return literalUnder(file, tree.namedChildren(at).at(-1) ?? at, depth + 1)
  return NONE
}

const argumentsAt = (file: SourceFile, call: Call, positions: ReadonlyArray<ArgumentPosition>): ReadonlyArray<number> =>
  positions.flatMap((position) => {
    if (typeof position === "number") return call.args[position] === undefined ? [] : [call.args[position]]
    const option = /^option:(.+)$/.exec(position)?.[1]
    if (option === undefined) return call.named.has(position) ? [call.named.get(position)!] : []
    const first = call.args[0]
    return first === undefined ? [] : optionOf(file, first, option)
  })

/** Value of a property of an object that is written out. */
const optionOf = (file: SourceFile, object: number, option: string): ReadonlyArray<number> => {
  const all = assignmentsTo(file, option)
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.node < object) low = middle + 1
    else high = middle
  }
  const found = all[low]
  return found !== undefined && file.tree!.contains(object, found.node) ? [found.value] : []
}

/** Labels that protocols prescribe, whole sentences among them, and words that say that the key counts for nothing. */
const harmlessKey =
  /^(?:|\s+|-----BEGIN (?:PUBLIC|CERTIFICATE)[\s\S]*|WebAppData|aws4_request|Client Key|Server Key|.*(?:-v\d|expand \d+.*)|(?:[A-Za-z-]+ ){4,12}[A-Za-z-]+|(?:NOT|not)[-_ ](?:SIGNED|signed|SECRET|secret|USED|used))$/
const derivation = /(?:hkdf|prf|scram|webapp|aws4|sigv4|derive|extract|blake|label)/i

const isOf = ({ languages }: KeyTaker, file: SourceFile): boolean => languages?.includes(file.language) ?? true

type Check = (file: SourceFile, call: Call, node: number, taker: KeyTaker, emit: Emit<RuleId>) => void

const checkArguments = (
  file: SourceFile,
  call: Call,
  takers: ReadonlyArray<KeyTaker>,
  check: Check,
  emit: Emit<RuleId>
): void => {
  const name = qualifiedName(file, call)
  const taker = takers.find((candidate) => candidate.call.test(name) && isOf(candidate, file))
  if (taker === undefined) return
  for (const node of argumentsAt(file, call, taker.key)) check(file, call, node, taker, emit)
}

export const literalKeys = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    checkArguments(file, call, keyTakers, literalKey, emit)
    checkArguments(file, call, ivTakers, fixedIv, emit)
    checkArguments(file, call, saltTakers, fixedSalt, emit)
  }
  if (file.language === "csharp") fixedIvProperties(file, emit)
}

/** How a value is fixed, in words; null when it may differ from message to message. */
const fixedness = (file: SourceFile, node: number, minLength: number): string | null => {
  const at = resolved(file, node)
  const text = file.tree!.textOf(at).slice(0, 400).replace(/\s+/g, " ")
  const isFresh = at !== node && isFilledLater(file, file.tree!.textOf(node))
  if (zeros.test(text) && !isFresh) return /\{[^}]*[1-9]/.test(text) ? "a literal" : "all zeros"
  const literal = literalUnder(file, node)
  if (literal === NONE) return null
  return (literalValue(file, literal) ?? "").length < minLength ? null : "a literal"
}

/** Data of an application is encrypted with a key that is a secret itself, for which a label serves as the salt. */
const stretchesKey = /(?:^|[^a-z])(?:hkdf|label|master_?key|secret_?key|app_?key|decrypt|legacy)/i

const fixedSalt: Check = (file, call, node, _, emit) => {
  const how = fixedness(file, node, 1)
  if (how === null || isPrescribed(file, call.node)) return
  const symbol = file.symbolAt(file.tree!.start(call.node)) ?? ""
  const secret = call.args[0] === undefined ? "" : file.tree!.textOf(call.args[0])
  const isLabelled =
    stretchesKey.test(`${symbol} ${secret}`) || (/secret|env\b/i.test(secret) && !/pass|pwd/i.test(secret))
  emit(
    matchAt(file, call.node, {
      rule: "static_salt",
      noun: `\`${call.callee.slice(0, 60)}\``,
      ...(isLabelled ? { confidence: 0.55 } : {}),
      message: `\`${call.callee.slice(0, 60)}\` is called with a salt that is ${how}, the same for every password.`
    })
  )
}

/** `aes.IV = new byte[16]` */
const fixedIvProperties = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const { node, target, value } of assignmentsTo(file, "IV")) {
    if (!/^\w+\.IV$/.test(target) || value === NONE || isPrescribed(file, node)) continue
    const how = fixedness(file, value, 8)
    if (how === null || /decrypt/i.test(file.symbolAt(file.tree!.start(node)) ?? "")) continue
    const message = `\`${target}\` is set to ${how}, the same for every message.`
    emit(matchAt(file, node, { rule: "static_iv", message }))
  }
}

const literalKey = (file: SourceFile, call: Call, node: number, taker: KeyTaker, emit: Emit<RuleId>): void => {
  const literal = literalUnder(file, node)
  if (literal === NONE) return
  const value = literalValue(file, literal)!
  const around = `${file.symbolAt(file.tree!.start(call.node)) ?? ""} ${file.tree!.textOf(node)}`
  if (value.length < 4 || harmlessKey.test(value) || derivation.test(around)) return
  // The format of others prescribes such a key, and no one keeps it secret.
  if (taker.what === "an encryption key" && onlyDecrypts(file, ROOT)) return
  // A literal that is reported as a committed credential needs no second finding.
  const start = file.tree!.start(literal)
  const line = file.lineText(file.line(start))
  if (scanSecrets(line).length > 0) return
  emit({
    ...secretHit(file, call, literal),
    rule: "hardcoded_key",
    message: `\`${call.callee.slice(0, 60)}\` is called with ${taker.what} that is a literal of ${value.length} characters in the code.`
  })
}

const secretHit = (file: SourceFile, call: Call, literal: number): Omit<Match<RuleId>, "rule" | "message"> => {
  const tree = file.tree!
  const text = tree.textOf(literal)
  const open = /^[A-Za-z]{0,3}(?:"""|'''|["'`])/.exec(text)?.[0].length ?? 1
  return {
    start: tree.start(call.node),
    end: tree.end(call.node),
    redact: [[tree.start(literal) + open, Math.max(tree.start(literal) + open, tree.end(literal) - 1)]]
  }
}

/** What is deciphered has the vector that it was enciphered with, as its format says. */
const deciphersOnly = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const around = tree.enclosing(node, "method_declaration", "constructor_declaration")
  if (file.language !== "java" || around === NONE) return false
  return onlyDecrypts(file, around)
}

const fixedIv: Check = (file, call, node, _, emit) => {
  const tree = file.tree!
  if (/decrypt|decipher/i.test(`${call.callee} ${file.symbolAt(tree.start(call.node)) ?? ""}`)) return
  if (isPrescribed(file, call.node) || deciphersOnly(file, call.node)) return
  const how = fixedness(file, node, 8)
  if (how === null) return
  if (/kdf|wrap|cmac|ctr_?drbg|siv|unique_?key|header/i.test(file.symbolAt(tree.start(call.node)) ?? "")) return
  emit(
    matchAt(file, call.node, {
      rule: "static_iv",
      message: `\`${call.callee.slice(0, 60)}\` is called with an initialization vector that is ${how}, the same for every message.`
    })
  )
}

const computeFilled = (file: SourceFile): ReadonlySet<string> =>
  new Set(
    calls(file)
      .filter(({ callee }) => /read|fill|next_?bytes|copy|random/i.test(callee))
      .flatMap(({ args }) => args.map((node) => file.tree!.textOf(node).slice(0, 200).replace(/\[.*$/, "")))
  )

/** `iv := make([]byte, 16); io.ReadFull(rand.Reader, iv)`: allocated first, filled then. */
const isFilledLater = (file: SourceFile, name: string): boolean => file.memo(computeFilled, computeFilled).has(name)
