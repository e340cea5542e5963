import { escape as escapeRegExp } from "effect/RegExp"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { assignments, type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isPrescribed, literalOf, matchAt, numberOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsStrength =
  /rsa|\bdsa\b|KeyPair|DiffieHellman|\bdh\b|sec[pt]1\d\d|prime192|P-192|modulusLength|private_key_bits|pbkdf2|PBEKeySpec|bcrypt|password_hash|Rfc2898|initialize\(/i

const MIN_RSA_BITS = 2048
/** Far below any advice of the last fifteen years; today's is 600,000. */
const MIN_ITERATIONS = 10_000
/** Less than this is below the advice of today by so much that it is worth a suggestion. */
const ADVISED_ITERATIONS = 100_000
const MIN_BCRYPT_COST = 8

type ArgumentPosition = number | string
interface Sized {
  readonly call: RegExp
  readonly at: ReadonlyArray<ArgumentPosition>
}

const rsaKeys: ReadonlyArray<Sized> = [
  { call: /^crypto\.generateKeyPair(?:Sync)?$/, at: ["option:modulusLength"] },
  { call: /^cryptography\.hazmat\.primitives\.asymmetric\.(?:rsa|dsa)\.generate_private_key$/, at: [1, "key_size"] },
  { call: /^Crypto(?:dome)?\.PublicKey\.(?:RSA|DSA)\.generate$/, at: [0, "bits"] },
  { call: /^crypto\/rsa\.GenerateKey$/, at: [1] },
  { call: /^(?:RSACryptoServiceProvider|RSA\.Create)$/, at: [0] },
  { call: /^OpenSSL::PKey::(?:RSA|DSA)\.(?:new|generate)$/, at: [0] },
  { call: /^openssl_pkey_new$/, at: ["option:private_key_bits"] },
  { call: /^(?:rsa::)?RsaPrivateKey::new$/, at: [1] },
  { call: /^(?:openssl::rsa::)?Rsa::generate$/, at: [0] },
  { call: /^crypto\.createDiffieHellman$/, at: [0] },
  { call: /^cryptography\.hazmat\.primitives\.asymmetric\.dh\.generate_parameters$/, at: [1, "key_size"] }
]

const derivations: ReadonlyArray<Sized> = [
  { call: /^crypto\.pbkdf2(?:Sync)?$/, at: [2] },
  { call: /^hashlib\.pbkdf2_hmac$/, at: [3, "iterations"] },
  { call: /^cryptography\.hazmat\.primitives\.kdf\.pbkdf2\.PBKDF2HMAC$/, at: ["iterations"] },
  { call: /^(?:golang\.org\/x\/crypto|crypto)\/pbkdf2\.Key$/, at: [2] },
  { call: /^(?:javax\.crypto\.spec\.)?PBEKeySpec$/, at: [2] },
  { call: /^hash_pbkdf2$/, at: [3] },
  { call: /^Rfc2898DeriveBytes$/, at: [2] }
]

const costs: ReadonlyArray<Sized> = [
  { call: /^(?:bcrypt|bcryptjs)\.(?:hash|hashSync)$/, at: [1] },
  { call: /^(?:bcrypt|bcryptjs)\.(?:genSalt|genSaltSync)$/, at: [0] },
  { call: /^bcrypt\.gensalt$/, at: [0, "rounds"] },
  { call: /^golang\.org\/x\/crypto\/bcrypt\.GenerateFromPassword$/, at: [1] },
  { call: /^(?:[\w.]+\.)?BCryptPasswordEncoder$/, at: [0] },
  { call: /^(?:org\.mindrot\.jbcrypt\.)?BCrypt\.gensalt$/, at: [0] },
  { call: /^BCrypt::Password\.create$/, at: ["cost"] },
  { call: /^password_hash$/, at: ["option:cost"] }
]

const weakCurve = /^(?:sec[pt]1(?:12|13|28|31|60|63|92)\w*|prime192v\d|P-192|brainpoolP1\w+|modp[125])$/i
const curveTakers =
  /^(?:crypto\.(?:createECDH|getDiffieHellman|createDiffieHellmanGroup)|(?:java\.security\.spec\.)?ECGenParameterSpec)$/
const namedCurve = /^cryptography\.hazmat\.primitives\.asymmetric\.ec\.(SEC[PT]1(?:63|92)\w+)$/

/** `for curve in (SECP192R1(), SECP256R1())`: curves that are looked through say nothing of the one that is chosen. */
const isOneOfSeveral = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const list = tree.parent(node)
  return tree.is(list, "tuple", "list", "set", "comparison_operator") && tree.namedChildren(list).length > 1
}

/** An elliptic curve or a group that is too small. */
const weakCurveOf = (file: SourceFile, call: Call, name: string): string | null => {
  const known = namedCurve.exec(name)?.[1]
  if (known !== undefined) return isOneOfSeveral(file, call.node) ? null : known
  const node = curveTakers.test(name)
    ? (call.args[0] ?? NONE)
    : /^crypto\.generateKeyPair(?:Sync)?$/.test(name)
      ? argumentAt(file, call, "option:namedCurve")
      : NONE
  const written = literalOf(file, node)
  return written !== null && weakCurve.test(written) ? written : null
}

/** `rsa.generate_private_key(65537, 512)` whose key is thrown away asks whether the library still makes such keys. */
const isTrial = (file: SourceFile, { method, node }: Call): boolean =>
  method === "generate_private_key" && file.tree!.is(file.tree!.parent(node), "expression_statement")

/** The rule that a call violates, and why; null for a strong one. */
const weaknessOf = (file: SourceFile, call: Call): readonly [rule: RuleId, does: string] | null => {
  const name = qualifiedName(file, call)
  const bits = isTrial(file, call) ? null : (sizeIn(file, call, name, rsaKeys) ?? javaKeySize(file, call))
  if (bits !== null && bits >= 256 && bits < MIN_RSA_BITS)
    return ["small_key", `makes a key of ${bits} bits; ${MIN_RSA_BITS} are the least that is accepted today`]
  const curve = weakCurveOf(file, call, name)
  if (curve !== null && !isPrescribed(file, call.node))
    return ["small_key", `uses \`${curve}\`, which gives less than 112 bits of security`]
  const cost = sizeIn(file, call, name, costs)
  if (cost !== null && cost > 0 && cost < MIN_BCRYPT_COST)
    return ["cheap_key_derivation", `hashes with a bcrypt cost of ${cost}`]
  const iterations = sizeIn(file, call, name, derivations)
  if (iterations === null || iterations <= 0 || iterations >= ADVISED_ITERATIONS || isOfHighEntropy(file, call))
    return null
  const rule = iterations < MIN_ITERATIONS ? "cheap_key_derivation" : "modest_key_derivation"
  return [rule, `derives a key in ${iterations} rounds`]
}

export const weakStrength = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const found = weaknessOf(file, call)
    if (found === null) continue
    const [rule, does] = found
    emit(matchAt(file, call.node, { rule, message: `\`${call.callee.slice(0, 60)}\` ${does}.` }))
  }
}

