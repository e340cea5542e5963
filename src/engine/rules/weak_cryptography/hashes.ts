import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { callsWithin } from "../../languages/code/callsWithin.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { type Call, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { functionNameOf, isPrescribed, literalOf, matchAt, spaced, targetsOf } from "./context.ts"
import type { RuleId } from "./rules.ts"

export const mentionsHash = /md5|sha-?1|\bmd4\b|"SHA"/i

const weak = /^(?:rsa-)?(md5|md4|md2|sha-?1|sha)$/i
const shown = (algorithm: string): string =>
  /^sha/i.test(algorithm) ? "SHA-1" : algorithm.replace(/^rsa-/i, "").toUpperCase()

/** Calls whose name is the algorithm; group 1. */
const named: ReadonlyArray<RegExp> = [
  /^(?:hashlib|Crypto\.Hash|Cryptodome\.Hash)\.(md5|sha1|MD5|SHA1?|MD4|MD2)(?:\.new)?$/,
  /^cryptography\.hazmat\.primitives\.hashes\.(MD5|SHA1)$/,
  /^crypto\/(md5|sha1)\.(?:Sum|New)$/,
  /(?:^|\.)DigestUtils\.(md5|sha1|sha)(?:Hex|DigestAsHex|Digest)?$/,
  /(?:^|\.)Hashing\.(md5|sha1)$/,
  /^(md5|sha1)$/,
  /^(?:CryptoJS|crypto-js)\.(MD5|SHA1)$/,
  /^(?:crypto-js\/|blueimp-|js-)(md5|sha1)(?:\.\w+)?$/,
  /^(?:Digest|OpenSSL::Digest)::(MD5|SHA1)(?:\.|::)(?:hexdigest|digest|base64digest|new)$/,
  /^(?:System\.Security\.Cryptography\.)?(MD5|SHA1)\.(?:Create|HashData)$/,
  /^(?:System\.Security\.Cryptography\.)?(MD5|SHA1)(?:CryptoServiceProvider|Managed)$/,
  /^(md5)::compute$/,
  /^(?:[\w:]+[:.])?(Md5|Sha1)::(?:new|digest)$/
]
const byArgument =
  /^(?:crypto\.createHash|hashlib\.new|java\.security\.MessageDigest\.getInstance|MessageDigest\.getInstance|hash|openssl_digest|OpenSSL::Digest\.new|HashAlgorithm\.Create)$/

interface HashUse {
  readonly algorithm: string
  /** Arguments that are data, not the algorithm's name. */
  readonly data: ReadonlyArray<number>
}

const hashUse = (file: SourceFile, call: Call): HashUse | null => {
  const name = qualifiedName(file, call)
  if (byArgument.test(name)) {
    if (name === "hash" && file.language !== "php") return null
    const algorithm = literalOf(file, call.args[0])
    return algorithm !== null && weak.test(algorithm) ? { algorithm, data: call.args.slice(1) } : null
  }
  for (const pattern of named) {
    const match = pattern.exec(name)
    if (match === null) continue
    // A bare `md5(…)` is the language's own in PHP, and someone's helper elsewhere unless imported as such.
    if (/^(?:md5|sha1)$/.test(name) && file.language !== "php" && name === call.callee) return null
    return { algorithm: match[1]!, data: call.args }
  }
  return null
}

/** Calls of a function that are searched for data that is hashed later. */
const MAX_LATER = 400

/** Text of everything that is fed to the hash: arguments, the rest of the chain, and later calls on its variable. */
const dataOf = (file: SourceFile, call: Call, { data }: HashUse, targets: ReadonlyArray<string>): string => {
  const tree = file.tree!
  const parts = data.map((node) => tree.textOf(node))
  let chain = call.node
  while (
    tree.parent(chain) !== NONE &&
    tree.start(tree.parent(chain)) === tree.start(call.node) &&
    !/statement|declar|assign|block|body|binary|condition|ternary|operator|list|pair/.test(
      tree.kind(tree.parent(chain))
    )
  ) {
    chain = tree.parent(chain)
  }
  parts.push(file.text.slice(tree.end(call.node), tree.end(chain)))
  const holder = targets[0]
  const scope = enclosingFunction(file, call.node)
  if (holder !== undefined && scope !== null) {
    for (const other of callsWithin(file, scope.node).slice(0, MAX_LATER)) {
      const takesHolder = other.args.length > 1 && tree.textOf(other.args[0]!).replace(/^\$/, "") === holder
      if (other.receiver?.replace(/^\$/, "") === holder || takesHolder)
        parts.push(...other.args.map((node) => tree.textOf(node)))
    }
  }
  return parts
    .join(" ")
    .replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, " ")
    .slice(0, 600)
}

