import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import type { Import } from "../../languages/syntax/Syntax.ts"
import { imports } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import {
  DEFERRED,
  EAGER,
  type ImportFact,
  type ImportFacts,
  LATE,
  OPTIONAL,
  REEXPORT,
  TYPE_ONLY
} from "./ImportFacts.ts"

/** Languages whose imports lead to files or packages of the repository. */
export const graphLanguages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "ruby",
  "rust"
])

const attempts = ["try_statement", "begin", "rescue"]
const conditions = ["if_statement", "elif_clause", "else_clause", "ternary_expression", "if", "unless"]

interface Use {
  used: boolean
  eager: boolean
}

const typePositions = ["nested_type_identifier", "type_query", "index_type_query", "type_predicate"]

const isTypePosition = (tree: FlatTree, node: number): boolean => {
  let parent = tree.parent(node)
  while (tree.is(parent, "nested_identifier", "member_expression") && tree.fieldOf(node) !== "property") {
    if (!tree.is(tree.parent(parent), "nested_identifier", ...typePositions)) break
    parent = tree.parent(parent)
  }
  return tree.is(parent, ...typePositions)
}

const isInstanceField = (tree: FlatTree, field: number): boolean =>
  tree.is(field, "public_field_definition", "field_definition") && tree.childOfKind(field, "static") === NONE

/** Runs when the file is loaded: not in a function, nor in a field that each instance sets for itself. */
const isAtLoad = (tree: FlatTree, node: number, functionKinds: ReadonlyArray<string>): boolean => {
  const holder = tree.enclosing(node, ...functionKinds, "public_field_definition", "field_definition")
  if (holder === NONE) return true
  if (!isInstanceField(tree, holder)) return tree.is(holder, "public_field_definition", "field_definition")
  return tree.enclosing(node, "decorator") > holder
}

/** How each imported name is used in the rest of the file, as far as values go. */
const usesOf = (
  tree: FlatTree,
  all: ReadonlyArray<Import>,
  functionKinds: ReadonlyArray<string>
): ReadonlyMap<string, Use> => {
  const uses = new Map<string, Use>()
  for (const { names } of all) for (const { local } of names) uses.set(local, { used: false, eager: false })
  if (uses.size === 0) return uses
  for (const node of tree.of("identifier", "shorthand_property_identifier")) {
    const use = uses.get(tree.textOf(node))
    if (use === undefined || (use.used && use.eager)) continue
    const parent = tree.parent(node)
    if (
      tree.is(
        parent,
        "import_specifier",
        "import_clause",
        "namespace_import",
        "import_require_clause",
        "aliased_import",
        "dotted_name",
        "variable_declarator"
      )
    ) {
      if (tree.fieldOf(node) !== "value" || tree.is(parent, "aliased_import")) continue
    }
    if (isTypePosition(tree, node)) continue
    use.used = true
    if (!tree.is(parent, "export_specifier") && isAtLoad(tree, node, functionKinds)) use.eager = true
  }
  return uses
}

const isTypeSpecifiers = (tree: FlatTree, node: number): boolean => {
  const clause = tree.childOfKind(node, "import_clause")
  const list = tree.childOfKind(clause === NONE ? node : clause, "named_imports", "export_clause")
  if (list === NONE || tree.namedChildren(clause === NONE ? list : clause).length === 0) return false
  if (clause !== NONE && tree.namedChildren(clause).length > 1) return false
  const specifiers = tree.namedChildren(list)
  return specifiers.length > 0 && specifiers.every((one) => tree.childOfKind(one, "type") !== NONE)
}

const scriptFlags = (
  tree: FlatTree,
  one: Import,
  uses: ReadonlyMap<string, Use>,
  isTyped: boolean,
  functionKinds: ReadonlyArray<string>
): number => {
  const { node, names, typeOnly } = one
  if (tree.is(node, "call_expression")) {
    const isDynamic = tree.is(tree.child(node, "function"), "import")
    const isLate = isDynamic || tree.enclosing(node, ...functionKinds) !== NONE
    const isOptional = tree.enclosing(node, ...attempts, ...conditions) !== NONE
    // `require("x").y` and the like use the module on the spot.
    const isUsed =
      names.some(({ local }) => uses.get(local)?.eager === true) ||
      (names.length === 0 && tree.is(tree.parent(node), "member_expression", "call_expression"))
    return (isLate ? DEFERRED : 0) | (isOptional ? OPTIONAL : 0) | (isUsed && !isLate ? EAGER : 0)
  }
  if (typeOnly || isTypeSpecifiers(tree, node)) return TYPE_ONLY
  if (tree.is(node, "export_statement")) return REEXPORT
  if (names.length === 0) return 0
  // The compiler leaves out imports of which only types are used.
  if (isTyped && names.every(({ local }) => uses.get(local)?.used === false)) return TYPE_ONLY
  return names.some(({ local }) => uses.get(local)?.eager === true) ? EAGER : 0
}

