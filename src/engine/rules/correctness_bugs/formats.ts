import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit, type Match } from "../../core/tool/AuditTool.ts"
import { binaries } from "../../languages/code/binaries.ts"
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
  let count = 0
  const named = new Set<string>()
  for (const [whole, name, , width, precision, verb] of text.matchAll(percent)) {
    if (whole === "%%" || ignored.test(verb ?? "")) continue
    if (name !== undefined) named.add(name.slice(1, -1))
    else count += 1 + (width === "*" ? 1 : 0) + (precision === "*" ? 1 : 0)
  }
  // A percent sign that begins nothing known: then the text is not what it seems.
  const rest = text.replace(percent, "")
  return rest.includes("%") ? null : { count, named }
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const mismatch = (tree: FlatTree, node: number, wanted: number, given: number, outcome: string): Match<RuleId> => ({
  rule: "format_mismatch",
  ...spanOf(tree, node),
  message: `The format ${quoted(tree, node, 70)} takes ${plural(wanted, "value")}, but ${given} ${given === 1 ? "is" : "are"} given: ${outcome}.`
})

const none = /^$/

const missingNames = (
  tree: FlatTree,
  node: number,
  format: number,
  names: ReadonlyArray<string>,
  lack: string
): Match<RuleId> => ({
  rule: "format_mismatch",
  ...spanOf(tree, node),
  message: `The format ${quoted(tree, format)} needs \`${names.join("`, `")}\`, which ${lack}: this raises a KeyError.`
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

/** How many values stand after the `%`; null when that is not known. */
const valuesGiven = (tree: FlatTree, values: number, wanted: number): number | null => {
  if (tree.is(values, "tuple")) return tupleLength(tree, values)
  return wanted > 1 && tree.is(values, "string", "integer", "float") ? 1 : null
}

const inspectPercent = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, left, operator, right } of binaries(file)) {
    if (operator !== "%" || !tree.is(left, "string", "concatenated_string")) continue
    const text = literalValue(file, left)
    if (text === null || /^[bB]?[fF]/.test(tree.textOf(left).slice(0, 3))) continue
    const directives = percentDirectives(text, none)
    if (directives === null) continue
    const values = bare(tree, right)
    const { count, named } = directives
    if (named.size === 0) {
      const given = valuesGiven(tree, values, count)
      if (given !== null && given !== count) emit(mismatch(tree, node, count, given, "this raises a TypeError"))
    } else if (count === 0 && tree.is(values, "dictionary")) {
      const keys = dictKeys(file, tree, values)
      const missing = keys === null ? [] : [...named].filter((name) => !keys.has(name))
      if (missing.length > 0) emit(missingNames(tree, node, left, missing, "the dict does not have"))
    }
  }
}

/** Fields of `"{} {0} {name}".format(…)`; null when they cannot be told for sure. */
const braceFields = (text: string): { auto: number; highest: number; named: Set<string> } | null => {
  if (text.length > 5_000) return null
  const fields = { auto: 0, highest: -1, named: new Set<string>() }
  const plain = text.replace(/\{\{|\}\}/g, "")
  for (const [, field] of plain.matchAll(/\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}/g)) {
    for (const part of [field!, ...[...field!.matchAll(/\{([^{}]*)\}/g)].map(([, inner]) => inner!)]) {
      const name = /^[^.[!:{]*/.exec(part)![0]
      if (name === "") fields.auto++
      else if (/^\d+$/.test(name)) fields.highest = Math.max(fields.highest, Number(name))
      else if (/^[A-Za-z_]\w*$/.test(name)) fields.named.add(name)
      else return null
    }
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
  const wanted = Math.max(fields.auto, fields.highest + 1)
  if (wanted > args.length) {
    emit(mismatch(tree, node, wanted, args.length, "this raises an IndexError"))
    return
  }
  const missing = [...fields.named].filter((name) => !named.has(name))
  if (missing.length > 0) emit(missingNames(tree, node, literal, missing, "`format` is not given"))
  else if (wanted < args.length) {
    emit(mismatch(tree, node, wanted, args.length, "the rest is left out without a word"))
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
  const given = args.length - 1
  if (directives === null || directives.named.size > 0 || directives.count === given) return
  if (/\{\w*\}/.test(text)) return
  emit(mismatch(tree, node, directives.count, given, "the message is not logged, an error about formatting is"))
}

const goFormat = /^(?:fmt\.(?:Printf|Sprintf|Errorf)|log\.(?:Printf|Fatalf|Panicf))$/
const goFormatTo = /^fmt\.(?:Fprintf|Appendf)$/
const goPrint = /^(?:fmt\.(?:Println|Print|Sprint|Sprintln)|log\.(?:Println|Print|Fatal|Fatalln))$/

const inspectGo = (file: SourceFile, tree: FlatTree, { node, callee, args }: Call, emit: Emit<RuleId>): void => {
  const at = goFormat.test(callee) ? 0 : goFormatTo.test(callee) ? 1 : -1
  if (at >= 0) {
    const format = args[at] ?? NONE
    const text = literalValue(file, format)
    const values = args.slice(at + 1)
    // A call among the values may give several, and `...` any number.
    if (
      text === null ||
      /\.\.\.\s*,?\s*\)$/.test(tree.textOf(node)) ||
      (values.length === 1 && tree.is(values[0]!, "call_expression"))
    )
      return
    const directives = percentDirectives(text, none)
    if (directives === null || directives.count === values.length || directives.named.size > 0) return
    emit(mismatch(tree, node, directives.count, values.length, "the output shows %!v(MISSING) or (EXTRA) instead"))
  } else if (goPrint.test(callee) && args.length > 1) {
    const text = literalValue(file, args[0]!)
    if (text === null || !/%[-+#]?[\d.]*[sdvqtTxf](?![a-zA-Z])/.test(text)) return
    const message = `\`${callee}\` does not format: ${quoted(tree, args[0]!)} is printed with its \`%\` directives as they are. Use the function that ends in \`f\`.`
    emit({ rule: "format_mismatch", ...spanOf(tree, node), message })
  }
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
    const wanted = text.split("{}").length - 1
    if (wanted > values.length) emit(mismatch(tree, node, wanted, values.length, "the last {} is printed as it is"))
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
