import type { SourceFile } from "../../core/files/SourceFile.ts"
import { ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { compact } from "../../languages/syntax/Syntax.ts"
import { importedNames } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"

/**
 * A name under which a module exports something: what it is called in `module`, or in the file itself when that is "".
 * "*" stands for all names of a module.
 */
export type ExportFact = readonly [name: string, module: string, of: string]

const MAX_EXPORTS = 200

const mayReexport = /\bexport\b[^\n]{0,400}?\bfrom\b|\bexport\s*\{|\bexport\s+default\b|\bexports\b/

const unquote = (text: string): string => text.replace(/^["'`](.*)["'`]$/s, "$1")

/** Where a name of the file comes from: a module it imports, or the file itself. */
const targetOf = (file: SourceFile, name: string): readonly [module: string, of: string] => {
  const imported = importedNames(file).get(name)
  return imported === undefined ? ["", name] : [imported.module, imported.imported]
}

/** `require("./x")`, `require("./x").y`, `y`, `new Y()`, `Y.instance`. */
const valueTarget = (file: SourceFile, tree: FlatTree, value: number): readonly [string, string] | null => {
  const text = compact(tree.textOf(value)).slice(0, 200)
  const required = /^require\(["']([^"']+)["']\)(?:\.(\w+))?(?:\(.*)?$/s.exec(text)
  if (required !== null) return [required[1]!, required[2] ?? "*"]
  const name = /^(?:new\s+)?([A-Za-z_$][\w$]*)(?:\(.*\)|\.\w+)?$/s.exec(text)?.[1]
  return name === undefined || /^(?:function|class|async)$/.test(name) ? null : targetOf(file, name)
}

const fromStatement = (file: SourceFile, tree: FlatTree, node: number): ReadonlyArray<ExportFact> => {
  const source = tree.child(node, "source")
  const module = source === NONE ? "" : unquote(tree.textOf(source))
  const clause = tree.childOfKind(node, "export_clause")
  if (clause !== NONE) {
    return tree.namedChildren(clause).map((specifier): ExportFact => {
      const name = tree.textOf(tree.child(specifier, "name"))
      const alias = tree.child(specifier, "alias")
      const shown = alias === NONE ? name : tree.textOf(alias)
      return module === "" ? [shown, ...targetOf(file, name)] : [shown, module, name]
    })
  }
  if (module !== "") {
    const namespace = tree.childOfKind(node, "namespace_export")
    return [[namespace === NONE ? "*" : tree.textOf(tree.namedChildren(namespace)[0] ?? NONE), module, "*"]]
  }
  const value = tree.child(node, "value")
  const target = value === NONE ? null : valueTarget(file, tree, value)
  return target === null ? [] : [["default", ...target]]
}

const fromAssignment = (file: SourceFile, tree: FlatTree, node: number): ReadonlyArray<ExportFact> => {
  const left = compact(tree.textOf(tree.child(node, "left")))
  const right = tree.child(node, "right")
  const single = /^(?:module\.)?exports\.([\w$]+)$/.exec(left)
  if (single !== null) {
    const target = valueTarget(file, tree, right)
    return target === null ? [] : [[single[1]!, ...target]]
  }
  if (left !== "module.exports") return []
  if (!tree.is(right, "object")) {
    const target = valueTarget(file, tree, right)
    return target === null ? [] : [[target[1] === "*" ? "*" : "default", ...target]]
  }
  return tree.namedChildren(right).flatMap((part): ReadonlyArray<ExportFact> => {
    if (tree.is(part, "shorthand_property_identifier")) {
      return [[tree.textOf(part), ...targetOf(file, tree.textOf(part))]]
    }
    if (tree.is(part, "spread_element")) {
      const target = valueTarget(file, tree, tree.namedChildren(part)[0] ?? NONE)
      return target === null ? [] : [["*", ...target]]
    }
    if (!tree.is(part, "pair")) return []
    const target = valueTarget(file, tree, tree.child(part, "value"))
    return target === null ? [] : [[unquote(tree.textOf(tree.child(part, "key"))), ...target]]
  })
}

/** The exports of a module that a name alone does not lead to; those of its own functions only where it has facts of them. */
export const exportsOf = (file: SourceFile, hasFunctions: boolean): ReadonlyArray<ExportFact> => {
  if (ruleLanguageOf(file.language) !== "javascript" || !mayReexport.test(file.text)) return []
  const tree = file.tree
  if (tree === null) return []
  const found: Array<ExportFact> = []
  for (const node of tree.of("export_statement")) found.push(...fromStatement(file, tree, node))
  if (/\bexports\b/.test(file.text)) {
    for (const node of tree.of("assignment_expression")) found.push(...fromAssignment(file, tree, node))
  }
  return found
    .filter(([name, module, of]) => (module === "" ? hasFunctions && name !== of : true))
    .slice(0, MAX_EXPORTS)
}
