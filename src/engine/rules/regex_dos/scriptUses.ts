import { addTo } from "../../core/collections/lists.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignmentsTo, lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { assignments, type Call } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { builtPattern, type Pattern, type RegexUse } from "./RegexUse.ts"
import { tablePatterns } from "./tablePatterns.ts"

const slashed = /^\/([\s\S]*)\/([a-z]*)$/

/** In Ruby `^` and `$` match at every line, and `m` is for the dot. */
const rubyFlags = (flags: string): string => `m${flags.includes("m") ? "s" : ""}${flags.replace("m", "")}`

/** A regular expression as a literal of the language. */
const regexLiteral = (file: SourceFile, node: number): Pattern | null => {
  const text = file.tree!.textOf(node)
  const parts = /#\{/.test(text) ? null : slashed.exec(text)
  if (parts === null) return null
  const flags = parts[2]!
  return { node, pattern: parts[1]!, flags: file.language === "ruby" ? rubyFlags(flags) : flags }
}

const MAX_PARTS = 20

/** A text that is known: a literal, literals put together, `String.raw`, or the source of a known pattern. */
const knownText = (file: SourceFile, node: number, parts = 0): string | null => {
  const tree = file.tree!
  const at = unwrap(file, node)
  const raw = /^String\.raw`([^`]*)`$/.exec(tree.textOf(at).slice(0, 4_000))?.[1]
  if (raw !== undefined) return raw.includes("${") ? null : raw
  if (parts > MAX_PARTS) return null
  if (tree.is(at, "identifier")) return constantText(file, at, parts)
  if (tree.is(at, "member_expression")) return sourceText(file, at, parts)
  if (tree.is(at, "call_expression")) return joinedText(file, at, parts)
  if (!tree.is(at, "binary_expression")) return literalValue(file, at)
  if (tree.textOf(tree.child(at, "operator")) !== "+") return null
  const left = knownText(file, tree.child(at, "left"), parts + 1)
  const right = left === null ? null : knownText(file, tree.child(at, "right"), parts + 1)
  return right === null ? null : left + right
}

/** A name that the file gives one value. */
const constantText = (file: SourceFile, node: number, parts: number): string | null => {
  const given = assignmentsTo(file, file.tree!.textOf(node))
  const value = given.length === 1 ? given[0]!.value : NONE
  return value === NONE ? null : knownText(file, value, parts + MAX_PARTS / 4)
}

/** `TOKEN.source` */
const sourceText = (file: SourceFile, node: number, parts: number): string | null => {
  const tree = file.tree!
  if (tree.textOf(tree.child(node, "property")) !== "source") return null
  return scriptPattern(file, tree.child(node, "object"), 0, parts + MAX_PARTS / 4)?.pattern ?? null
}

/** `["a+", "b+"].join("|")` */
const joinedText = (file: SourceFile, node: number, parts: number): string | null => {
  const tree = file.tree!
  const callee = tree.child(node, "function")
  const list = tree.is(callee, "member_expression") ? tree.child(callee, "object") : NONE
  if (!tree.is(list, "array") || tree.textOf(tree.child(callee, "property")) !== "join") return null
  const [between] = tree.namedChildren(tree.child(node, "arguments"))
  const separator = between === undefined ? "," : literalValue(file, between)
  const texts = tree.namedChildren(list).map((part) => knownText(file, part, parts + 1))
  return separator === null || texts.includes(null) ? null : texts.join(separator)
}

/** `new RegExp("…", "i")` */
const constructedRegex = (file: SourceFile, node: number, parts = 0): Pattern | null => {
  const tree = file.tree!
  const [source, flags] = tree.namedChildren(tree.child(node, "arguments"))
  const pattern = source === undefined ? null : knownText(file, source, parts)
  if (pattern === null) return source === undefined ? null : copiedRegex(file, source, flags)
  return { node, pattern, flags: (flags === undefined ? null : literalValue(file, flags)) ?? "" }
}

/** `new RegExp(/…/, "g")` */
const copiedRegex = (file: SourceFile, source: number, flags: number | undefined): Pattern | null => {
  const literal = file.tree!.is(source, "regex") ? regexLiteral(file, source) : null
  if (literal === null || flags === undefined) return literal
  return { ...literal, flags: literalValue(file, flags) ?? literal.flags }
}

const regexesByName = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const { name, value } of assignments(file)) {
    if (value === NONE || !/^(?:\/|new\s+RegExp\(|RegExp\()/.test(file.tree!.textOf(value).slice(0, 12))) continue
    addTo(found, name, value)
  }
  return found
}

/** `RULES.link` and `this.pattern`: the one regular expression of the file that is kept under that name. */
const keptUnder = (file: SourceFile, member: string): number => {
  const name = /\.([\w$]+)$/.exec(member)?.[1] ?? ""
  const values = file.memo(regexesByName, regexesByName).get(name) ?? []
  return values.length === 1 ? values[0]! : NONE
}

const scriptPattern = (file: SourceFile, expression: number, depth = 0, parts = 0): Pattern | null => {
  const tree = file.tree!
  const node = unwrap(file, expression)
  if (node === NONE) return null
  if (tree.is(node, "regex")) return regexLiteral(file, node)
  const text = tree.textOf(node).slice(0, 100)
  if (tree.is(node, "new_expression", "call_expression") && /^(?:new\s+)?RegExp\(/.test(text))
    return constructedRegex(file, node, parts)
  if (depth > 1) return null
  return scriptPatternOf(file, valueBehind(file, text, expression), depth, parts)
}

/** What a name or a member was given, where that can be seen. */
const valueBehind = (file: SourceFile, text: string, before: number): number => {
  if (/^[\w$]{1,60}(?:\.[\w$]{1,60}){1,3}$/.test(text)) return keptUnder(file, text)
  if (!/^[\w$]{1,60}$/.test(text)) return NONE
  // A property of that name is no variable.
  const [first, ...more] = assignmentsTo(file, text).filter(({ node }) => !file.tree!.is(node, "pair"))
  if (first === undefined) return NONE
  return more.length === 0 ? first.value : lastAssigned(file, text, before)
}

const scriptPatternOf = (file: SourceFile, value: number, depth: number, parts: number): Pattern | null =>
  value === NONE ? null : scriptPattern(file, value, depth + 1, parts)

/** Both patterns of `isStrict ? STRICT : LOOSE`, written in the call or given to a name before it. */
const scriptPatterns = (file: SourceFile, expression: number): ReadonlyArray<Pattern> => {
  const tree = file.tree!
  const node = unwrap(file, expression)
  const value = tree.is(node, "identifier") ? valueBehind(file, tree.textOf(node), expression) : node
  const chosen = value === NONE ? NONE : unwrap(file, value)
  if (!tree.is(chosen, "ternary_expression", "conditional")) {
    const pattern = scriptPattern(file, expression)
    return pattern === null ? keptPatterns(file, node) : [pattern]
  }
  return [tree.child(chosen, "consequence"), tree.child(chosen, "alternative")].flatMap(
    (branch) => scriptPattern(file, branch) ?? []
  )
}

const keptPatterns = (file: SourceFile, node: number): ReadonlyArray<Pattern> =>
  ruleLanguageOf(file.language) === "javascript"
    ? tablePatterns(file, node).flatMap((kept) => scriptPattern(file, kept, 2) ?? [])
    : []

const anchored = ({ flags }: Pattern): boolean => flags.includes("y")

const usesOf = (patterns: ReadonlyArray<Pattern>, subject: number): ReadonlyArray<RegexUse> =>
  patterns.map((pattern) => ({ ...pattern, anchored: anchored(pattern), subject }))

const built = (file: SourceFile, node: number): ReadonlyArray<RegexUse> => {
  const use = builtPattern(file, node)
  return use === null ? [] : [use]
}

/** Uses in JavaScript, TypeScript and Ruby, which have literals for regular expressions. */
export const scriptUse = (file: SourceFile, call: Call): ReadonlyArray<RegexUse> => {
  const first = call.args[0]
  if (first === undefined) return []
  if (call.receiverNode === NONE) {
    const isConstructor =
      /^(?:new )?RegExp$/.test(call.callee) && !file.tree!.is(first, "regex") && knownText(file, first) === null
    return isConstructor ? built(file, first) : []
  }
  const receivers = /^(?:test|exec|match\??)$/.test(call.method) ? scriptPatterns(file, call.receiverNode) : []
  if (receivers.length > 0) return usesOf(receivers, first)
  if (file.language === "ruby" && call.receiver === "Regexp" && call.method === "new") return built(file, first)
  return textMethod.test(call.method) ? usesOf(scriptPatterns(file, first), call.receiverNode) : []
}

/** Methods of a text that take a pattern. */
const textMethod = /^(?:match\??|matchAll|search|replace|replaceAll|split|g?sub!?|scan|=~|\[\]|slice|start_with\?)$/

/** `text =~ /…/` */
export const operatorUses = (file: SourceFile): ReadonlyArray<RegexUse> => {
  const tree = file.tree!
  return [...tree.of("binary")].flatMap((node): ReadonlyArray<RegexUse> => {
    if (!/^[=!]~$/.test(tree.textOf(tree.child(node, "operator")))) return []
    const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
    const own = scriptPattern(file, right) ?? scriptPattern(file, left)
    if (own === null) return []
    return [{ ...own, anchored: false, subject: tree.contains(right, own.node) ? left : right }]
  })
}
