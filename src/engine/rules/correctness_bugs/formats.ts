import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit, Match } from "../../core/tool/AuditTool.ts"
import { type Binary, binaries } from "../../languages/code/binaries.ts"
import { literalValue } from "../../languages/syntax/strings.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { bare } from "../../structure/sameCode.ts"
import { type Check, languages, quoted, spanOf } from "./Check.ts"
import type { RuleId } from "./rules.ts"

interface Directives {
  /** Values taken in order. */
  readonly count: number
  readonly named: ReadonlySet<string>
}

const percent = /%(?:%|(\([^)\n]{0,80}\))?([-+ #0]*)(\*|\d*)(?:\.(\*|\d*))?[hlL]?([a-zA-Z]))/g

/** Directives of a printf-like text; null when it uses positions or anything else that is not simply counted. */
const percentDirectives = (text: string, ignored: RegExp): Directives | null => {
  if (text.length > 5_000 || /%[-+ #0]*\[|%-?\d+\$|%</.test(text)) return null
  const directives = [...text.matchAll(percent)].filter(
    ([whole, , , , , verb]) => whole !== "%%" && !ignored.test(verb!)
  )
  const named = new Set(directives.flatMap(([, name]) => (name === undefined ? [] : [name.slice(1, -1)])))
  // A width or a precision of `*` takes a value of its own.
  const positional = directives.filter(([, name]) => name === undefined)
  const stars = positional.flatMap(([, , , width, precision]) => [width, precision]).filter((part) => part === "*")
  const count = positional.length + stars.length
  // A percent sign that begins no known directive: then the text is no format string.
  const rest = text.replace(percent, "")
  return rest.includes("%") ? null : { count, named }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const mismatch = (tree: FlatTree, node: number, expected: number, passed: number, outcome: string): Match<RuleId> => ({
  rule: "format_mismatch",
  ...spanOf(tree, node),
  message: `The format ${quoted(tree, node, 70)} takes ${plural(expected, "value")}, but ${passed} ${passed === 1 ? "is" : "are"} passed: ${outcome}.`
})

const none = /^$/

const missingNames = (
  tree: FlatTree,
  node: number,
  format: number,
  names: ReadonlyArray<string>,
  absence: string
): Match<RuleId> => ({
  rule: "format_mismatch",
  ...spanOf(tree, node),
  message: `The format ${quoted(tree, format)} needs \`${names.join("`, `")}\`, which ${absence}: this raises a KeyError.`
})

/** Number of values in a tuple; null when it takes in another list. */
const tupleLength = (tree: FlatTree, tuple: number): number | null => {
  const values = tree.namedChildren(tuple).filter((n) => !tree.is(n, "line_continuation"))
  return values.some((n) => tree.is(n, "list_splat")) ? null : values.length
}

/** Keys of a dict that is written out; null when one of them is not. */
const dictKeys = (file: SourceFile, tree: FlatTree, dict: number): ReadonlySet<string> | null => {
  const keys = new Set<string>()
  for (const pair of tree.namedChildren(dict)) {
    const key = tree.is(pair, "pair") ? literalValue(file, tree.child(pair, "key")) : null
    if (key === null) return null
    keys.add(key)
  }
  return keys
}

/** The number of values after the `%`; null when that is not known. */
const valueCount = (tree: FlatTree, values: number, expected: number): number | null => {
  if (tree.is(values, "tuple")) return tupleLength(tree, values)
  return expected > 1 && tree.is(values, "string", "integer", "float") ? 1 : null
}

/** `"…" % values` */
const percentMatch = (file: SourceFile, tree: FlatTree, { node, left, right }: Binary): Match<RuleId> | null => {
  const text = literalValue(file, left)
  if (text === null || /^[bB]?[fF]/.test(tree.textOf(left).slice(0, 3))) return null
  const directives = percentDirectives(text, none)
  if (directives === null) return null
  const values = bare(tree, right)
  const { count, named } = directives
  if (named.size === 0) {
    const passed = valueCount(tree, values, count)
    return passed === null || passed === count ? null : mismatch(tree, node, count, passed, "this raises a TypeError")
  }
  const keys = count === 0 && tree.is(values, "dictionary") ? dictKeys(file, tree, values) : null
  const missing = keys === null ? [] : [...named].filter((name) => !keys.has(name))
  return missing.length === 0 ? null : missingNames(tree, node, left, missing, "the dict does not have")
}

const inspectPercent = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const binary of binaries(file)) {
    if (binary.operator !== "%" || !tree.is(binary.left, "string", "concatenated_string")) continue
    const match = percentMatch(file, tree, binary)
    if (match !== null) emit(match)
  }
}

/** Fields of `"{} {0} {name}".format(…)`; null when they are not certain. */
const braceFields = (text: string): { auto: number; highest: number; named: Set<string> } | null => {
  if (text.length > 5_000) return null
  const fields = { auto: 0, highest: -1, named: new Set<string>() }
  const plain = text.replace(/\{\{|\}\}/g, "")
  const outer = [...plain.matchAll(/\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g)].map(([, field]) => field!)
  const inner = outer.flatMap((field) => [...field.matchAll(/\{([^{}]*)\}/g)].map(([, part]) => part!))
  for (const part of [...outer, ...inner]) {
    const name = /^[^.[!:{]*/.exec(part)![0]
    if (name === "") fields.auto++
    else if (/^\d+$/.test(name)) fields.highest = Math.max(fields.highest, Number(name))
    else if (/^[A-Za-z_]\w*$/.test(name)) fields.named.add(name)
    else return null
  }
  return /[{}]/.test(plain.replace(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "")) ? null : fields
}

const inspectBraces = (
  file: SourceFile,
  tree: FlatTree,
  { node, method, receiverNode, args, named }: Call,
  emit: Emit<RuleId>
): void => {
  if (method !== "format" || !tree.is(receiverNode, "string", "concatenated_string", "parenthesized_expression")) return
  const literal = bare(tree, receiverNode)
  const text = literalValue(file, literal)
  if (text === null || args.some((n) => tree.is(n, "list_splat", "dictionary_splat", "generator_expression"))) return
  const fields = braceFields(text)
  if (fields === null) return
  const expected = Math.max(fields.auto, fields.highest + 1)
  if (expected > args.length) {
    emit(mismatch(tree, node, expected, args.length, "this raises an IndexError"))
    return
  }
  const missing = [...fields.named].filter((name) => !named.has(name))
  if (missing.length > 0) emit(missingNames(tree, node, literal, missing, "the call does not pass"))
  else if (expected < args.length) {
    emit(mismatch(tree, node, expected, args.length, "the other values are silently dropped"))
  }
}

const pythonLog = /^(?:logging|(?:\w+\.)*_?(?:log|logger|LOG|LOGGER))$/
const logLevels = new Set(["debug", "info", "warning", "warn", "error", "critical", "exception", "fatal"])

const inspectPythonLog = (
  file: SourceFile,
  tree: FlatTree,
  { node, receiver, method, args }: Call,
  emit: Emit<RuleId>
): void => {
  if (receiver === null || args.length < 2 || !logLevels.has(method) || !pythonLog.test(receiver)) return
  if (!/\bimport logging\b|\blogging\.getLogger\b/.test(file.text)) return
  const text = literalValue(file, args[0]!)
  if (text === null || args.some((n) => tree.is(n, "list_splat", "dictionary_splat"))) return
  const directives = percentDirectives(text, none)
  const passed = args.length - 1
  if (directives === null || directives.named.size > 0 || directives.count === passed) return
  // A logger of the project's own, whose messages are made by `str.format`.
  if (/\{[\w.[\]]*(?:![rsa])?(?::[^{}]*)?\}/.test(text)) return
  emit(mismatch(tree, node, directives.count, passed, "a formatting error is logged instead of the message"))
}

const goFormat = /^(?:fmt\.(?:Printf|Sprintf|Errorf)|log\.(?:Printf|Fatalf|Panicf))$/
const goFormatTo = /^fmt\.(?:Fprintf|Appendf)$/
const goPrint = /^(?:fmt\.(?:Println|Print|Sprint|Sprintln)|log\.(?:Println|Print|Fatal|Fatalln))$/

const inspectGoFormat = (
  file: SourceFile,
  tree: FlatTree,
  { node, args }: Call,
  index: number,
  emit: Emit<RuleId>
): void => {
  const text = literalValue(file, args[index] ?? NONE)
  const values = args.slice(index + 1)
  // A call among the values may return several, and `...` passes any number.
  const isOpen =
    /\.\.\.\s*,?\s*\)$/.test(tree.textOf(node)) || (values.length === 1 && tree.is(values[0]!, "call_expression"))
  const directives = text === null || isOpen ? null : percentDirectives(text, none)
  if (directives === null || directives.count === values.length || directives.named.size > 0) return
  emit(mismatch(tree, node, directives.count, values.length, "the output shows %!v(MISSING) or (EXTRA) instead"))
}

/** Many projects have a package `log` of their own, whose `Fatal` may format. */
const importsLog = (file: SourceFile): boolean => /(?:^|[\s(;])"log"[ \t]*(?:$|[;)]|\/\/)/m.test(file.text)

const inspectGo = (file: SourceFile, tree: FlatTree, call: Call, emit: Emit<RuleId>): void => {
  const { node, callee, args } = call
  if (callee.startsWith("log.") && !importsLog(file)) return
  if (goFormat.test(callee)) return inspectGoFormat(file, tree, call, 0, emit)
  if (goFormatTo.test(callee)) return inspectGoFormat(file, tree, call, 1, emit)
  const text = goPrint.test(callee) && args.length > 1 ? literalValue(file, args[0]!) : null
  if (text === null || !/%[-+#]?[\d.]*[sdvqtTxf](?![a-zA-Z])/.test(text)) return
  const message = `\`${callee}\` does not format: ${quoted(tree, args[0]!)} is printed with its \`%\` directives unchanged. Use the function that ends in \`f\`.`
  emit({ rule: "format_mismatch", ...spanOf(tree, node), message })
}

const javaLog = /(?:^|\.)(?:log|logger|LOG|LOGGER|_log|_logger)$/

const inspectJava = (
  file: SourceFile,
  tree: FlatTree,
  { node, callee, receiver, method, args }: Call,
  emit: Emit<RuleId>
): void => {
  const text = args.length === 0 ? null : literalValue(file, args[0]!)
  if (text === null) return
  const values = args.slice(1)
  // One value may be an array that holds them all.
  const mayBeArray =
    values.length === 1 &&
    !tree.is(values[0]!, "string_literal", "decimal_integer_literal", "binary_expression", "object_creation_expression")
  if (callee === "String.format" || callee === "System.out.printf") {
    const directives = percentDirectives(text, /^n$/)
    if (directives === null || values.length >= directives.count || mayBeArray) return
    emit(mismatch(tree, node, directives.count, values.length, "this throws MissingFormatArgumentException"))
  } else if (
    receiver !== null &&
    javaLog.test(receiver) &&
    /^(?:trace|debug|info|warn|error)$/.test(method) &&
    values.length > 1
  ) {
    if (!file.text.includes("slf4j") || /\\/.test(text)) return
    const expected = text.split("{}").length - 1
    if (expected > values.length)
      emit(mismatch(tree, node, expected, values.length, "the last {} is printed unchanged"))
  }
}

const inspectPhp = (file: SourceFile, tree: FlatTree, { node, callee, args }: Call, emit: Emit<RuleId>): void => {
  if (!/^\\?(?:sprintf|printf)$/.test(callee) || args.length === 0) return
  const text = literalValue(file, args[0]!)
  if (text === null || args.some((n) => tree.textOf(n).startsWith("..."))) return
  const directives = percentDirectives(text, none)
  if (directives === null || directives.count <= args.length - 1 || /%'/.test(text)) return
  emit(mismatch(tree, node, directives.count, args.length - 1, "this throws an ArgumentCountError"))
}

const inspectors: Partial<Record<SourceFile["language"], { readonly text: RegExp; readonly call: typeof inspectGo }>> =
  {
    go: { text: /\b(?:fmt|log)\./, call: inspectGo },
    java: { text: /String\.format|printf|slf4j/, call: inspectJava },
    php: { text: /printf\(/, call: inspectPhp }
  }

export const formats: Check = {
  languages: languages("python", "go", "java", "php"),
  inspect: (file, tree, emit) => {
    if (file.language === "python") {
      if (file.text.includes("%")) inspectPercent(file, tree, emit)
      if (!/\.format\(|logg|LOG/.test(file.text)) return
      for (const call of calls(file)) {
        const args = call.args.filter((n) => !tree.is(n, "line_continuation"))
        inspectBraces(file, tree, { ...call, args }, emit)
        inspectPythonLog(file, tree, { ...call, args }, emit)
      }
      return
    }
    const inspector = inspectors[file.language]
    if (inspector === undefined || !inspector.text.test(file.text)) return
    for (const call of calls(file)) inspector.call(file, tree, call, emit)
  }
}
