import { declined, type FixSite, type Proposal } from "../../../../core/fix/Fixer.ts"
import { indentationAt } from "../../../../languages/edits/style.ts"
import { enclosingFunction } from "../../../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../../../languages/tree/FlatTree.ts"
import { OUTLIVES, outlivesFunction } from "./handles.ts"

const leaves = ["return_statement", "continue_statement", "break_statement", "goto_statement"]
const ends = /^(?:panic|os\.Exit|(?:log|t|b|tb)\.Fatal\w*|(?:t|b)\.FailNow|runtime\.Goexit)\(/

/** `if err != nil { … }` whose end is left: behind it the resource is there. */
const isErrorCheck = (tree: FlatTree, statement: number, error: string): boolean => {
  if (!tree.is(statement, "if_statement") || tree.child(statement, "initializer") !== NONE) return false
  if (tree.textOf(tree.child(statement, "condition")).replace(/\s/g, "") !== `${error}!=nil`) return false
  if (tree.child(statement, "alternative") !== NONE) return false
  const block = tree.child(statement, "consequence")
  const list = tree.childOfKind(block, "statement_list")
  const last = tree.namedChildren(list === NONE ? block : list).at(-1) ?? NONE
  return tree.is(last, ...leaves) || ends.test(tree.textOf(last))
}

/** `defer f.Close()` behind the check of the error that came with the resource. */
export const deferClose = ({ file, match }: FixSite, member: string): Proposal => {
  const tree = file.tree
  if (tree === null) return declined("The file could not be parsed.")
  const declaration = tree.covering(match.start, match.end)
  const names = tree.namedChildren(tree.child(declaration, "left")).map((node) => tree.textOf(node))
  const [resource, error] = names
  if (
    !tree.is(declaration, "short_var_declaration") ||
    names.length !== 2 ||
    resource === undefined ||
    error === undefined
  ) {
    return declined("The declaration is not of the form `resource, err :=`.")
  }
  const loop = tree.enclosing(declaration, "for_statement")
  if (loop > (enclosingFunction(file, declaration)?.node ?? NONE)) {
    return declined("In a loop, `defer` would keep all of them open until the function ends.")
  }
  const check = tree.children(tree.parent(declaration)).find((node) => node > declaration && tree.isNamed(node)) ?? NONE
  if (!isErrorCheck(tree, check, error))
    return declined("The error is not checked right behind, so there may be nothing to close.")
  if (outlivesFunction(file, tree, declaration, resource)) return declined(OUTLIVES)
  const at = tree.end(check)
  return {
    edits: [
      { start: at, end: at, text: `\n${indentationAt(file, tree.start(declaration))}defer ${resource}.${member}()` }
    ],
    summary: `Close what \`${resource}\` holds when the function ends`
  }
}