const collectScript = (file: SourceFile, tree: FlatTree): ReadonlyArray<ImportFact> => {
  const all = imports(file)
  const functionKinds = syntaxOf(file.language)!.functionKinds
  const isTyped = file.language !== "javascript"
  const uses = usesOf(tree, all, functionKinds)
  return all.map((one) => ({
    specifier: one.module,
    start: tree.start(one.node),
    end: tree.end(one.node),
    flags: scriptFlags(tree, one, uses, isTyped, functionKinds),
    names: []
  }))
}

const collectPython = (file: SourceFile, tree: FlatTree): ReadonlyArray<ImportFact> => {
  const all = imports(file)
  const functionKinds = syntaxOf("python")!.functionKinds
  const uses = usesOf(tree, all, functionKinds)
  const facts: Array<ImportFact> = []
  const lastDefinition = tree
    .children(0)
    .findLast((n) => tree.is(n, "class_definition", "function_definition", "decorated_definition"))
  for (const { node, module, names } of all) {
    if (module === "__future__") continue
    const block = tree.enclosing(node, "if_statement")
    const condition = block === NONE ? "" : tree.textOf(tree.child(block, "condition"))
    const isTyping = condition.includes("TYPE_CHECKING")
    const isScript = condition.includes("__name__")
    const isFrom = tree.is(node, "import_from_statement")
    const isUsed = names.some(({ local }) => uses.get(local)?.eager === true)
    const flags =
      (isTyping ? TYPE_ONLY : 0) |
      (isScript || tree.enclosing(node, ...functionKinds) !== NONE ? DEFERRED : 0) |
      (tree.enclosing(node, "try_statement", "if_statement") !== NONE ? OPTIONAL : 0) |
      (isUsed ? EAGER : 0) |
      (node > (lastDefinition ?? tree.size) ? LATE : 0)
    facts.push({
      specifier: module,
      start: tree.start(node),
      end: tree.end(node),
      flags,
      names: isFrom ? names.map(({ imported }) => imported) : []
    })
  }
  return facts
}

const collectPlain = (file: SourceFile, tree: FlatTree): ReadonlyArray<ImportFact> => {
  const functionKinds = syntaxOf(file.language)!.functionKinds
  return imports(file).map(({ node, module }) => ({
    specifier: module,
    start: tree.start(node),
    end: tree.end(node),
    flags: tree.enclosing(node, ...functionKinds) === NONE ? 0 : DEFERRED,
    names:
      tree.childOfKind(node, "asterisk") !== NONE ? ["*"] : tree.childOfKind(node, "static") !== NONE ? ["static"] : []
  }))
}

const unitOf = (file: SourceFile, tree: FlatTree): string | null => {
  if (file.language !== "java") return null
  const declared = tree.of("package_declaration")[0]
  return declared === undefined
    ? ""
    : tree.textOf(tree.childOfKind(declared, "scoped_identifier", "identifier")).replace(/\s+/g, "")
}

const ambient = /\bdeclare\s+module\s+["']([^"'\n]{1,200})["']/g

const compute = (file: SourceFile): ImportFacts => {
  const tree = file.tree
  if (tree === null || !graphLanguages.has(file.language)) return { imports: [], unit: null, declares: [] }
  const isScript = ruleLanguageOf(file.language) === "javascript"
  const found = isScript
    ? collectScript(file, tree)
    : file.language === "python"
      ? collectPython(file, tree)
      : collectPlain(file, tree)
  const declares =
    isScript && file.text.includes("declare module") ? [...file.text.matchAll(ambient)].map(([, name]) => name!) : []
  return { imports: found, unit: unitOf(file, tree), declares }
}

export const importFacts = (file: SourceFile): ImportFacts => file.memo(compute, compute)
