import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { type Options, optionsOf } from "../../languages/code/options.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { assignments, type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { wordsOf } from "../../secrets/shape.ts"
import type { RuleId } from "./rules.ts"
import { around, numberOf, occursAround, type State, stateOf } from "./surroundings.ts"

export const mentionsCookies = /cookie/i

type Flag = State | "missing"

/** A cookie as it is set, with what is known of its flags. */
interface Cookie {
  readonly node: number
  readonly name: string
  /** Node of what it is set to; undefined where settings apply to all values. */
  readonly value?: number | undefined
  readonly httpOnly: Flag
  readonly secure: Flag
}

const session =
  / (?:session|sess|sid|sessionid|sessid|phpsessid|jsessionid|auth|authn|authentication|authorization|jwt|login|remember|rememberme|access token|accesstoken|refresh token|refreshtoken|auth token|authtoken|id token|idtoken|session id|token|bearer|logged in|sso|connect sid) /
const otherwise =
  / (?:csrf|xsrf|csrftoken|push|fcm|device|consent|language|lang|theme|locale|locals|redirect|return|state|nonce|verifier|pkce|hint|count|status|expires?|expiry|expiration|at|time|provider|method|mode|last|has|is|was|flash|message|analytics|tracking|captcha|prefs?|csp|timezone|referr?er|name|email|username|user name|url|type|show|hide|test|popup|banner|tab) /

const isSessionName = (name: string): boolean => {
  const words = ` ${wordsOf(name).join(" ")} `
  return session.test(words) && !otherwise.test(words)
}

const nameAt = (file: SourceFile, node: number | undefined): string => {
  if (node === undefined || node === NONE) return ""
  const literal = literalValue(file, node)
  if (literal !== null) return literal
  const text = file.tree!.textOf(node).replace(/^:/, "")
  return /^[\w$.:>-]{1,80}$/.test(text) ? (text.split(/\.|::|->/).at(-1) ?? "") : ""
}

const flagIn = (file: SourceFile, options: Options | null, key: RegExp, fallback: Flag): Flag => {
  if (options === null) return fallback
  for (const [name, node] of options.entries) if (key.test(name)) return stateOf(file, node)
  return options.isComplete ? fallback : "unknown"
}

const httpOnlyKey = /^http_?only$/i
const secureKey = /^secure$/i

