import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import type { FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import { type Complexity, cognitiveComplexity } from "../../structure/cognitiveComplexity.ts"
import { type RuleId, rules } from "./rules.ts"

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

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const named = (info: FunctionInfo): string => (info.name === null ? "This function" : `\`${info.name}\``)

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

const shapeMatch = (
  file: SourceFile,
  { info, cognitive, decisions, nesting, lines }: Complexity
): Match<RuleId> | null => {
  const at = { ...headerOf(file, info), identifiers: ownName(info) }
  if (cognitive > MAX_COGNITIVE) {
    const message =
      `${named(info)} has a cognitive complexity of ${cognitive} (limit ${MAX_COGNITIVE}): ` +
      `${plural(decisions, "decision")}, nested up to ${nesting} deep, in ${plural(lines, "line")}.`
    const isExtreme = cognitive > 3 * MAX_COGNITIVE
    return { ...at, rule: isExtreme ? "cognitive_complexity_extreme" : "cognitive_complexity", message }
  }
  if (nesting > MAX_NESTING) {
    const message = `${named(info)} nests control flow ${nesting} deep (limit ${MAX_NESTING}).`
    return { ...at, rule: "deep_nesting", message }
  }
  if (lines > MAX_LINES && decisions >= MIN_DECISIONS_OF_LONG) {
    const message =
      `${named(info)} is ${lines} lines long (limit ${MAX_LINES}, without blank lines, comments, markup and inner ` +
      `functions) and takes ${plural(decisions, "decision")}.`
    return { ...at, rule: "long_function", message }
  }
  return null
}

const constructors = /^(?:constructor|__init__|__new__|__construct|initialize)$/

const parametersMatch = (file: SourceFile, info: FunctionInfo): Match<RuleId> | null => {
  const tree = file.tree!
  // A constructor lists the parts of an object; a signature only repeats the parameters of its implementation.
  if (info.parameters.length <= MAX_PARAMETERS || info.body === NONE) return null
  if (constructors.test(info.name ?? "") || tree.kind(info.node).includes("constructor")) return null
  const isOverride = /@Override\b|\boverride\b/.test(file.text.slice(tree.start(info.node), tree.start(info.body)))
  const required = info.parameters.filter(
    ({ name, node }) =>
      !/^(?:self|cls|this|&self|&mut self)$/.test(name) &&
      tree.child(node, "value") === NONE &&
      tree.child(node, "default_value") === NONE &&
      !tree.is(node, "list_splat_pattern", "dictionary_splat_pattern", "assignment_pattern", "optional_parameter")
  )
  if (required.length <= MAX_PARAMETERS || isOverride) return null
  const message = `${named(info)} takes ${required.length} required parameters (limit ${MAX_PARAMETERS}).`
  return { ...headerOf(file, info), rule: "too_many_parameters", message }
}

export default auditTool({
  id: "complexity",
  suite: "standard",
  kind: "finding",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => languages.has(language) && role === "source",
  inspect: (file, emit) => {
    for (const complexity of cognitiveComplexity(file)) {
      const shape = shapeMatch(file, complexity)
      if (shape !== null) emit(shape)
      const parameters = parametersMatch(file, complexity.info)
      if (parameters !== null) emit(parameters)
    }
  }
})
