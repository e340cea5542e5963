import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { optionsOf } from "../../languages/code/options.ts"
import { qualifiedName } from "../../languages/code/qualifiedName.ts"
import { type Assignment, assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { isOwnOrVerifiedLater } from "./ownTokens.ts"
import type { RuleId } from "./rules.ts"
import { around, numberOf, purpose, stateOf, textOf } from "./surroundings.ts"

export const mentionsTokens =
  /jwt|jsonwebtoken|jose|ignoreExpiration|clockTolerance|ParseUnverified|UnsafeAllowNone|Jwts|verify_signature|verify_exp|leeway|ClockSkew|WithoutClaimsValidation|UnsecuredSigner|Signer\\None/i

/** Two clocks that are further apart than this are broken. */
const MAX_TOLERANCE_SECONDS = 300

/** A call that may read or verify a token, with its qualified name. */
interface TokenCall {
  readonly file: SourceFile
  readonly call: Call
  readonly name: string
}

/** Names of functions that only inspect a token, which their callers expect. */
const peeks =
  /unverified|unsafe|insecure|peek|inspect|decode_?only|without_?verif|no_?verif|debug|introspect|header|claims_?only|expir|issuer|audience|\bkid\b|get_?exp|parse_?id_?token|id_?token/i
/** Functions that exchange or revoke expired tokens. */
const outlives = /refresh|renew|logout|sign_?out|revoke|expired|blacklist|invalidate|rotate|introspect/i

/** Claims that grant nothing to the bearer, and tokens that come straight from their issuer. */
const harmlessRead = /id_?token|refresh|["'](?:exp|iss|kid|iat|nonce)["']|\.(?:exp|iss|kid|iat)\b|expires/i

const isPeek = (file: SourceFile, node: number): boolean =>
  peeks.test(purpose(file, node)) || harmlessRead.test(file.lineText(file.line(file.tree!.start(node))).slice(0, 300))

const verifiedElsewhere = (file: SourceFile, call: Call): boolean =>
  isOwnOrVerifiedLater(file, call) || isVerifiedIn(around(file, call.node))

const isVerifiedIn = (text: string): boolean =>
  (text.match(/\b(?:jwt|jose|JWT)\.(?:decode|verify|jwtVerify)\s*\(/g) ?? []).length > 1 ||
  /\bverif(?:y|ied)_?(?:token|jwt|signature|id_token)\w*\s*\(|get_signing_key/i.test(text)

const none = /^none$/i

const unverified = ({ file, call }: TokenCall, what: string, emit: Emit<RuleId>): void =>
  emit({
    rule: "jwt_unverified",
    ...span(file.tree!, call.node),
    message: `${excerpt(file.tree!, call.node)} ${what}, so anyone can write the claims that it returns.`
  })

const expiryIgnored = (file: SourceFile, node: number, message: string, emit: Emit<RuleId>): void => {
  if (outlives.test(purpose(file, node)) || outlives.test(around(file, node).slice(0, 160))) return
  emit({ rule: "jwt_expiry_ignored", ...span(file.tree!, node), message })
}

const listsNone = (file: SourceFile, node: number | undefined): boolean =>
  node !== undefined && /["'`]none["'`]/i.test(file.tree!.textOf(node).slice(0, 200))

const isTokenCall = (name: string): boolean =>
  /^(?:jsonwebtoken|jwt|jose|express-jwt|passport-jwt)\b|\b[jJ]wt(?:Service)?\.|\bjwt\b/.test(name)

const scriptVerification = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call, name } = token
  const options = optionsOf(file, call.args[2])
  const key = call.args[1]
  if (listsNone(file, options?.entries.get("algorithms"))) unverified(token, "accepts the algorithm `none`", emit)
  else if (
    key !== undefined &&
    /^(?:null|undefined|""|''|false)$/.test(file.tree!.textOf(key)) &&
    /^jsonwebtoken|^jwt\./.test(name)
  )
    unverified(token, "verifies with an empty key", emit)
}

/** `req.user = …`: what a request does in the name of. */
const callerIdentity =
  /\b(?:req|request|ctx|c|socket)(?:\.state)?\.(?:user|auth|userId|session\.user|currentUser|principal|account)\s*=[^=]/

const scriptDecoding = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call, name } = token
  if (/jwt-simple/.test(name) && stateOf(file, call.args[2]) === "on")
    unverified(token, "is configured not to verify", emit)
  // Reading a token is common and fine; making it the caller's identity is not.
  const text = around(file, call.node)
  if (!callerIdentity.test(text) || /\bverif/i.test(text.replace(/unverif\w*/gi, ""))) return
  unverified(token, "does not verify the signature, and its result becomes the caller's identity", emit)
}

const inScript = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call, name } = token
  if (!isTokenCall(name)) return
  if (/^(?:verify|verifyAsync|jwtVerify)$/.test(call.method)) scriptVerification(token, emit)
  const decodes = call.method === "decode" && /^(?:jsonwebtoken|jwt|jwt-simple)\b/.test(name)
  if (decodes && file.language !== "tsx") scriptDecoding(token, emit)
}

