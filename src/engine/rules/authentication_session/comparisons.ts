import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Binary, binaries, binaryAt } from "../../languages/code/binaries.ts"
import { lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { wordsOf } from "../../secrets/shape.ts"
import type { RuleId } from "./rules.ts"
import { occursAround, purpose } from "./surroundings.ts"

export const mentionsSecrets = /hmac|signature|digest|api_?key|token|secret|passw|pwd|\bpass\b/i

interface Comparison {
  readonly node: number
  readonly left: number
  readonly right: number
}

const equality = /^(?:===?|!==?)$/
const equalMethods = /^(?:equals|Equal|equal\?|eql\?|contentEquals|compareTo|equalsIgnoreCase)$/

const comparisons = (file: SourceFile): ReadonlyArray<Comparison> => {
  const found: Array<Comparison> = []
  for (const { node, left, right, operator } of binaries(file))
    if (equality.test(operator)) found.push({ node, left, right })
  for (const call of calls(file)) {
    if (!equalMethods.test(call.method)) continue
    const isStatic = /^(?:Arrays|Objects|bytes|reflect|java\.util\.Arrays)$/.test(call.receiver ?? "")
    if (isStatic && call.args.length === 2) found.push({ node: call.node, left: call.args[0]!, right: call.args[1]! })
    else if (
      call.args.length === 1 &&
      call.receiverNode !== NONE &&
      file.language !== "python" &&
      file.language !== "go"
    )
      found.push({ node: call.node, left: call.receiverNode, right: call.args[0]! })
  }
  if (file.language === "python") return found.filter(({ node }) => !file.tree!.is(node, "call"))
  return found
}

const macText =
  /\bcreateHmac\(|\bhmac\.new\(|\bhmac\.digest\(|\bhash_hmac\(|OpenSSL::HMAC\.(?:hex)?digest|\bhmac\.New\(|\bHmacUtils\b|\bHmacSHA\d+\(|\.doFinal\(|\bmac\.Sum\(|\bHashHMAC\b/
const isMac = (file: SourceFile, node: number, depth = 0): boolean => {
  const tree = file.tree!
  const at = unwrap(file, node)
  const text = tree.textOf(at).slice(0, 400)
  if (macText.test(text)) return !/\.doFinal\(/.test(text) || /\bMac\.getInstance\(/.test(file.text)
  if (depth > 2) return false
  const root = /^\$?[A-Za-z_][\w$]*/.exec(text)?.[0]
  if (
    root === undefined ||
    !/^\$?[\w$]+(?:(?:\.|->|\?\.)(?:toString|digest|hexdigest|toLowerCase|upper|lower|substr|encode|decode|toUpperCase)\([^()]{0,40}\))*$/.test(
      text
    )
  )
    return false
  const value = lastAssigned(file, root, node)
  return value !== NONE && isMac(file, value, depth + 1)
}

/** Lengths, kinds and absent values are compared, not secrets. */
const isPlainValue = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const at = unwrap(file, node)
  if (literalValue(file, at) !== null) return true
  return /^(?:null|undefined|None|nil|true|false|True|False|NULL|\d+|typeof\b.*|.*\.(?:length|size|Length|Count)(?:\(\))?|len\(.*|strlen\(.*)$/s.test(
    tree.textOf(at).slice(0, 120)
  )
}

const fromRequest =
  /\b(?:req|request)(?:\.headers|\.header\(|\.get\(|\.query|\.params|\.META|\.args|\.getHeader\(|\.getParameter\(|\.body)|\$_(?:GET|POST|SERVER|REQUEST)\b|\bparams\[|\br\.(?:Header|URL)|\bheaders\[|\bc\.GetHeader\(/
const configured =
  /\b(?:process\.env|os\.environ|os\.getenv|os\.Getenv|ENV\[|getenv|System\.getenv|settings\.[A-Z]|config[.([]|Rails\.application)/
const secretName = /(?:^| )(?:signature|hmac|secret|api key|apikey|access key|token|webhook secret|key)$/

const lastWords = (text: string): string =>
  wordsOf(/([\w$-]+)\W*$/.exec(text.slice(-80))?.[1] ?? "")
    .slice(-2)
    .join(" ")

const resolvedText = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const at = unwrap(file, node)
  const own = tree.textOf(at).slice(0, 200)
  if (!/^\$?\w+$/.test(own)) return own
  const value = lastAssigned(file, own, at)
  return value === NONE ? own : tree.textOf(value).slice(0, 200)
}

const constantTime =
  /timingSafeEqual|compare_digest|hash_equals|secure_compare|constant_time|ConstantTimeCompare|MessageDigest\.isEqual|safeCompare|fixed_length_secure/i

const secretCompare = (file: SourceFile, { node, left, right }: Comparison, emit: Emit<RuleId>): boolean => {
  const tree = file.tree!
  if (isPlainValue(file, left) || isPlainValue(file, right)) return false
  if (occursAround(file, node, constantTime)) return false
  const mac = [left, right].find((side) => isMac(file, side))
  if (mac !== undefined) {
    if (/cache|etag|checksum|fingerprint|dedup|unchanged|test/i.test(purpose(file, node))) return false
    emit({
      rule: "timing_unsafe_compare",
      ...span(tree, node),
      message: `${excerpt(tree, node)} compares an HMAC byte by byte and stops at the first difference.`
    })
    return true
  }
  const sides = [resolvedText(file, left), resolvedText(file, right)]
  const names = [left, right].map((side) => lastWords(tree.textOf(side).slice(0, 300)))
  const isShared =
    (fromRequest.test(sides[0]!) && configured.test(sides[1]!)) ||
    (fromRequest.test(sides[1]!) && configured.test(sides[0]!))
  if (
    !isShared ||
    !names.some((name) => secretName.test(name)) ||
    /publish|public|csrf|captcha|page|site_?key/i.test(sides.join(" "))
  )
    return false
  emit({
    rule: "timing_unsafe_secret",
    ...span(tree, node),
    message: `${excerpt(tree, node)} compares a secret of the request with the configured one, and stops at the first difference.`
  })
  return true
}

const passwordEnd = /(?:^|[.>[\s'":])(?:get)?(?:password|passwd|pwd)["']?\]?(?:\(\))?$/i
const accountOf =
  /^\$?(?:this\.|self\.|@)?(?:\w*(?:user|usr|account|member|admin|customer|employee|login|profile|teacher|student|client|person)\w*|row|record|result|doc|found|existing|data|rows\[0\]|results?\[0\])(?:\[0\])?(?:\.|->|\?\.|\[)\W{0,2}(?:get)?(?:password|passwd|pwd)/i
const inputOf =
  /^(?:\$?(?:password|passwd|pwd|pass|plain_?password|input_?password|raw_?password)|.*(?:\b(?:req|request|ctx|c|body|params|args|form|credentials|dto|payload|input|login\w*)|\$_POST|\$_REQUEST)\b.*(?:password|passwd|pwd|pass)["']?\]?(?:\(\))?\)?)$/i
const hashes =
  /hash|bcrypt|crypt\b|argon|scrypt|pbkdf|\bmd5|sha\d|digest|encod|verify_?password|check_?password|derive|confirm|repeat|retype|again|encrypt|\bsalt/i
const wordsOfDoubt =
  /confirm|repeat|again|retype|new|old_|previous|current_?pass|strength|compare_?with|equal_?to|must_?match|match_?validator|changed|dirty|has_?chang|default|placeholder|env\b|process\.|config|settings/i

/** `equals` and the like compare two objects of one class, whatever their fields hold. */
const isEquality = (file: SourceFile, node: number): boolean =>
  /(?:^|\.)(?:equals|Equals|compareTo|CompareTo|__eq__|__ne__|==|eql\?)$/.test(
    enclosingFunction(file, node)?.name ?? ""
  )

const storedPassword = (file: SourceFile, { node, left, right }: Comparison, emit: Emit<RuleId>): boolean => {
  const tree = file.tree!
  const texts = [left, right].map((side) => tree.textOf(unwrap(file, side)).slice(0, 160))
  if (
    !texts.every(
      (text) => passwordEnd.test(text) || /^\$?pass$/i.test(text) || /(?:password|passwd|pwd)["']?\]?\)$/i.test(text)
    )
  )
    return false
  const stored = texts.findIndex((text) => accountOf.test(text))
  if (stored < 0) return false
  const entered = texts[1 - stored]!
  if (accountOf.test(entered) && !/\b(?:req|request|body|dto|login)/i.test(entered)) return false
  if (!inputOf.test(entered) || texts.some((text) => wordsOfDoubt.test(text)) || wordsOfDoubt.test(purpose(file, node)))
    return false
  if (occursAround(file, node, hashes) || isEquality(file, node)) return false
  emit({
    rule: "plain_password_compare",
    ...span(tree, node),
    message: `${excerpt(tree, node)} compares the stored password with the entered one, so it is stored in plaintext.`
  })
  return true
}

const passwordName = /^(?:password|passwd|pwd|pass|passphrase|pw)$/
/** `typeof password !== "string"`: about what kind of value it is. */
const asksForType = /\b(?:typeof|gettype|get_debug_type|instanceof)\b/
/** Literals that mean no password, or one that is stored elsewhere. */
const noPassword = /^(?:none|null|nil|undefined|empty|unset|auto|unknown|default|disabled|string|required|\*+|x+)$/i
const userName = /(?:^| )(?:user|username|login|email|name|account|userid|user id)$/

/** The equality that is one side of a junction, or the last operand of that side: `a && b == c`. */
const equalitiesAt = (file: SourceFile, side: number): ReadonlyArray<Binary> => {
  const tree = file.tree!
  const one = binaryAt(tree, unwrap(file, side))
  if (one === null) return []
  const last = binaryAt(tree, unwrap(file, one.right))
  return [one, last].filter((binary) => binary !== null).filter(({ operator }) => equality.test(operator))
}

/** Comparisons joined with one by `&&` or `||`, a few steps around it. */
const besides = (file: SourceFile, node: number): ReadonlyArray<Binary> => {
  const tree = file.tree!
  const found: Array<Binary> = []
  for (let up = tree.parent(node), depth = 0; depth < 4 && up !== NONE; up = tree.parent(up), depth++) {
    const joint = binaryAt(tree, up)
    if (joint === null) continue
    found.push(...equalitiesAt(file, joint.left), ...equalitiesAt(file, joint.right))
  }
  return found.filter((comparison) => comparison.node !== node)
}

/** The sides of a comparison: what is named, then the literal it is compared with, if one side is a literal. */
const nameAndLiteral = (file: SourceFile, left: number, right: number): readonly [name: number, literal: number] =>
  literalValue(file, left) === null ? [left, right] : [right, left]

const isPasswordLiteral = (literal: string | null): boolean =>
  literal !== null && literal.length >= 4 && !/[\s<{$%]/.test(literal) && !noPassword.test(literal)

const isPasswordName = (text: string): boolean => {
  if (asksForType.test(text.slice(0, 200))) return false
  const words = lastWords(text.slice(0, 200))
  if (!passwordName.test(words.split(" ").at(-1) ?? "") || /^(?:type|is|no|has|show) /.test(words)) return false
  return !/\.(?:type|kind|name|field|key|id|className|tagName)$/.test(text)
}

/** The outermost operation that joins a comparison with others, a few steps around it. */
const junctionOf = (file: SourceFile, node: number): number => {
  const tree = file.tree!
  let junction = NONE
  for (let up = tree.parent(node), depth = 0; depth < 4 && up !== NONE; up = tree.parent(up), depth++)
    if (tree.is(up, "binary_expression", "boolean_operator", "binary")) junction = up
  return junction
}

/** `username == "admin"`: the name of a user compared with a literal. */
const isUserComparison = (file: SourceFile, { left, right }: Binary): boolean => {
  const [name, literal] = nameAndLiteral(file, left, right)
  const isLiteral = (literalValue(file, literal) ?? "").length > 1
  return isLiteral && userName.test(lastWords(file.tree!.textOf(name).slice(0, 200)))
}

/** A program's own settings, compared with their defaults: no one logs in there. */
const isOwnSetting = /^\$?(?:this\.|self\.)?(?:config|conf|settings?|options|opts|cfg|process\.env|env)\w*[.[(]/i
const warning =
  /^(?:await\s+)?(?:[\w$.]*\b)?(?:console|log(?:ger|ging)?|slog|warnings?|warn|print\w*|echo|puts|System\.(?:out|err)|fmt\.\w*[pP]rint\w*)\b/i

/** `if (user == "admin" && password == "admin") warn("change the default password")` */
const onlyWarns = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const branch = tree.enclosing(node, "if_statement", "if")
  const body = [tree.child(branch, "consequence"), tree.child(branch, "body")].find((part) => part !== NONE)
  if (branch === NONE || body === undefined || tree.contains(body, node)) return false
  const parts = tree.is(body, "expression_statement") ? [body] : tree.namedChildren(body)
  const statements = parts.filter((part) => !tree.isComment(part))
  return statements.length > 0 && statements.every((part) => warning.test(tree.textOf(part).slice(0, 80)))
}

/** `username == "admin" && password == "…"`: anyone who has the code can log in. */
const constantPassword = (file: SourceFile, { node, left, right }: Comparison, emit: Emit<RuleId>): boolean => {
  const tree = file.tree!
  const [name, value] = nameAndLiteral(file, left, right)
  if (!isPasswordLiteral(literalValue(file, value)) || !isPasswordName(tree.textOf(name))) return false
  const junction = junctionOf(file, node)
  if (junction === NONE) return false
  const comparesUser =
    besides(file, node).some((comparison) => isUserComparison(file, comparison)) || equalsUser(file, junction)
  if (!comparesUser || isOwnSetting.test(tree.textOf(name)) || onlyWarns(file, node)) return false
  emit({
    rule: "constant_credentials",
    ...span(tree, node),
    redact: [[tree.start(value) + 1, Math.max(tree.start(value) + 1, tree.end(value) - 1)]],
    message: `\`${tree.textOf(name).slice(0, 60)}\` is compared with a password that is hard-coded.`
  })
  return true
}

/** `"admin".equals(username)` beside it. */
const equalsUser = (file: SourceFile, junction: number): boolean => {
  const text = file.tree!.textOf(junction).slice(0, 300)
  return /["'][\w@.-]{2,40}["']\.equals\(\s*(?:\w+\.)*(?:user|username|userName|login|email|name)\s*\)|\b(?:user|username|userName|login|email)\.equals\(\s*"[\w@.-]{2,40}"/.test(
    text
  )
}

const MAX_READ = 400

export const unsafeComparisons = (file: SourceFile, emit: Emit<RuleId>): void => {
  const tree = file.tree!
  const hasMac = macText.test(file.text)
  for (const comparison of comparisons(file)) {
    const start = tree.start(comparison.node)
    const own = file.text.slice(start, Math.min(tree.end(comparison.node), start + MAX_READ))
    if (!hasMac && !mentionsSecrets.test(own)) continue
    if (constantPassword(file, comparison, emit) || storedPassword(file, comparison, emit)) continue
    secretCompare(file, comparison, emit)
  }
}
