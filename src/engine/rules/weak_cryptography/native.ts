import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { constantOf, type NativeFunction, nativeFunctions } from "../../languages/native/functions.ts"
import type { Call } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { announces, matchAt, spaced } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsNative =
  /\b(?:EVP_|MD[45]|SHA1|GCRY_|DES_|RC[24]|RSA_|DSA_|DH_|CURLOPT_SSL|SSLv|TLSv1|TLS1_|SSL3_|rand|random|memset|bzero)/

type Report = (rule: RuleId, node: number, message: string, noun: string, confidence?: number) => void

/** Ciphers that are broken or too short, by the function or constant that chooses them. */
const brokenCipher =
  /^(?:EVP_(?:des|rc4|rc2|idea|seed)\w*|DES_(?:ecb|ncbc|cbc)_encrypt|RC4(?:_set_key)?|RC2_\w*encrypt|mbedtls_(?:des_crypt|arc4)\w*)$/
const brokenConstant = /^GCRY_CIPHER_(?:DES|ARCFOUR|RFC2268_\w+)$/
const weakHash = /^(?:MD[45]|SHA1|EVP_(?:md[45]|sha1|md5_sha1)|gcry_md_hash_buffer|mbedtls_(?:md5|sha1)(?:_ret)?)$/
const weakHashConstant = /^GCRY_MD_(?:MD[245]|SHA1)$/
const passwordWord = / (?:password|passwd|passphrase|pwd|passwords) /

const argumentText = (tree: FlatTree, node: number | undefined): string =>
  node === undefined ? "" : tree.textOf(node).slice(0, 80)

const inspectCipher = (tree: FlatTree, { method, node, args }: Call, report: Report): void => {
  const constant = method === "gcry_cipher_open" ? argumentText(tree, args[1]) : ""
  const chosen: string = brokenConstant.test(constant) ? constant : method
  if (chosen === method && !brokenCipher.test(method)) return
  // `EVP_des_cbc()` names the cipher; functions of the library take arguments.
  if (method.startsWith("EVP_") && args.length > 0) return
  // Old protocols and file formats prescribe their cipher; a reader has to decide.
  report("weak_cipher", node, `\`${chosen}\` is a cipher that can be broken.`, chosen, USE)
}

const hashName = (tree: FlatTree, { method, args }: Call): string | null => {
  if (method === "gcry_md_hash_buffer" || method === "gcry_md_open") {
    const constant = argumentText(tree, args[method === "gcry_md_open" ? 1 : 0])
    return weakHashConstant.test(constant) ? constant : null
  }
  return weakHash.test(method) ? method : null
}

/** Hashing of a password: the function is named so, or its input is. */
const isOfPassword = (tree: FlatTree, { info }: NativeFunction, { method, args }: Call): boolean => {
  const name = info.name ?? ""
  const isHasher = /hash|crypt|digest|check|verify|store/i.test(name) && passwordWord.test(spaced(name))
  const input = /^(?:MD[45]|SHA1)$/.test(method) ? argumentText(tree, args[0]) : ""
  return isHasher || passwordWord.test(spaced(input))
}

const inspectHash = (tree: FlatTree, fn: NativeFunction, call: Call, report: Report): void => {
  const name = hashName(tree, call)
  if (name === null || !isOfPassword(tree, fn, call)) return
  report("weak_hash", call.node, `\`${name}\` hashes a password, which is found again in seconds.`, name, PASSWORD)
}

/** Position of the number of bits. */
const keySizes: Readonly<Record<string, number>> = {
  RSA_generate_key_ex: 1,
  RSA_generate_key: 0,
  DSA_generate_parameters_ex: 1,
  DH_generate_parameters_ex: 1,
  EVP_PKEY_CTX_set_rsa_keygen_bits: 1,
  EVP_PKEY_CTX_set_dsa_paramgen_bits: 1,
  EVP_PKEY_CTX_set_dh_paramgen_prime_len: 1
}
const MIN_BITS = 2048

const inspectSize = (file: SourceFile, { method, node, args }: Call, report: Report): void => {
  const at = Object.hasOwn(keySizes, method) ? args[keySizes[method]!] : undefined
  const bits = at === undefined ? null : constantOf(file, at)
  if (bits === null || bits >= MIN_BITS || bits < 256) return
  report("small_key", node, `\`${method}\` makes a key of ${bits} bits; ${MIN_BITS} are the least.`, method)
}

const oldMethods = /^(?:SSLv[23]|TLSv1(?:_1)?)_(?:(?:client|server)_)?method$/
const oldVersions = /^(?:SSL3_VERSION|TLS1_VERSION|TLS1_1_VERSION)$/