/** A call that leaves the algorithm to the token. */
/** Authlib takes its algorithms where the decoder is created, not here. */
const namesNoAlgorithm = (file: SourceFile, call: Call): boolean =>
  call.args.length === 2 &&
  !call.named.has("algorithms") &&
  ![...call.named.keys()].some((key) => /^\*|algorithm/.test(key)) &&
  !/\*\*/.test(file.tree!.textOf(call.node))

/** Libraries whose decoder is an object hold its algorithms there. */
const isMadeWithAlgorithms = (name: string): boolean => /^(?:self|cls)\./.test(name)

const inPython = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call, name } = token
  if (
    !/(?:^|\.)(?:jwt|jose\.jwt|jose)\.decode$/.test(name) &&
    !/^jwt\.(?:api_jwt\.)?(?:PyJWT\(\)\.)?decode$/.test(name)
  )
    return
  const options = optionsOf(file, call.named.get("options") ?? NONE)
  const off =
    stateOf(file, options?.entries.get("verify_signature")) === "off" ||
    stateOf(file, call.named.get("verify")) === "off"
  if (listsNone(file, call.named.get("algorithms") ?? call.args[2]))
    unverified(token, "accepts the algorithm `none`", emit)
  else if (off) {
    if (!isPeek(file, call.node) && !verifiedElsewhere(file, call))
      unverified(token, "is configured not to verify the signature", emit)
  } else if (!name.startsWith("authlib.") && namesNoAlgorithm(file, call) && !isMadeWithAlgorithms(name))
    emit({
      rule: "jwt_algorithm_open",
      ...span(file.tree!, call.node),
      message: `${excerpt(file.tree!, call.node)} does not specify the accepted \`algorithms\`.`
    })
  if (!off && stateOf(file, options?.entries.get("verify_exp")) === "off")
    expiryIgnored(file, call.node, "`verify_exp` is off: a token that has expired is still accepted.", emit)
  const leeway = call.named.get("leeway")
  tolerance(file, call.node, "leeway", numberOf(file, leeway) ?? timedelta(textOf(file, leeway)), emit)
}

const timedelta = (text: string): number | null => {
  const match = /^(?:datetime\.)?timedelta\((seconds|minutes|hours|days)=(\d{1,6})\)$/.exec(text)
  if (match === null) return null
  return (
    Number(match[2]) * ({ seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as Record<string, number>)[match[1]!]!
  )
}

const tolerance = (file: SourceFile, node: number, name: string, seconds: number | null, emit: Emit<RuleId>): void => {
  if (seconds === null || seconds <= MAX_TOLERANCE_SECONDS) return
  expiryIgnored(file, node, `\`${name}\` accepts tokens for ${seconds} seconds after they have expired.`, emit)
}

const inGo = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call, name } = token
  if (!/\bjwt\b|golang-jwt/.test(file.text)) return
  if (call.method === "ParseUnverified") {
    const isVerified = /\.(?:Parse|ParseWithClaims|Verify)\(/.test(around(file, call.node))
    if (!isPeek(file, call.node) && !isVerified && !isOwnOrVerifiedLater(file, call))
      unverified(token, "does not verify the signature", emit)
  } else if (call.method === "WithoutClaimsValidation" && /jwt/.test(name)) {
    // A parser that verifies nothing is for `jwt_unverified` to judge.
    if (/\.ParseUnverified\(/.test(around(file, call.node))) return
    expiryIgnored(file, call.node, "`WithoutClaimsValidation` accepts tokens that have expired.", emit)
  } else if (call.method === "WithLeeway" && call.args[0] !== undefined) {
    const match = /^(\d{1,5})\s*\*\s*time\.(Second|Minute|Hour)$|^time\.(Second|Minute|Hour)\s*\*\s*(\d{1,5})$/.exec(
      textOf(file, call.args[0])
    )
    if (match === null) return
    const unit = { Second: 1, Minute: 60, Hour: 3_600 }[(match[2] ?? match[3]) as "Second" | "Minute" | "Hour"]
    tolerance(file, call.node, "WithLeeway", Number(match[1] ?? match[4]) * unit, emit)
  }
}

const inJava = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call } = token
  if (
    /^(?:parseClaimsJwt|parsePlaintextJwt|parseUnsecuredClaims|unsecured)$/.test(call.method) &&
    /io\.jsonwebtoken/.test(file.text)
  )
    unverified(token, "accepts tokens without a signature", emit)
  // `parse` accepts signed and unsigned tokens; the versions with a builder reject unsigned ones.
  else if (call.method === "parse" && /Jwts\.parser\(\)\.setSigningKey\(/.test(call.receiver ?? ""))
    unverified(token, "also accepts tokens without a signature (`parseClaimsJws` does not)", emit)
  else if (call.callee === "Algorithm.none" && /com\.auth0\.jwt/.test(file.text))
    unverified(token, "accepts the algorithm `none`", emit)
  else if (
    /^(?:setAllowedClockSkewSeconds|clockSkewSeconds|acceptLeeway|acceptExpiresAt|setAllowedClockSkewInSeconds)$/.test(
      call.method
    )
  )
    tolerance(file, call.node, call.method, numberOf(file, call.args[0]), emit)
}

