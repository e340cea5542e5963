import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type RuleLanguage, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignmentsTo } from "../../languages/code/lastAssigned.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { builtPattern, type Pattern, type RegexUse } from "./RegexUse.ts"
import { operatorUses, scriptUse } from "./scriptUses.ts"

export const mentionsRegex =
  /\.(?:test|exec|match|matchAll|search|replace|replaceAll|replaceFirst|split|matches|matcher|sub|gsub|scan|fullmatch|findall|finditer|match\?|IsMatch|Match|Matches|Replace|Split|Count)[!?]?[ (]|\bpreg_\w+|\b(?:RegExp|Regexp\.new)\(|[=!]~|\bre\.\w+\(|\bexports?\b[^\n=]{0,80}=\s*\/[^/*]/

const flagWords: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:IGNORECASE|CASE_INSENSITIVE|IgnoreCase|re\.I)\b/, "i"],
  [/\b(?:DOTALL|Singleline|re\.S)\b/, "s"],
  [/\b(?:MULTILINE|RegexOptions\.Multiline|re\.M)\b/, "m"],
  [/\b(?:VERBOSE|COMMENTS|IgnorePatternWhitespace|re\.X)\b/, "x"]
]

const flagsIn = (text: string): string => flagWords.map(([word, flag]) => (word.test(text) ? flag : "")).join("")

/** The pattern of a call that compiles one: its first argument, with the flags in the others. */
const compiledPattern = (file: SourceFile, node: number): Pattern | null => {
  const tree = file.tree!
  const list = tree.child(node, "arguments")
  const [first, ...more] = tree.namedChildren(list === NONE ? tree.childOfKind(node, "argument_list") : list)
  if (first === undefined) return null
  const source = tree.is(first, "argument") ? tree.namedChildren(first).at(-1)! : first
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

/** A pattern that gives up after a while, or never goes back. */
const isLimited = (options: string): boolean => /NonBacktracking|TimeSpan|[tT]imeout/.test(options)

const csharpCompiled = (file: SourceFile, expression: number): Pattern | null => {
  const tree = file.tree!
  const isNew = tree.is(expression, "object_creation_expression", "implicit_object_creation_expression")
  const node = isNew ? expression : lastAssignedOnce(file, expression)
  const text = node === NONE ? "" : tree.textOf(node).slice(0, 300)
  const isRegex = /^new\s+(?:[\w.]+\.)?Regex\s*\(/.test(text) || (/^new\s*\(/.test(text) && declaresRegex(file, node))
  return isRegex && !isLimited(tree.textOf(node)) ? compiledPattern(file, node) : null
}

const declaresRegex = (file: SourceFile, node: number): boolean =>
  /\bRegex\b/.test(file.text.slice(Math.max(0, file.tree!.start(node) - 80), file.tree!.start(node)))

const csharpUse = (file: SourceFile, call: Call): RegexUse | null => {
  const [first, second] = call.args
  if (first === undefined) return null
  if (call.isNew) return /(?:^|[.\s])Regex$/.test(call.callee) ? builtPattern(file, first) : null
  if (!/^(?:IsMatch|Match|Matches|Replace|Split|Count|EnumerateMatches)$/.test(call.method)) return null
  if (!/(?:^|\.)Regex$/.test(call.receiver ?? "")) {
    const compiled = call.receiverNode === NONE ? null : csharpCompiled(file, call.receiverNode)
    return compiled === null ? null : { ...compiled, anchored: false, subject: first }
  }
  if (second === undefined || isLimited(file.tree!.textOf(call.node))) return null
  const pattern = literalValue(file, second)
  if (pattern === null) return builtPattern(file, second)
  const flags = flagsIn(file.tree!.textOf(call.node).slice(-200))
  return { node: second, pattern, flags, anchored: false, subject: first }
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

type UsesAt = (file: SourceFile, call: Call) => RegexUse | ReadonlyArray<RegexUse> | null

const uses: Partial<Record<RuleLanguage, UsesAt>> = {
  javascript: scriptUse,
  ruby: scriptUse,
  python: pythonUse,
  java: javaUse,
  php: phpUse,
  csharp: csharpUse
}

/** Every use of a pattern whose text is known, and the creation of those that the code builds. */
export const regexUses = (file: SourceFile): ReadonlyArray<RegexUse> => {
  const use = uses[ruleLanguageOf(file.language)]
  const found = use === undefined ? [] : calls(file).flatMap((call) => use(file, call) ?? [])
  return file.language === "ruby" ? [...found, ...operatorUses(file)] : found
}
