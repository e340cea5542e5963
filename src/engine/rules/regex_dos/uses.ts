import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignmentsTo, lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

/** A pattern and what it is matched against. */
export interface RegexUse {
  /** Node of the pattern where it is written; of the argument when it is not literal. */
  readonly node: number
  /** Null when the code builds it. */
  readonly pattern: string | null
  readonly flags: string
  /** Matches at the beginning of the text only. */
  readonly anchored: boolean
  /** Has to match the text to its end, too. */
  readonly whole?: boolean
  readonly subject: number
}

interface Pattern {
  readonly node: number
  readonly pattern: string
  readonly flags: string
}

export const mentionsRegex =
  /\.(?:test|exec|match|matchAll|search|replace|replaceAll|replaceFirst|split|matches|matcher|sub|gsub|scan|fullmatch|findall|finditer|match\?)[!?]?[ (]|\bpreg_\w+|\bRegExp\(|=~|\bre\.\w+\(/

const flagWords: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:IGNORECASE|CASE_INSENSITIVE|re\.I)\b/, "i"],
  [/\b(?:DOTALL|re\.S)\b/, "s"],
  [/\b(?:MULTILINE|re\.M)\b/, "m"],
  [/\b(?:VERBOSE|COMMENTS|re\.X)\b/, "x"]
]

const flagsIn = (text: string): string => flagWords.map(([word, flag]) => (word.test(text) ? flag : "")).join("")

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

/** `new RegExp("…", "i")` */
const constructedRegex = (file: SourceFile, node: number): Pattern | null => {
  const tree = file.tree!
  const [source, flags] = tree.namedChildren(tree.child(node, "arguments"))
  const pattern = source === undefined ? null : literalValue(file, source)
  if (pattern === null) return null
  return { node, pattern, flags: (flags === undefined ? null : literalValue(file, flags)) ?? "" }
}