const password = / (?:passwords?|passwd|pwd|passphrase|passcode|userpass|pass|pw) /
const keyed = / (?:secret|(?:private|api|auth|signing|app|secret) key|appsecret|apikey|appkey|salt key) /
const token =
  / (?:(?:auth|access|reset|session|remember|csrf|xsrf|security|login|activation|verification|confirm|confirmation|invite|api) ?(?:token|code|key)|session id|sessionid|sid|nonce|token|otp|signature|sign) $/
/** Uses that the old functions are still fit for, or that a protocol prescribes. */
const innocent =
  / (?:etag|etags|cache|cached|caching|checksum|checksums|gravatar|avatar|fingerprint|thumbprint|dedupe|dedup|filename|path|file|files|uri|url|urls|slug|color|colour|bucket|shard|partition|git|blob|commit|content|contents|body|integrity|version|etc|asset|assets|module|modules|pwned|hibp|ha1|ha2|realm|cnonce|qop|websocket|accept|uuid|legacy|deprecated|compat|migrate|ntlm|mysql|postgres|postgre|scram|cram|apop|radius|sasl|kerberos|test|tests|lock|mutex|pool|memo|unique|state|revision|class|selector|css|template|query|sql|upgrade|migration|old) /
const protocol =
  /\b(?:realm|cnonce|qop|ntlm|mysql_native|scram|cram[-_]md5|apop|pwnedpasswords|haveibeenpwned|258EAFA5|Sec-WebSocket|digest[-_ ]?auth|HA1|gravatar|nonce|challenge)\b/i

