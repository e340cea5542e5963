import type { Language } from "../../core/files/Language.ts"
import { statesOrigin } from "../../core/files/ownership/foreign.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { commentAbove } from "../../languages/code/commentAbove.ts"
import type { FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { type Complexity, cognitiveComplexity } from "../../structure/cognitiveComplexity.ts"
import { rules } from "./rules.ts"
import { type Excess, reportWorst } from "./worst.ts"

const MAX_COGNITIVE = 25
const MAX_LINES = 120
const MAX_NESTING = 5
const MAX_PARAMETERS = 7
/** A long function without decisions is a table or a list of registrations, and easy to read. */
const MIN_DECISIONS_OF_LONG = 5

const languages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "ruby",
  "php",
  "csharp",
  "rust",
  "c",
  "cpp"
])

const named = (info: FunctionInfo): string => (info.name === null ? "an anonymous function" : `\`${info.name}\``)

/** The name in the code itself: `Store.put` is our name for a method, `socket.on("open")` one for a callback. */
const ownName = ({ name }: FunctionInfo): ReadonlyArray<string> => {
  const own = /^(?:[\w$]+\.)*([\w$]+)$/.exec(name ?? "")?.[1]
  return own === undefined ? [] : [own]
}

/** The header, not the body: edits inside a function do not make it another one. */
const headerOf = (file: SourceFile, info: FunctionInfo): { readonly start: number; readonly end: number } => {
  const tree = file.tree!
  const start = tree.start(info.node)
  const end = info.body === NONE ? tree.end(info.node) : tree.start(info.body)
  return { start, end: Math.max(end, start + 1) }
}

/** Whether its comment says that it was taken from somewhere else: its authors would not split it. */
const isCopied = (file: SourceFile, { node }: FunctionInfo): boolean =>
  file.terms.owner !== null && statesOrigin(commentAbove(file, file.tree!.start(node)), file.terms.owner)

const shapeOf = ({
  cognitive,
  decisions,
  nesting,
  lines
}: Complexity): Pick<Excess, "rule" | "score" | "measure"> | null => {
  if (cognitive > MAX_COGNITIVE) {
    const rule = cognitive > 3 * MAX_COGNITIVE ? "cognitive_complexity_extreme" : "cognitive_complexity"
    return { rule, score: cognitive, measure: `cognitive complexity ${cognitive}, limit ${MAX_COGNITIVE}` }
  }
  if (nesting > MAX_NESTING) {
    return { rule: "deep_nesting", score: nesting, measure: `nested ${nesting} deep, limit ${MAX_NESTING}` }
  }
  // Blank lines, comments, markup and inner functions are not counted.
  return lines > MAX_LINES && decisions >= MIN_DECISIONS_OF_LONG
    ? { rule: "long_function", score: lines, measure: `${lines} lines, limit ${MAX_LINES}` }
    : null
}

const constructors = /^(?:constructor|__init__|__new__|__construct|initialize)$/

/** Frameworks call these by the names of their parameters. */
const namedByFramework =
  /@(?:\w+\.)*(?:option|argument|command|group|get|post|put|patch|delete|route|task|fixture|api_route|tool|query|mutation)\b/

/** Python's parameters after `*`, which callers can only give by name. */
const isKeywordOnly = (file: SourceFile, info: FunctionInfo, index: number): boolean => {
  if (file.language !== "python") return false
  const tree = file.tree!
  const first = info.parameters[0]!.node
  const list = tree.enclosing(first, "parameters", "lambda_parameters")
  const star = tree.childOfKind(list, "keyword_separator", "list_splat_pattern")
  return star !== NONE && star < info.parameters[index]!.node
}

/** A default is a value, a mark of an optional parameter, or the rest of the arguments. */
const hasDefault = (tree: FlatTree, node: number): boolean =>
  tree.child(node, "value") !== NONE ||
  tree.child(node, "default_value") !== NONE ||
  tree.childOfKind(node, "=", "equals_value_clause") !== NONE ||
  tree.is(
    node,
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "assignment_pattern",
    "optional_parameter",
    "default_parameter",
    "typed_default_parameter",
    "keyword_parameter",
    "splat_parameter",
    "hash_splat_parameter",
    "block_parameter",
    "spread_parameter",
    "variadic_parameter",
    "variadic_parameter_declaration",
    "rest_pattern"
  )

