import { type Call, compact } from "../../languages/syntax/Syntax.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { Scope } from "../values/Scope.ts"
import {
  ALL_KINDS,
  CODE,
  CUT,
  checked,
  deepTaintsOf,
  isLiteral,
  isTainted,
  JOINED,
  PATH,
  REDIRECT,
  RESOLVED,
  type Taint,
  taintsOf,
  URL,
  type Value
} from "../values/Value.ts"
import { evaluate } from "./evaluate.ts"
import { type Run, roleOf } from "./Run.ts"

/** An expression that a condition tested, and the kinds of sinks that what it holds is harmless to from there on. */
export interface Cleared {
  readonly node: number
  readonly kinds: number
}

export const harmless = (node: number): Cleared => ({ node, kinds: ALL_KINDS })

const ADDRESS = URL | REDIRECT

const prefixTests = /^(?:startswith|hasprefix|strstartswith|isrelativeto|startwith)$/
const partTests = /^(?:includes?|contains|containsany|strcontains|strpos|stripos|strstr|indexof|find|index)$/
const goodNames =
  /^(?:is|has)?(?:safe|within|inside|contained|allowed|whitelisted|permitted|trusted)|^(?:is|has)\w*(?:allowed|whitelisted|permitted|trusted)$|^isin(?:the)?(?:base|root|parent|home|work|upload|shared)|path(?:is)?(?:inside|within)|(?:valid|safe|allow|trust|permit|check|verif|sanitiz|contain|inside|within|sub|child|local).*(?:path|file|name|dir|folder|root|url|uri|host|domain|address|ip|origin|redirect)/
const badNames =
  /traversal|malicious|unsafe|forbidden|blocked|blacklist|blocklist|denied|dangerous|suspicious|isprivate|isinternal|isreserved|isloopback|isinvalid/
/** Tests of what is to become source code: `isValidIdentifier(x)`, `illegal_variable_name(x)`. */
const goodCode =
  /^(?:is|has|check)?(?:valid|safe|legal|allowed|permitted)\w*(?:identifier|variable|symbol|expression|formula|code)/
const badCode =
  /(?:illegal|invalid|unsafe|forbidden|disallowed|dangerous)\w*(?:identifier|variable|symbol|expression|formula|code)/
const raising =
  /^(?:validate|assert|ensure|check|verify|require)_?\w*(?:path|file|url|uri|host|domain|redirect|within|inside|traversal|safe)/i

const plainName = (name: string): string => name.replace(/[_?!]/g, "").toLowerCase()

/** Calls whose answer may say that a path or an address stays where it belongs. */
export const isCheck = (path: string): boolean => {
  const name = plainName(path.slice(path.lastIndexOf(".") + 1))
  return [prefixTests, goodNames, badNames, goodCode, badCode].some((pattern) => pattern.test(name))
}

/** Calls that do not come back when their argument leads elsewhere. */
export const isGuard = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf(".") + 1)
  return name === "relative_to" || raising.test(name)
}

const isResolved = (taints: ReadonlyArray<Taint>): boolean =>
  taints.length > 0 && taints.every(({ safe }) => (safe & RESOLVED) !== 0)

const isDots = (text: string | null): boolean => text !== null && /^(?:\.\.[\\/]?|[\\/]|\/\\|\\\/)$/.test(text)

const textOf = (value: Value): string | null => (isLiteral(value) ? value.text : null)

const isUntrusted = (value: Value): boolean => deepTaintsOf(value).some(({ origin }) => origin.kind === "source")

/** `x.startsWith(y)`, `strings.HasPrefix(x, y)`. */
const subjectOf = (call: Call): readonly [subject: number, other: number] => {
  const [first = NONE, second = NONE] = call.args
  return second !== NONE && /^(?:strings\.|str|_\.|lodash|StringUtils\.)/.test(call.callee)
    ? [first, second]
    : call.receiverNode === NONE
      ? [first, second]
      : [call.receiverNode, first]
}

const prefixed = (run: Run, scope: Scope, subject: number, other: number, holds: boolean): Cleared | null => {
  const value = evaluate(run, scope, other)
  if (isUntrusted(value)) return null
  const text = textOf(value)
  // `path.relative(root, x)` that goes up, with a separator after the dots or without.
  if (value.text.startsWith("..")) return holds ? null : { node: subject, kinds: PATH }
  if (!holds) return null
  const isBase = text === null || /^https?:\/\/[^/]+\//.test(text)
  const leads = isResolved(deepTaintsOf(evaluate(run, scope, subject))) ? PATH : 0
  const kinds = leads | (isBase ? ADDRESS : 0)
  return kinds === 0 ? null : { node: subject, kinds }
}