/** The old hash is verified once more and replaced by a proper one. */
const replaced =
  /\b(?:password_hash|password_needs_rehash|bcrypt|argon2\w*|scrypt|generate_password_hash|make_password|hashpw)\s*[.(]/

export const weakHashes = (file: SourceFile, emit: Emit<RuleId>): void => {
  const reported = new Set<number>()
  for (const call of calls(file)) {
    const use = hashUse(file, call)
    if (use === null || isDeclaredHarmless(file, call) || isPrescribed(file, call.node)) continue
    const scope = enclosingFunction(file, call.node)?.node ?? call.node
    // Salted and repeated hashing calls the function several times for one password.
    if (reported.has(scope)) continue
    const match = classified(file, call, use) ?? unexplained(file, call, use)
    if (match === null) continue
    reported.add(scope)
    emit(match)
  }
}

const isDeclaredHarmless = (file: SourceFile, call: Call): boolean => {
  const flag = call.named.get("usedforsecurity")
  return flag !== undefined && file.tree!.textOf(flag) === "False"
}

/** Times, counters and general-purpose random numbers; not the system's generator. */
const isGuessable = (data: string): boolean =>
  /(?<![A-Za-z])(?:micro_?time|time(?:\.time|\.Now)?|Date\.now|nanoTime|currentTimeMillis)\s*\(|\bnew Date\b/.test(
    data
  ) && !/rand|uniqid|secrets\.|crypto/i.test(data)

/** What is known of a call that hashes. */
interface HashCall {
  readonly call: Call
  /** Names that its value is assigned to, from the nearest outwards. */
  readonly targets: ReadonlyArray<string>
  /** The words of these names and, last, of its function's. */
  readonly names: ReadonlyArray<string>
  /** Text of what is hashed. */
  readonly data: string
}

/** A name or the code around the call shows a use that is not about security, or that a protocol prescribes. */
const isInnocent = (file: SourceFile, { call, names }: HashCall): boolean => {
  const tree = file.tree!
  const symbol = file.symbolAt(tree.start(call.node)) ?? ""
  if (names.some((words) => innocent.test(words)) || /md5|sha_?1|pwned|hibp/i.test(symbol)) return true
  // A digest that only shows whether a session still belongs to the same sign-in.
  const around = tree.textOf(tree.parent(call.node)).slice(0, 300)
  if (/\$_SESSION\b|\bsession(?:\[|\.|->|\?\.)/i.test(around)) return true
  const scope = enclosingFunction(file, call.node)
  const code = scope === null ? "" : tree.textOf(scope.node).slice(0, 4000)
  return replaced.test(code) || protocol.test(code)
}

const hashesPassword = ({ names, data }: HashCall): boolean => {
  const words = spaced(data)
  if (password.test(words) && !innocent.test(words)) return true
  return (
    names.some((name) => password.test(name) && !/ (?:reset|forgot|file|field) /.test(name)) &&
    / (?:hash|hashed|encrypt|encrypted|encode|crypt|check|verify|compare|make|digest) /.test(names.join(""))
  )
}

/** A signature over a secret and a message. */
const signsWithKey = ({ names, data }: HashCall): boolean =>
  names.some((words) => / (?:sign|signature|signed|mac|token) /.test(words)) && keyed.test(spaced(data))

/** The first name of a token that is derived from guessable values. */
const guessableToken = ({ targets, data }: HashCall): string | undefined =>
  isGuessable(data) ? targets.find((target) => token.test(spaced(target))) : undefined

const classified = (file: SourceFile, call: Call, use: HashUse): Match<RuleId> | null => {
  const targets = targetsOf(file, call.node)
  const name = functionNameOf(file, call.node)
  const names = [...targets.map(spaced), spaced(name)]
  const hash: HashCall = { call, targets, names, data: dataOf(file, call, use, targets) }
  if (isInnocent(file, hash)) return null
  const algorithm = shown(use.algorithm)
  const holder = name === "" ? "This code" : `\`${name}\``
  if (hashesPassword(hash)) {
    const message = `${holder} hashes a password with ${algorithm}, which allows billions of guesses per second.`
    return matchAt(file, call.node, { rule: "weak_hash", message })
  }
  if (signsWithKey(hash)) {
    const message = `${holder} signs with ${algorithm} over a secret and the message; such a signature can be extended or forged.`
    return matchAt(file, call.node, { rule: "weak_hash_token", message })
  }
  const target = guessableToken(hash)
  if (target === undefined) return null
  const message = `\`${target}\` is derived with ${algorithm} from guessable values.`
  return matchAt(file, call.node, { rule: "weak_hash_token", message })
}

/** Words around a hash that make it likely to protect something. */
const guarded =
  /passw|passphrase|secret|credential|\btoken|authenti|authori[sz]|\blogin|\bcookie|signature|getParameter|\brequest\.|\$_(?:GET|POST|REQUEST|COOKIE)|\bparams\[/i
const identifying = / (?:key|id|uid|token|code|sign|secret|ticket|nonce) /
/** Only shown to those who ask for the rule: nothing speaks for a use that matters. */
const UNLIKELY = 0.45
const knownUse =
  /pwned|hibp|etag|checksum|cache|gravatar|fingerprint|integrity|dedup|content|chunk|asset|version|manifest/i

const serialised = /^(?:\\?serialize|json_encode|var_export|http_build_query|json\.dumps|JSON\.stringify|repr)\(/
const shortened = /^(?:\.(?:hex)?digest\([^()]*\))*(?:\[\d*:\d+\]|\.(?:slice|substr|substring)\(\d+,\s*\d{1,2}\))/
const filed =
  /\.(?:css|js|png|jpe?g|gif|svg|json|tmp|te?xt|html?|xml|lock|log|pdf|zip|dat|cache)["'`]|file_?name|path|etag|cache|checksum/i

/** A digest that only distinguishes things: of a structure, truncated, or in the name of a file. */
const isKey = (file: SourceFile, call: Call): boolean => {
  const tree = file.tree!
  const data = tree.textOf(call.args[0] ?? NONE).slice(0, 200)
  if (serialised.test(data) && !guarded.test(data)) return true
  const after = file.text.slice(tree.end(call.node), tree.end(call.node) + 80)
  if (shortened.test(after)) return true
  return filed.test(file.lineText(file.line(tree.start(call.node))).slice(0, 400))
}

/** A weak hash of which nothing here shows that it is fit for its purpose. */
const unexplained = (file: SourceFile, call: Call, use: HashUse): Match<RuleId> | null => {
  const tree = file.tree!
  const targets = targetsOf(file, call.node)
  const name = functionNameOf(file, call.node)
  const names = [...targets.map(spaced), spaced(name)]
  const symbol = file.symbolAt(tree.start(call.node)) ?? ""
  const scope = enclosingFunction(file, call.node)
  const code = scope === null ? tree.textOf(tree.parent(call.node)) : tree.textOf(scope.node)
  if (names.some((words) => innocent.test(words)) || knownUse.test(symbol) || knownUse.test(file.path)) return null
  if (replaced.test(code.slice(0, 4000)) || protocol.test(code.slice(0, 4000))) return null
  if (/uniqid|rand/i.test(dataOf(file, call, use, targets))) return null
  if (/\$_SESSION\b|\bsession(?:\[|\.|->|\?\.)/i.test(tree.textOf(tree.parent(call.node)).slice(0, 300))) return null
  if (/etag|cache|checksum|If-None-Match|Content-MD5|boundary/i.test(code.slice(0, 1500))) return null
  if (isKey(file, call)) return null
  const algorithm = shown(use.algorithm)
  const isLikely =
    !/md5|sha_?1/i.test(symbol) && (names.some((words) => identifying.test(words)) || guarded.test(code.slice(0, 4000)))
  return matchAt(file, call.node, {
    rule: "weak_hash_use",
    noun: `\`${call.callee.slice(0, 60)}\``,
    ...(isLikely ? {} : { confidence: UNLIKELY }),
    message: `${name === "" ? "This code" : `\`${name}\``} hashes with ${algorithm}, for which collisions can be made, and nothing shows that this is harmless here.`
  })
}