const inRuby = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call } = token
  if (call.callee !== "JWT.decode") return
  const tree = file.tree!
  const options = optionsOf(file, call.args[3])
  const value = (key: string): number | undefined => call.named.get(key) ?? options?.entries.get(key)
  if (none.test(textOf(file, value("algorithm"))) || listsNone(file, value("algorithms"))) {
    if (stateOf(file, call.args[2]) !== "off" || !isPeek(file, call.node))
      unverified(token, "accepts the algorithm `none`", emit)
  } else if (call.args[2] !== undefined && tree.textOf(call.args[2]) === "false") {
    if (!isPeek(file, call.node) && !verifiedElsewhere(file, call))
      unverified(token, "is configured not to verify the signature", emit)
  }
  if (stateOf(file, value("verify_expiration")) === "off")
    expiryIgnored(file, call.node, "`verify_expiration` is off: a token that has expired is still accepted.", emit)
  tolerance(file, call.node, "leeway", numberOf(file, value("exp_leeway") ?? value("leeway")), emit)
}

const inPhp = (token: TokenCall, emit: Emit<RuleId>): void => {
  const { file, call } = token
  if (/(?:^|\\)JWT::decode$/.test(call.callee)) {
    const last = call.args[2]
    if (
      call.args[1] !== undefined &&
      /^(?:null|''|"")$/i.test(textOf(file, call.args[1]) || "''") &&
      last !== undefined
    )
      unverified(token, "is called without a key", emit)
    else if (listsNone(file, last)) unverified(token, "accepts the algorithm `none`", emit)
  } else if (call.method === "forUnsecuredSigner" || (call.isNew && /(?:^|\\)Signer\\None$/.test(call.callee)))
    unverified(token, "makes tokens without a signature acceptable", emit)
}

const readers: Partial<Record<SourceFile["language"], (token: TokenCall, emit: Emit<RuleId>) => void>> = {
  javascript: inScript,
  typescript: inScript,
  tsx: inScript,
  python: inPython,
  go: inGo,
  java: inJava,
  ruby: inRuby,
  php: inPhp
}

/** `Code.find(id, { ignoreExpiration: true })` loads a record, which its caller may still reject. */
const isForLookup = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  const options = tree.enclosing(node, "object")
  const call = options === NONE ? NONE : tree.parent(tree.parent(options))
  return (
    tree.is(call, "call_expression") &&
    /\.(?:find\w*|get\w*|load\w*|lookup\w*)$/.test(tree.textOf(tree.child(call, "function")))
  )
}

const scriptSetting = (file: SourceFile, { name, node, value }: Assignment, emit: Emit<RuleId>): void => {
  if (name === "ignoreExpiration" && stateOf(file, value) === "on" && !isForLookup(file, node))
    expiryIgnored(file, node, "`ignoreExpiration` is on: a token that has expired is still accepted.", emit)
  else if (name === "clockTolerance")
    tolerance(file, node, name, numberOf(file, value) ?? worded(textOf(file, value)), emit)
}

const phpSetting = (file: SourceFile, { target, node, value }: Assignment, emit: Emit<RuleId>): void => {
  if (/(?:^|\\)JWT::\$leeway$/.test(target)) tolerance(file, node, "JWT::$leeway", numberOf(file, value), emit)
}

/** Settings by assignment or as entries of options, whatever call they are for. */
const settings = (file: SourceFile, emit: Emit<RuleId>): void => {
  const isScript = /^(?:javascript|typescript|tsx)$/.test(file.language)
  for (const assignment of assignments(file)) {
    if (assignment.value === NONE) continue
    if (isScript) scriptSetting(file, assignment, emit)
    else if (file.language === "php") phpSetting(file, assignment, emit)
  }
}

/** `"10 minutes"`, as jose accepts it. */
const worded = (text: string): number | null => {
  const match = /^(\d{1,6})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?)$/.exec(text)
  return match === null
    ? null
    : Number(match[1]) * ({ s: 1, m: 60, h: 3_600, d: 86_400 } as Record<string, number>)[match[2]![0]!]!
}

export const tokenChecks = (file: SourceFile, emit: Emit<RuleId>): void => {
  settings(file, emit)
  const reader = readers[file.language]
  if (reader === undefined) return
  for (const call of calls(file)) reader({ file, call, name: qualifiedName(file, call) }, emit)
  if (file.language !== "go") return
  for (
    let at = file.text.indexOf("UnsafeAllowNoneSignatureType");
    at >= 0;
    at = file.text.indexOf("UnsafeAllowNoneSignatureType", at + 1)
  )
    emit({
      rule: "jwt_unverified",
      start: at,
      end: at + "UnsafeAllowNoneSignatureType".length,
      message: "`UnsafeAllowNoneSignatureType` accepts tokens without a signature, so anyone can write their claims."
    })
}
