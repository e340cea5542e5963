import type { FixSite } from "../../../../core/fix/Fixer.ts"
import { localUses } from "../../../../languages/code/localUses.ts"
import { enclosingFunction } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"
import { OUTLIVES, outlivesFunction } from "./handles.ts"

/** A resource that one statement declares and opens. */
export interface Resource {
  readonly tree: FlatTree
  readonly statement: number
  readonly name: string
}

const nameOf = (tree: FlatTree, declarator: number): string => {
  const named = tree.child(declarator, "name")
  return tree.textOf(named === NONE ? tree.childOfKind(declarator, "identifier") : named)
}

/** The declaration that a match is about; declined where its name gets another value later. */
export const resourceOf = ({ file, match }: FixSite, kind: string): Resource | { readonly declined: string } => {
  const tree = file.tree
  if (tree === null) return { declined: "The file could not be parsed." }
  const declarator = tree.covering(match.start, match.end)
  const statement = tree.enclosing(declarator, kind)
  const holder = enclosingFunction(file, declarator)
  const others = [...tree.within(statement, "variable_declarator")].filter((node) => node !== declarator)
  if (statement === NONE || holder === null || others.some((node) => !tree.contains(declarator, node))) {
    return { declined: "The resource is not opened by a statement of its own." }
  }
  const name = nameOf(tree, declarator)
  const isAssigned = localUses(file, holder, name).some(
    (use) => tree.is(tree.parent(use), "assignment_expression") && tree.fieldOf(use) === "left"
  )
  if (outlivesFunction(file, tree, declarator, name)) return { declined: OUTLIVES }
  return isAssigned
    ? { declined: `\`${name}\` is assigned again, which such a resource cannot be.` }
    : { tree, statement, name }
}
