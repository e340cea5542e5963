import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import { syntaxOf } from "./languages.ts"
import type { Assignment, Call, FunctionInfo, Import, Syntax } from "./Syntax.ts"

export type { Assignment, Call, FunctionInfo, Import, ImportedName, Parameter } from "./Syntax.ts"

const collect = <A>(
  file: SourceFile,
  kinds: (syntax: Syntax) => ReadonlyArray<string>,
  at: (syntax: Syntax, tree: FlatTree, node: number, out: Array<A>) => void
): ReadonlyArray<A> => {
  const syntax = syntaxOf(file.language)
  const tree = syntax === null ? null : file.tree
  if (syntax === null || tree === null) return []
  const out: Array<A> = []
  for (const node of tree.of(...kinds(syntax))) at(syntax, tree, node, out)
  return out
}

const computeFunctions = (file: SourceFile) =>
  collect<FunctionInfo>(
    file,
    (syntax) => syntax.functionKinds,
    (syntax, tree, node, out) => {
      const info = syntax.functionAt(tree, node)
      if (info !== null) out.push(info)
    }
  )

const computeCalls = (file: SourceFile) =>
  collect<Call>(
    file,
    (syntax) => syntax.callKinds,
    (syntax, tree, node, out) => {
      const call = syntax.callAt(tree, node)
      if (call !== null) out.push(call)
    }
  )

const computeImports = (file: SourceFile) =>
  collect<Import>(
    file,
    (syntax) => syntax.importKinds,
    (syntax, tree, node, out) => out.push(...syntax.importsAt(tree, node))
  )

const computeAssignments = (file: SourceFile) =>
  collect<Assignment>(
    file,
    (syntax) => syntax.assignmentKinds,
    (syntax, tree, node, out) => out.push(...syntax.assignmentsAt(tree, node))
  )

/** Functions, methods and lambdas, in document order. */
export const functions = (file: SourceFile): ReadonlyArray<FunctionInfo> =>
  file.memo(computeFunctions, computeFunctions)

/** Calls and constructions, in document order (an outer call before those in its arguments). */
export const calls = (file: SourceFile): ReadonlyArray<Call> => file.memo(computeCalls, computeCalls)

export const imports = (file: SourceFile): ReadonlyArray<Import> => file.memo(computeImports, computeImports)

/** Assignments, declarations with a value, and named entries of literals (`{ key: value }`, `key=value`). */
export const assignments = (file: SourceFile): ReadonlyArray<Assignment> =>
  file.memo(computeAssignments, computeAssignments)

/** Local name -> where it comes from, for `db` in `import db from "./db"`. */
const computeImported = (
  file: SourceFile
): ReadonlyMap<string, { readonly module: string; readonly imported: string }> => {
  const known = new Map<string, { readonly module: string; readonly imported: string }>()
  for (const { module, names } of imports(file)) {
    for (const { imported, local } of names) known.set(local, { module, imported })
  }
  return known
}
export const importedNames = (file: SourceFile) => file.memo(computeImported, computeImported)

/** Innermost function that holds a node, or null at top level. */
export const enclosingFunction = (file: SourceFile, node: number): FunctionInfo | null => {
  const syntax = syntaxOf(file.language)
  const tree = file.tree
  if (syntax === null || tree === null) return null
  const found = tree.enclosing(node, ...syntax.functionKinds)
  return found === NONE ? null : syntax.functionAt(tree, found)
}