const scriptPattern = (file: SourceFile, expression: number, depth = 0): Pattern | null => {
  const tree = file.tree!
  const node = unwrap(file, expression)
  const text = tree.textOf(node)
  if (tree.is(node, "regex")) return regexLiteral(file, node)
  if (tree.is(node, "new_expression", "call_expression") && /^(?:new\s+)?RegExp\(/.test(text))
    return constructedRegex(file, node)
  if (depth > 1 || !/^[\w$]{1,60}$/.test(text)) return null
  const assigned = assignmentsTo(file, text)
  const value = assigned.length === 1 ? assigned[0]!.value : lastAssigned(file, text, expression)
  return value === NONE ? null : scriptPattern(file, value, depth + 1)
}

/** The use of a pattern that the code builds; null when it is a literal. */
const builtPattern = (file: SourceFile, node: number, anchored = false): RegexUse | null =>
  literalValue(file, node) === null ? { node, pattern: null, flags: "", anchored, subject: node } : null

const scriptUse = (file: SourceFile, call: Call): RegexUse | null => {
  const first = call.args[0]
  if (first === undefined) return null
  if (call.receiverNode === NONE) {
    const isConstructor = /^(?:new )?RegExp$/.test(call.callee) && !file.tree!.is(first, "regex")
    return isConstructor ? builtPattern(file, first) : null
  }
  const receiver = /^(?:test|exec|match\??)$/.test(call.method) ? scriptPattern(file, call.receiverNode) : null
  if (receiver !== null) return { ...receiver, anchored: false, subject: first }
  if (file.language === "ruby" && call.receiver === "Regexp" && call.method === "new") return builtPattern(file, first)
  if (!/^(?:match\??|matchAll|search|replace|replaceAll|split|g?sub!?|scan|=~)$/.test(call.method)) return null
  const argument = scriptPattern(file, first)
  return argument === null ? null : { ...argument, anchored: false, subject: call.receiverNode }
}

/** The pattern of a call that compiles one: its first argument, with the flags in the others. */
const compiledPattern = (file: SourceFile, node: number): Pattern | null => {
  const tree = file.tree!
  const [source, ...more] = tree.namedChildren(tree.child(node, "arguments"))
  if (source === undefined) return null
  const pattern = literalValue(file, source)
  if (pattern === null) return null
  return { node: source, pattern, flags: flagsIn(more.map((part) => tree.textOf(part)).join(" ")) }
}

const pythonCompiled = (file: SourceFile, expression: number): Pattern | null => {
  const tree = file.tree!
  const node = tree.is(expression, "call") ? expression : lastAssignedOnce(file, expression)
  if (node === NONE || !/^re\.compile\(/.test(tree.textOf(node).slice(0, 20))) return null
  return compiledPattern(file, node)
}

const lastAssignedOnce = (file: SourceFile, name: number): number => {
  const text = file.tree!.textOf(name).replace(/^(?:self|cls|this)\./, "")
  const assigned = /^\w{1,60}$/.test(text) ? assignmentsTo(file, text) : []
  return assigned.length === 1 ? assigned[0]!.value : NONE
}

const pythonUse = (file: SourceFile, call: Call): RegexUse | null => {
  if (!/^(?:match|search|fullmatch|sub|subn|split|findall|finditer|compile)$/.test(call.method)) return null
  const whole = call.method === "fullmatch"
  const anchored = call.method === "match" || whole
  const shift = /^subn?$/.test(call.method) ? 1 : 0
  if (call.receiver !== "re") {
    const compiled = call.receiverNode === NONE ? null : pythonCompiled(file, call.receiverNode)
    const subject = call.args[shift]
    return compiled === null || subject === undefined ? null : { ...compiled, anchored, whole, subject }
  }
  const source = call.args[0]
  if (source === undefined) return null
  const pattern = literalValue(file, source)
  if (pattern === null) return builtPattern(file, source, anchored)
  const subject = call.args[1 + shift] ?? call.named.get("string")
  if (subject === undefined || call.method === "compile") return null
  return { node: source, pattern, flags: flagsIn(file.tree!.textOf(call.node).slice(-120)), anchored, whole, subject }
}

/** `pattern.matcher(text)` of a pattern that is compiled there or assigned once. */
const javaMatcher = (file: SourceFile, receiver: number, subject: number): RegexUse | null => {
  const tree = file.tree!
  const node = tree.is(receiver, "method_invocation") ? receiver : lastAssignedOnce(file, receiver)
  if (node === NONE || !/^(?:java\.util\.regex\.)?Pattern\s*\.\s*compile\(/.test(tree.textOf(node).slice(0, 60)))
    return null
  const compiled = compiledPattern(file, node)
  return compiled === null ? null : { ...compiled, anchored: false, subject }
}

const javaUse = (file: SourceFile, call: Call): RegexUse | null => {
  const [first, second] = call.args
  if (first === undefined) return null
  if (call.method === "matcher" && call.receiverNode !== NONE) return javaMatcher(file, call.receiverNode, first)
  if (call.callee === "Pattern.compile") return builtPattern(file, first)
  const isStatic = call.callee === "Pattern.matches"
  if (!isStatic && !/^(?:matches|replaceAll|replaceFirst|split)$/.test(call.method)) return null
  const pattern = literalValue(file, first)
  const subject = isStatic ? second : call.receiverNode
  if (pattern === null || subject === undefined || subject === NONE) return null
  const isWhole = isStatic || call.method === "matches"
  return { node: first, pattern, flags: "", anchored: isWhole, whole: isWhole, subject }
}

const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" }

const phpUse = (file: SourceFile, call: Call): RegexUse | null => {
  const name = /^\\?preg_(match|match_all|split|replace|replace_callback|grep)$/.exec(call.callee)
  if (name === null) return null
  const source = call.args[0]
  const subject = call.args[name[1]!.startsWith("replace") ? 2 : 1]
  if (source === undefined || subject === undefined) return null
  const text = literalValue(file, source)
  if (text === null) return builtPattern(file, source)
  const open = text[0] ?? ""
  const end = text.lastIndexOf(closing[open] ?? open)
  if (end <= 0 || /[\w\s\\]/.test(open)) return null
  return { node: source, pattern: text.slice(1, end), flags: text.slice(end + 1), anchored: false, subject }
}

const operators = (file: SourceFile): ReadonlyArray<RegexUse> => {
  const tree = file.tree!
  return [...tree.of("binary")].flatMap((node): ReadonlyArray<RegexUse> => {
    if (tree.textOf(tree.child(node, "operator")) !== "=~") return []
    const [left, right] = [tree.child(node, "left"), tree.child(node, "right")]
    const own = scriptPattern(file, right) ?? scriptPattern(file, left)
    if (own === null) return []
    return [{ ...own, anchored: false, subject: tree.contains(right, own.node) ? left : right }]
  })
}

/** Every use of a pattern whose text is known, and the creation of those that the code builds. */
export const regexUses = (file: SourceFile): ReadonlyArray<RegexUse> => {
  const language = ruleLanguageOf(file.language)
  const use =
    language === "python" ? pythonUse : language === "java" ? javaUse : language === "php" ? phpUse : scriptUse
  const found = calls(file).flatMap((call) => use(file, call) ?? [])
  return language === "ruby" ? [...found, ...operators(file)] : found
}