const isDecorated = (file: SourceFile, tree: FlatTree, info: FunctionInfo): boolean => {
  const holder = tree.parent(info.node)
  return (
    tree.is(holder, "decorated_definition") &&
    namedByFramework.test(file.text.slice(tree.start(holder), tree.start(info.node)))
  )
}

/** AngularJS gives a function what its parameters name. */
const injected = /^\$(?:scope|rootScope|http|q|timeout|location|window|state|compile|filter|log|injector)$/

/** `register_directive("code", codeDirective)`, `XML_SetHandler(parser, onEntity)` and `{ .open = openDisk }`. */
const handedOver: Partial<Record<Language, RegExp>> = {
  python: /[(,]\s*(\w+)\s*(?=[,)])/g,
  c: /[(,={]\s*&?(?:\w+::)*(\w+)\s*(?=[,)};])/g,
  cpp: /[(,={]\s*&?(?:\w+::)*(\w+)\s*(?=[,)};])/g
}

const namesHandedOver = ({ language, text }: SourceFile): ReadonlySet<string> => {
  const form = handedOver[language]
  return new Set(form === undefined ? [] : Array.from(text.matchAll(form), ([, name]) => name!))
}

/** Who calls a function through a pointer prescribes its parameters. */
const isCalledByPointer = (file: SourceFile, { name }: FunctionInfo): boolean => {
  const own = /\w+$/.exec(name ?? "")?.[0]
  return own !== undefined && file.memo(namesHandedOver, namesHandedOver).has(own)
}

/** `define([…], function (a, b, …) {})`, `page.evaluate((a, b, …) => …)`: who is given a function prescribes its parameters. */
const isArgument = (tree: FlatTree, { node, name }: FunctionInfo): boolean =>
  (name === null || tree.child(node, "name") === NONE) &&
  tree.is(tree.parent(node), "arguments", "argument_list", "argument")

const parametersOf = (file: SourceFile, info: FunctionInfo): number => {
  const tree = file.tree!
  // A constructor lists the parts of an object; a signature only repeats the parameters of its implementation.
  if (info.parameters.length <= MAX_PARAMETERS || info.body === NONE) return 0
  if (constructors.test(info.name ?? "") || tree.kind(info.node).includes("constructor")) return 0
  if (/@Override\b|\boverride\b/.test(file.text.slice(tree.start(info.node), tree.start(info.body)))) return 0
  if (isDecorated(file, tree, info) || isCalledByPointer(file, info) || isArgument(tree, info)) return 0
  if (info.parameters.some(({ name }) => injected.test(name))) return 0
  const required = info.parameters.filter(
    ({ name, node }, index) =>
      !/^(?:self|cls|this|&self|&mut self)$/.test(name) && !hasDefault(tree, node) && !isKeywordOnly(file, info, index)
  )
  return required.length
}

/** The worst functions of a file, for each rule, are all that the cross-file pass can need. */
const excessesOf = (file: SourceFile): ReadonlyArray<Excess> => {
  const found: Array<Excess> = []
  for (const complexity of cognitiveComplexity(file)) {
    const { info } = complexity
    const shape = shapeOf(complexity)
    const required = parametersOf(file, info)
    if ((shape === null && required <= MAX_PARAMETERS) || isCopied(file, info)) continue
    const header = headerOf(file, info)
    const at = { name: named(info), line: file.line(header.start), ...header, identifiers: ownName(info) }
    if (shape !== null) found.push({ ...shape, ...at })
    if (required > MAX_PARAMETERS) {
      const measure = `${required} required parameters, limit ${MAX_PARAMETERS}`
      found.push({ rule: "too_many_parameters", score: required, measure, ...at })
    }
  }
  return found
}

export default auditTool({
  id: "complexity",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 5,
  rules,
  appliesTo: ({ language, role }) => languages.has(language) && role === "source",
  inspect: (file) => {
    // One report names several functions: one that others may have written would make it wrong for all.
    const excesses = file.isUncertain ? [] : excessesOf(file)
    return excesses.length === 0 ? undefined : excesses
  },
  finish: reportWorst
})