/** Nothing, or a flag, which is worth nothing to who reads it. */
const isEmpty = (file: SourceFile, node: number | undefined): boolean =>
  node === undefined ||
  /^(?:(["'`])\s*\1|null|undefined|None|nil|["'`]?(?:true|false|True|False|yes|no|on|off|[01]|deleted)["'`]?)$/.test(
    file.tree!.textOf(node)
  )

const endsIt = (file: SourceFile, options: Options | null): boolean => {
  if (options === null) return false
  for (const [key, node] of options.entries) {
    if (
      /^(?:max_?age|expires_?in)$/i.test(key) &&
      (numberOf(file, node) === 0 || file.tree!.textOf(node).startsWith("-"))
    )
      return true
    if (
      /^expires?$/i.test(key) &&
      /new Date\((?:0|1|["'](?:Thu, 01 Jan )?19)|Date\.now\(\)\s*-|time\(\)\s*-/.test(
        file.tree!.textOf(node).slice(0, 80)
      )
    )
      return true
  }
  return false
}

/** `res`, or a chain on it: `res.status(200)`. */
const onResponse = /^(?:\w+\.)*(?:res|response|reply|rep)(?:\.\w+\([^()]{0,80}\))*$/
const httpOnlyLater = /\.httpOnly\s*=[^=]/
const secureLater = /\.secure\s*=[^=]/

const scriptCookie = (file: SourceFile, call: Call): Cookie | null => {
  if (!/^(?:cookie|setCookie)$/.test(call.method) || !onResponse.test(call.receiver ?? "")) return null
  const [name, value, settings] = call.args
  const options = optionsOf(file, settings)
  if (isEmpty(file, value) || endsIt(file, options)) return null
  // Options that cannot be read may hold anything.
  const fallback: Flag = settings === undefined || options !== null ? "missing" : "unknown"
  return {
    node: call.node,
    name: nameAt(file, name),
    value,
    httpOnly: occursAround(file, call.node, httpOnlyLater) ? "unknown" : flagIn(file, options, httpOnlyKey, fallback),
    secure: occursAround(file, call.node, secureLater) ? "unknown" : flagIn(file, options, secureKey, fallback)
  }
}

/** `session({ cookie: { httpOnly: false } })`: the middleware's own defaults are sound, but for `secure`. */
const sessionOptions = (file: SourceFile, call: Call): Cookie | null => {
  if (
    !/^(?:session|expressSession|cookieSession|require\(["'](?:express-session|cookie-session)["']\))$/.test(
      call.callee
    )
  )
    return null
  const options = optionsOf(file, call.args[0])
  if (options === null) return null
  const inner = call.callee.includes("ookie") ? options : optionsOf(file, options.entries.get("cookie"))
  if (inner === null) return null
  const isSetLater = /\.cookie\.secure\s*=[^=]/.test(file.text)
  const known = (key: RegExp): Flag =>
    isSetLater && key === secureKey ? "unknown" : flagIn(file, inner, key, "unknown")
  return { node: inner.node, name: "session", httpOnly: known(httpOnlyKey), secure: known(secureKey) }
}

const isSignal = (file: SourceFile, key: number | undefined, value: number | undefined): boolean =>
  key !== undefined &&
  value !== undefined &&
  literalValue(file, key) === null &&
  file.tree!.is(value, "string", "integer", "true")

/** `self.set_cookie(handler, token)`: a function of the program, which sets the flags itself. */
const isOwnHelper = (file: SourceFile, { receiver, args }: Call): boolean =>
  /^(?:self|cls)\b/.test(receiver ?? "") &&
  /^(?:self|handler|request|req|response|resp)$/.test(file.tree!.textOf(args[0] ?? NONE))

const pythonCookie = (file: SourceFile, call: Call): Cookie | null => {
  if (call.method !== "set_cookie" || call.receiver === null || isOwnHelper(file, call)) return null
  const key = call.args[0] ?? call.named.get("key")
  const value = call.args[1] ?? call.named.get("value")
  const ends = ["max_age", "expires"].some((key) => /^(?:0|-\d+)$/.test(file.tree!.textOf(call.named.get(key) ?? NONE)))
  if (isEmpty(file, value) || ends || /\*\*/.test(file.tree!.textOf(call.node))) return null
  const flag = (key: string): Flag => {
    const node = call.named.get(key)
    return node === undefined ? (call.args.length > 5 ? "unknown" : "missing") : stateOf(file, node)
  }
  return {
    node: call.node,
    // A constant under a name that is made elsewhere is a signal to scripts of the page: it is no session.
    name: isSignal(file, key, value) ? "" : nameAt(file, key),
    value,
    httpOnly: flag("httponly"),
    secure: flag("secure")
  }
}

const phpCookie = (file: SourceFile, call: Call): Cookie | null => {
  if (call.callee !== "setcookie" && call.callee !== "\\setcookie") return null
  const [name, value, third] = call.args
  const options = optionsOf(file, third)
  const expires = third === undefined ? "" : file.tree!.textOf(third)
  if (
    isEmpty(file, value) ||
    endsIt(file, options) ||
    /time\(\)\s*-|^(?:1|0 ?- ?\d+|-\d+|\$\w*(?:[pP]ast|[eE]xpired|[yY]esterday))$/.test(expires)
  )
    return null
  const at = (index: number): Flag => (call.args[index] === undefined ? "missing" : stateOf(file, call.args[index]))
  const isArray = options !== null
  const known = third === undefined || isArray || call.args.length > 3 || /^[\d$]|time\(/.test(expires)
  if (!known) return null
  return {
    node: call.node,
    name: nameAt(file, name),
    value,
    httpOnly: isArray
      ? flagIn(file, options, httpOnlyKey, "missing")
      : /^\$/.test(expires) && call.args.length === 3
        ? "unknown"
        : at(6),
    secure: isArray
      ? flagIn(file, options, secureKey, "missing")
      : /^\$/.test(expires) && call.args.length === 3
        ? "unknown"
        : at(5)
  }
}

const javaCookie = (file: SourceFile, call: Call): Cookie | null => {
  const isServlet = call.isNew && call.callee === "Cookie" && /\.servlet\.http\b/.test(file.text)
  const isBuilder = call.callee === "ResponseCookie.from" && /springframework/.test(file.text)
  if (!isServlet && !isBuilder) return null
  const [name, value] = call.args
  const text = around(file, call.node)
  if (isEmpty(file, value) || /setMaxAge\(\s*0\s*\)|maxAge\(\s*0\s*\)/.test(text)) return null
  const flag = (pattern: RegExp): Flag => {
    const match = pattern.exec(text)
    return match === null
      ? /\.addCookie\(|\.build\(\)/.test(text)
        ? "missing"
        : "unknown"
      : match[1] === "true"
        ? "on"
        : match[1] === "false"
          ? "off"
          : "unknown"
  }
  return {
    node: call.node,
    name: nameAt(file, name),
    value,
    httpOnly: flag(/\.(?:setHttpOnly|httpOnly)\(\s*(\w+)/),
    secure: flag(/\.(?:setSecure|secure)\(\s*(\w+)/)
  }
}

/** `http.Cookie{…}`, and gin's call with the flags at the end. */
const goCookies = (file: SourceFile): ReadonlyArray<Cookie> => {
  const tree = file.tree!
  const found: Array<Cookie> = []
  for (const node of tree.of("composite_literal")) {
    if (tree.textOf(tree.child(node, "type")) !== "http.Cookie") continue
    const options = optionsOf(file, node)
    if (
      options === null ||
      isEmpty(file, options.entries.get("Value")) ||
      /^(?:-\d+|0)$/.test(tree.textOf(options.entries.get("MaxAge") ?? NONE))
    )
      continue
    const text = around(file, node)
    // A request carries a cookie without flags.
    if (/\.AddCookie\(/.test(text)) continue
    const flag = (key: string): Flag =>
      new RegExp(`\\.${key}\\s*=[^=]`).test(text) ? "unknown" : flagIn(file, options, new RegExp(`^${key}$`), "missing")
    found.push({
      node,
      name: nameAt(file, options.entries.get("Name")),
      value: options.entries.get("Value"),
      httpOnly: flag("HttpOnly"),
      secure: flag("Secure")
    })
  }
  for (const call of calls(file)) {
    if (call.method !== "SetCookie" || call.args.length !== 7 || isEmpty(file, call.args[1])) continue
    if (/^(?:-\d+)$/.test(tree.textOf(call.args[2]!))) continue
    found.push({
      node: call.node,
      name: nameAt(file, call.args[0]),
      value: call.args[1],
      httpOnly: stateOf(file, call.args[6]),
      secure: stateOf(file, call.args[5])
    })
  }
  return found
}

/** `cookies[:token] = value`. */
const rubyCookies = (file: SourceFile): ReadonlyArray<Cookie> => {
  const tree = file.tree!
  return assignments(file).flatMap(({ node, targetNode, value }): ReadonlyArray<Cookie> => {
    if (!tree.is(targetNode, "element_reference")) return []
    const [holder, key] = tree.namedChildren(targetNode)
    if (
      holder === undefined ||
      key === undefined ||
      !/^(?:response\.)?cookies(?:\.(?:signed|encrypted|permanent))*$/.test(tree.textOf(holder))
    )
      return []
    const options = optionsOf(file, value)
    if (isEmpty(file, value) || isEmpty(file, options?.entries.get("value") ?? value) || endsIt(file, options))
      return []
    const isPlain = options !== null || !tree.is(value, "identifier")
    return [
      {
        node,
        name: nameAt(file, key),
        httpOnly: flagIn(file, options, httpOnlyKey, isPlain ? "missing" : "unknown"),
        secure: "unknown"
      }
    ]
  })
}

const settingName =
  /^(?:SESSION_COOKIE_(HTTPONLY|SECURE)|session\.cookie_(httponly|secure)|REMEMBER_COOKIE_(HTTPONLY|SECURE))$/
/** The name of a configuration for development on one's own machine. */
const isLocal = (path: string): boolean =>
  /(?:^|[/_.-])(?:dev|develop|development|local|debug|docker|ci|testing|global|defaults?)(?:[/_.-]|$)/i.test(path)

const settings = (file: SourceFile): ReadonlyArray<Cookie> => {
  const tree = file.tree!
  const found: Array<Cookie> = []
  const isLocalClass = (node: number): boolean =>
    node !== NONE && /dev|local|test|debug|default|base/i.test(tree.textOf(tree.child(node, "name")))
  /** A table of defaults, which programs overwrite. */
  const isDefault = (node: number): boolean =>
    /default/i.test(tree.textOf(tree.child(tree.enclosing(node, "assignment"), "left")))
  const add = (node: number, name: string, value: number | undefined): void => {
    const match = settingName.exec(name)
    if (match === null || stateOf(file, value) !== "off" || isLocal(file.path) || isDefault(node)) return
    if (
      tree.enclosing(node, "if_statement", "else_clause") !== NONE ||
      isLocalClass(tree.enclosing(node, "class_definition"))
    )
      return
    // Another configuration of the same file has it on.
    if (new RegExp(`\\b${name}["'\\]]*\\s*=\\s*(?:True|\\w+[.(])`).test(file.text)) return
    const isHttpOnly = /httponly/i.test(name)
    found.push({
      node,
      name: "session",
      httpOnly: isHttpOnly ? "off" : "unknown",
      secure: isHttpOnly ? "unknown" : "off"
    })
  }
  if (file.language === "python")
    for (const { node, target, value } of assignments(file))
      add(node, /["'](\w+)["']\]$/.exec(target)?.[1] ?? target, value)
  if (file.language === "php")
    for (const call of calls(file))
      if (call.callee === "ini_set") add(call.node, nameAt(file, call.args[0]), call.args[1])
  return found
}

const cookieOf = (file: SourceFile, call: Call): Cookie | null => {
  switch (file.language) {
    case "python":
      return pythonCookie(file, call)
    case "php":
      return phpCookie(file, call)
    case "java":
      return javaCookie(file, call)
    case "go":
    case "ruby":
      return null
    default:
      return scriptCookie(file, call) ?? sessionOptions(file, call)
  }
}

const isBad = (flag: Flag): boolean => flag === "off" || flag === "missing"

/** Any other cookie, of which the code does not show what it is for. */
const reportOther = (file: SourceFile, { node, name, value, httpOnly, secure }: Cookie, emit: Emit<RuleId>): void => {
  // What the source shows is no secret.
  if (value !== undefined && /^(?:(["'])[\w .-]*\1|true|false|True|False|\d+)$/.test(file.tree!.textOf(value))) return
  if (readByScripts.test(` ${wordsOf(name).join(" ")} `) || isDeletion.test(file.tree!.textOf(node).slice(0, 200)))
    return
  const lacking = [isBad(httpOnly) ? "`httpOnly`" : "", isBad(secure) ? "`secure`" : ""].filter((flag) => flag !== "")
  const isSwitchedOff = httpOnly === "off" || secure === "off"
  if (lacking.length === 0 || (lacking.length < 2 && !isSwitchedOff)) return
  emit({
    rule: "cookie_without_flags",
    ...span(file.tree!, node),
    ...(name === "" ? {} : { noun: `\`${name.slice(0, 60)}\`` }),
    ...(isSwitchedOff ? {} : { confidence: 0.52 }),
    message: `${excerpt(file.tree!, node, 70)} does not set ${lacking.join(" and ")}, so scripts of the page or anyone on the network path may read the cookie.`
  })
}

/** Cookies that scripts of the page have to read, or that hold a preference. */
const readByScripts =
  / (?:csrf|xsrf|csrftoken|provider|lang|language|locale|theme|consent|banner|timezone|tz|analytics|tracking|flash|popup|color|mode|view|layout|sidebar|zoom) /
const isDeletion = /max_?age["']?\s*[=:]\s*-?[01]\b|expires?["']?\s*[=:]\s*0\b|delete/i

const report = (file: SourceFile, cookie: Cookie, emit: Emit<RuleId>): void => {
  const { node, name, httpOnly, secure } = cookie
  if (!isSessionName(name)) return reportOther(file, cookie, emit)
  const at = { ...span(file.tree!, node) }
  const code = excerpt(file.tree!, node, 70)
  if (isBad(httpOnly)) {
    const also = isBad(secure) ? ", and over unencrypted connections" : ""
    const how = httpOnly === "off" ? "switches `httpOnly` off" : "does not set `httpOnly`"
    emit({
      rule: "session_cookie_readable",
      ...at,
      message: `${code} ${how}: the cookie \`${name}\` is readable by any script of the page${also}.`
    })
  } else if (isBad(secure)) {
    const how = secure === "off" ? "switches `secure` off" : "does not set `secure`"
    emit({
      rule: "session_cookie_unencrypted",
      ...at,
      message: `${code} ${how}: the cookie \`${name}\` is also sent over unencrypted connections.`
    })
  }
}

export const cookieFlags = (file: SourceFile, emit: Emit<RuleId>): void => {
  for (const call of calls(file)) {
    const cookie = cookieOf(file, call)
    if (cookie !== null) report(file, cookie, emit)
  }
  if (file.language === "go") for (const cookie of goCookies(file)) report(file, cookie, emit)
  if (file.language === "ruby") for (const cookie of rubyCookies(file)) report(file, cookie, emit)
  for (const cookie of settings(file)) report(file, cookie, emit)
}