const sizeIn = (file: SourceFile, call: Call, name: string, table: ReadonlyArray<Sized>): number | null => {
  const entry = table.find((candidate) => candidate.call.test(name))
  if (entry === undefined) return null
  for (const position of entry.at) {
    const node = argumentAt(file, call, position)
    const value = numberOf(file, node)
    if (value !== null) return value
  }
  return null
}

const argumentAt = (file: SourceFile, call: Call, position: ArgumentPosition): number => {
  if (typeof position === "number") return call.args[position] ?? NONE
  const option = /^option:(.+)$/.exec(position)?.[1]
  if (option === undefined) return call.named.get(position) ?? NONE
  const entries = assignments(file).filter(({ name, node }) => name === option && file.tree!.contains(call.node, node))
  return entries[0]?.value ?? NONE
}

/** `KeyPairGenerator g = KeyPairGenerator.getInstance("RSA"); g.initialize(1024)` */
const javaKeySize = (file: SourceFile, call: Call): number | null => {
  if (file.language !== "java" || call.method !== "initialize" || call.receiver === null) return null
  const scope = enclosingFunction(file, call.node)
  if (scope === null) return null
  const text = file.tree!.textOf(scope.node)
  const escaped = escapeRegExp(call.receiver)
  const generator = new RegExp(
    `${escaped}\\s*=\\s*KeyPairGenerator\\s*\\.\\s*getInstance\\(\\s*"(?:RSA|DSA|DH|DiffieHellman)"`
  )
  return generator.test(text) ? numberOf(file, call.args[0]) : null
}

/** Keys and stored hashes of a protocol are stretched by its own count; SCRAM, WPA and old files prescribe it. */
const isOfHighEntropy = (file: SourceFile, call: Call): boolean =>
  /scram|scrypt|argon|hkdf|wpa|pmk|mnemonic|seed|bip39|pkcs|keystore|legacy|mozilla|chrome|decrypt/i.test(
    `${file.symbolAt(file.tree!.start(call.node)) ?? ""} ${file.path} ${file.tree!.textOf(call.args[1] ?? NONE).slice(0, 80)}`
  )