/** What a call that answers yes or no isSafe about paths and addresses. */
export const checkedByCall = (run: Run, scope: Scope, call: Call, holds: boolean): ReadonlyArray<Cleared> => {
  const name = plainName(call.method)
  const [subject, other] = subjectOf(call)
  if (prefixTests.test(name)) {
    const found = prefixed(run, scope, subject, other, holds)
    return found === null ? [] : [found]
  }
  if (name === "endswith" && holds) {
    // A name that ends with a domain and its dot, as opposed to one that only sounds like it.
    const text = textOf(evaluate(run, scope, other))
    return isHost(run, subject) && text?.startsWith(".") === true ? [{ node: subject, kinds: ADDRESS }] : []
  }
  if (partTests.test(name)) {
    return !holds && isDots(textOf(evaluate(run, scope, other))) ? [{ node: subject, kinds: PATH }] : []
  }
  return checkedByName(call, name, holds)
}

const checkedByName = (call: Call, name: string, holds: boolean): ReadonlyArray<Cleared> => {
  const first = call.args[0]
  if (name === "islocal" && holds && first !== undefined) return [{ node: first, kinds: PATH }]
  const isSafe = badNames.test(name) ? !holds : goodNames.test(name) && holds
  const isSafeCode = badCode.test(name) ? !holds : goodCode.test(name) && holds
  const kinds = (isSafe ? PATH | ADDRESS : 0) | (isSafeCode ? CODE : 0)
  return kinds === 0 ? [] : [...call.args, ...call.named.values()].map((node) => ({ node, kinds }))
}

/** `url.hostname`, `parsed.netloc`, `parse_url($x, PHP_URL_HOST)`: the part of an address that matters. */
export const isHost = (run: Run, node: number): boolean => {
  const text = compact(run.tree.textOf(node))
  return (
    text.length < 200 && /(?:host(?:name)?|netloc|origin|domain|authority|PHP_URL_HOST\))(?:\(\))?["']?\]?$/i.test(text)
  )
}

export const checkedHost = (run: Run, node: number): ReadonlyArray<Cleared> =>
  isHost(run, node) ? [{ node, kinds: ADDRESS }] : []

const callAt = (run: Run, node: number): Call | null =>
  roleOf(run, node) === "call" ? run.syntax.callAt(run.tree, node) : null

/** What is known when `one` equals `other`. */
export const checkedByEquality = (run: Run, scope: Scope, one: number, other: number): ReadonlyArray<Cleared> => {
  const compared = run.tree.textOf(other).replace(/\s/g, "")
  const call = callAt(run, one)
  const name = call === null ? "" : plainName(call.method)
  if (call !== null && /^(?:-1|false|False|null|NULL)$/.test(compared) && partTests.test(name)) {
    return checkedByCall(run, scope, call, false)
  }
  if (call !== null && compared === "0" && /^(?:strpos|stripos|indexof|strncmp|strncasecmp|lastindexof)$/.test(name)) {
    const [subject, prefix] = subjectOf(call)
    const found = prefixed(run, scope, subject, prefix, true)
    return found === null ? [] : [found]
  }
  if (call !== null && /^common(?:path|prefix)$/.test(name)) return call.args.map((node) => ({ node, kinds: PATH }))
  const left = evaluate(run, scope, one)
  if (!isTainted(left)) return []
  const right = evaluate(run, scope, other)
  if (isTainted(right)) return sameButClean(taintsOf(left), taintsOf(right), other)
  if (isHost(run, one)) return [{ node: one, kinds: ADDRESS }]
  return isResolved(taintsOf(left)) ? [{ node: one, kinds: PATH }] : []
}

/** `basename(x) === x`: x is what the sanitiser leaves of it. */
const sameButClean = (clean: ReadonlyArray<Taint>, raw: ReadonlyArray<Taint>, node: number): ReadonlyArray<Cleared> => {
  const kinds = clean.reduce((all, { safe }) => all & safe, ALL_KINDS) & ~(RESOLVED | JOINED | CUT)
  const isSame = raw.some((taint) => clean.some(({ origin }) => origin.start === taint.origin.start))
  return kinds === 0 || !isSame ? [] : [{ node, kinds }]
}

/** `validatePath(x)` as a statement of its own throws, or it would be for nothing. */
export const guard = (run: Run, scope: Scope, call: Call, values: ReadonlyArray<Value>): void => {
  const { tree } = run
  let parent = tree.parent(call.node)
  while (tree.is(parent, "await_expression", "await")) parent = tree.parent(parent)
  const stands = call.method === "relative_to" || tree.is(parent, "expression_statement")
  if (!stands || !throws(run, call)) return
  const inputs = values.flatMap((value) => deepTaintsOf(value))
  if (inputs.length > 0) scope.narrow((held) => checked(held, inputs, PATH | ADDRESS))
}

const throws = (run: Run, call: Call): boolean => {
  const own = run.index.named(call.callee)
  return own === undefined || /\b(?:throw|raise|abort|panic|exit|die)\b/.test(run.tree.textOf(own.body))
}