const inspectProtocol = (tree: FlatTree, { method, node, args }: Call, report: Report): void => {
  const version = /^SSL(?:_CTX)?_set_min_proto_version$/.test(method) ? argumentText(tree, args[1]) : ""
  const name = oldMethods.test(method) ? method : oldVersions.test(version) ? version : null
  if (name === null || isDecided(tree, node)) return
  report("outdated_tls", node, `\`${name}\` accepts a version of TLS that is broken.`, name)
}

/** Something decides whether this runs: a setting of the user's, or what a peer can do. */
const isDecided = (tree: FlatTree, node: number): boolean =>
  tree.enclosing(node, "if_statement", "conditional_expression", "switch_statement", "case_statement") !== NONE

const inspectVerification = (
  tree: FlatTree,
  { info }: NativeFunction,
  { method, node, args }: Call,
  report: Report
): void => {
  const option = method === "curl_easy_setopt" ? argumentText(tree, args[1]) : ""
  if (!/^CURLOPT_SSL_VERIFY(?:PEER|HOST)$/.test(option) || args[2] === undefined || isDecided(tree, node)) return
  if (!/^(?:0[lL]?|false|FALSE)$/.test(argumentText(tree, args[2]))) return
  // The setter of an option of that name: who sets it knows what is switched off.
  if (announces(info.name ?? "")) return
  report("tls_verification_disabled", node, `\`${option}\` is 0: any server is accepted.`, option)
}

const secretTarget =
  / (?:token|password|passwd|nonce|salt|secret|session id|session key|cookie|csrf|otp|private key|api key|challenge) $/
const draws = /^(?:rand|random|lrand48|mrand48|drand48|rand_r)$/

const inspectRandom = (tree: FlatTree, call: Call, report: Report, seen: Set<string>): void => {
  if (!draws.test(call.method) || call.receiver !== null) return
  const assignment = tree.enclosing(call.node, "assignment_expression", "init_declarator")
  const target = tree.child(assignment, tree.is(assignment, "init_declarator") ? "declarator" : "left")
  const name =
    /^[*&\s]*(?:\w+(?:->|\.))*(\w+)/.exec(argumentText(tree, target === NONE ? undefined : target))?.[1] ?? ""
  if (name === "" || seen.has(name) || !secretTarget.test(spaced(name))) return
  seen.add(name)
  const message = `\`${name}\` is made with \`${call.method}\`, whose outputs are predictable.`
  report("predictable_random", call.node, message, name, USE)
}

const secretVariable =
  / (?:password|passwd|passphrase|pass|secret|secrets|private key|session key|master key|derived key|aes key|enc key|priv|seed) $/

/** The last statement that names a local: what it writes is never read, and compilers leave it out. */
const inspectClearing = (tree: FlatTree, fn: NativeFunction, { method, node, args }: Call, report: Report): void => {
  const isClearing =
    method === "bzero" || (method === "memset" && /^(?:0|'\\0'|0x0+)$/.test(argumentText(tree, args[1])))
  const target = args[0]
  if (!isClearing || target === undefined || !tree.is(target, "identifier")) return
  const name = tree.textOf(target)
  const local = fn.declared.get(name)?.[0]
  if (local === undefined || local.isParameter || local.isStatic || !local.isArray) return
  if (!secretVariable.test(spaced(name)) || isInLoop(tree, fn, node) || isNamedAfter(tree, fn, name, tree.end(node)))
    return
  const message = `\`${name}\` is not read after this \`${method}\`, so an optimising compiler leaves the call out.`
  report("clearing_left_out", node, message, name)
}

const isInLoop = (tree: FlatTree, fn: NativeFunction, node: number): boolean => {
  const loop = tree.enclosing(node, "for_statement", "while_statement", "do_statement", "for_range_loop")
  return loop !== NONE && loop > fn.node
}

/** A jump back to before the call would read it again; such functions are left alone with it. */
const isNamedAfter = (tree: FlatTree, fn: NativeFunction, name: string, end: number): boolean => {
  const rest = tree.text.slice(end, tree.end(fn.body))
  return new RegExp(`\\b${name}\\b|\\bgoto\\b`).test(rest)
}

const USE = 0.6
const PASSWORD = 0.75

/** OpenSSL, libgcrypt, libcurl and the C library, as programs in C and C++ use them. */
export const nativeCryptography = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const seen = new Set<string>()
  const report: Report = (rule, node, message, noun, confidence) =>
    emit(
      matchAt(file, node, {
        rule,
        message,
        noun,
        identifiers: [noun],
        ...(confidence === undefined ? {} : { confidence })
      })
    )
  for (const fn of nativeFunctions(file)) {
    for (const call of fn.calls) {
      inspectCipher(tree, call, report)
      inspectHash(tree, fn, call, report)
      inspectSize(file, call, report)
      inspectProtocol(tree, call, report)
      inspectVerification(tree, fn, call, report)
      inspectRandom(tree, call, report, seen)
      inspectClearing(tree, fn, call, report)
    }
  }
}
