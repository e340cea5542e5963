import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { assignmentsTo, lastAssigned } from "../../languages/code/lastAssigned.ts"
import { literalValue, unwrap } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

/** A pattern and what it is tried on. */
export interface RegexUse {
  /** Node of the pattern where it is written; of the argument when it is not literal. */
  readonly node: number
  /** Null when the code builds it. */
  readonly pattern: string | null
  readonly flags: string
  /** Only tried at the beginning of the text. */
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

const scriptPattern = (file: SourceFile, given: number, depth = 0): Pattern | null => {
  const tree = file.tree!
  const node = unwrap(file, given)
  const text = tree.textOf(node)
  if (tree.is(node, "regex")) {
    if (/#\{/.test(text)) return null
    const parts = slashed.exec(text)
    if (parts === null) return null
    // In Ruby `^` and `$` hold at every line, and `m` is for the dot.
    const flags =
      file.language === "ruby" ? `m${parts[2]!.includes("m") ? "s" : ""}${parts[2]!.replace("m", "")}` : parts[2]!
    return { node, pattern: parts[1]!, flags }
  }
  const made = tree.is(node, "new_expression", "call_expression") ? /^(?:new\s+)?RegExp\(/.test(text) : false
  if (made) {
    const [source, flags] = tree.namedChildren(tree.child(node, "arguments"))
    const pattern = source === undefined ? null : literalValue(file, source)
    return pattern === null
      ? null
      : { node, pattern, flags: (flags === undefined ? "" : literalValue(file, flags)) ?? "" }
  }
  if (depth > 1 || !/^[\w$]{1,60}$/.test(text)) return null
  const value =
    assignmentsTo(file, text).length === 1 ? assignmentsTo(file, text)[0]!.value : lastAssigned(file, text, given)
  return value === NONE ? null : scriptPattern(file, value, depth + 1)
}

const scriptUse = (file: SourceFile, call: Call): RegexUse | null => {
  const first = call.args[0]
  if (call.receiverNode === NONE || first === undefined) {
    const isMade = first !== undefined && /^(?:new )?RegExp$/.test(call.callee)
    return isMade && literalValue(file, first) === null && !file.tree!.is(first, "regex")
      ? { node: first, pattern: null, flags: "", anchored: false, subject: first }
      : null
  }
  if (/^(?:test|exec|match\??)$/.test(call.method)) {
    const own = scriptPattern(file, call.receiverNode)
    if (own !== null) return { ...own, anchored: false, subject: first }
  }
  if (file.language === "ruby" && /^Regexp$/.test(call.receiver ?? "") && call.method === "new") {
    return literalValue(file, first) === null
      ? { node: first, pattern: null, flags: "", anchored: false, subject: first }
      : null
  }
  if (!/^(?:match\??|matchAll|search|replace|replaceAll|split|g?sub!?|scan|=~)$/.test(call.method)) return null
  const given = scriptPattern(file, first)
  return given === null ? null : { ...given, anchored: false, subject: call.receiverNode }
}

const pythonCompiled = (file: SourceFile, given: number): Pattern | null => {
  const tree = file.tree!
  const node = tree.is(given, "call") ? given : lastAssignedOnce(file, given)
  if (node === NONE || !/^re\.compile\(/.test(tree.textOf(node).slice(0, 20))) return null
  const [source, ...more] = tree.namedChildren(tree.child(node, "arguments"))
  const pattern = source === undefined ? null : literalValue(file, source)
  if (pattern === null) return null
  return { node: source!, pattern, flags: flagsIn(more.map((part) => tree.textOf(part)).join(" ")) }
}

const lastAssignedOnce = (file: SourceFile, name: number): number => {
  const text = file.tree!.textOf(name).replace(/^(?:self|cls|this)\./, "")
  const given = /^\w{1,60}$/.test(text) ? assignmentsTo(file, text) : []
  return given.length === 1 ? given[0]!.value : NONE
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
  if (pattern === null) return { node: source, pattern: null, flags: "", anchored, subject: source }
  const subject = call.args[1 + shift] ?? call.named.get("string")
  if (subject === undefined || call.method === "compile") return null
  return { node: source, pattern, flags: flagsIn(file.tree!.textOf(call.node).slice(-120)), anchored, whole, subject }
}

const javaUse = (file: SourceFile, call: Call): RegexUse | null => {
  const tree = file.tree!
  const [first, second] = call.args
  if (first === undefined) return null
  if (call.method === "matcher" && call.receiverNode !== NONE) {
    const direct = tree.is(call.receiverNode, "method_invocation")
      ? call.receiverNode
      : lastAssignedOnce(file, call.receiverNode)
    if (direct === NONE || !/^(?:java\.util\.regex\.)?Pattern\s*\.\s*compile\(/.test(tree.textOf(direct).slice(0, 60)))
      return null
    const [source, ...more] = tree.namedChildren(tree.child(direct, "arguments"))
    const pattern = source === undefined ? null : literalValue(file, source)
    if (pattern === null) return null
    return {
      node: source!,
      pattern,
      flags: flagsIn(more.map((part) => tree.textOf(part)).join(" ")),
      anchored: false,
      subject: first
    }
  }
  const isStatic = call.callee === "Pattern.matches"
  if (isStatic ? second === undefined : !/^(?:matches|replaceAll|replaceFirst|split)$/.test(call.method)) {
    const isCompiled = call.callee === "Pattern.compile" && literalValue(file, first) === null
    return isCompiled ? { node: first, pattern: null, flags: "", anchored: false, subject: first } : null
  }
  const pattern = literalValue(file, first)
  const subject = isStatic ? second! : call.receiverNode
  const isWhole = isStatic || call.method === "matches"
  return pattern === null || subject === NONE
    ? null
    : { node: first, pattern, flags: "", anchored: isWhole, whole: isWhole, subject }
}

const closing: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" }

const phpUse = (file: SourceFile, call: Call): RegexUse | null => {
  const name = /^\\?preg_(match|match_all|split|replace|replace_callback|grep)$/.exec(call.callee)
  if (name === null) return null
  const source = call.args[0]
  const subject = call.args[name[1]!.startsWith("replace") ? 2 : 1]
  if (source === undefined || subject === undefined) return null
  const text = literalValue(file, source)
  if (text === null) return { node: source, pattern: null, flags: "", anchored: false, subject: source }
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

/** Every use of a pattern whose text is known, and the making of those that are built. */
export const regexUses = (file: SourceFile): ReadonlyArray<RegexUse> => {
  const language = ruleLanguageOf(file.language)
  const use =
    language === "python" ? pythonUse : language === "java" ? javaUse : language === "php" ? phpUse : scriptUse
  const found = calls(file).flatMap((call) => use(file, call) ?? [])
  return language === "ruby" ? [...found, ...operators(file)] : found
}
