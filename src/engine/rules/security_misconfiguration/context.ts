import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

export const rangeAt = (file: SourceFile, node: number): { readonly start: number; readonly end: number } => ({
  start: file.tree!.start(node),
  end: file.tree!.end(node)
})

const MAX_SCOPE = 6_000

/** Text of the function around a node, or of the file's beginning where there is none; bounded. */
export const scopeText = (file: SourceFile, node: number): string => {
  const tree = file.tree!
  const owner = tree.enclosing(node, ...syntaxOf(file.language)!.functionKinds)
  const at = tree.start(node)
  const start = owner === NONE ? 0 : tree.start(owner)
  const end = owner === NONE ? file.text.length : tree.end(owner)
  return file.text.slice(Math.max(start, at - MAX_SCOPE / 2), Math.min(end, at + MAX_SCOPE / 2))
}

/** Names of the entries of the object literal around an entry, with their values as written. */
export const siblingsOf = (file: SourceFile, entry: number): ReadonlyMap<string, string> => {
  const tree = file.tree!
  const found = new Map<string, string>()
  const parent = tree.parent(entry)
  let count = 0
  for (let child = tree.firstChild(parent); child !== NONE && count < 60; child = tree.nextSibling(child), count++) {
    if (!tree.is(child, "pair", "keyed_element", "array_element_initializer")) continue
    const parts = tree.namedChildren(child)
    if (parts.length < 2) continue
    found.set(tree.textOf(parts[0]!).replace(/["']/g, ""), tree.textOf(parts.at(-1)!).slice(0, 300))
  }
  return found
}

/** Files that only developers' machines read. */
export const isForDevelopment = (path: string): boolean =>
  /(?:^|[/._-])(?:dev|devel|development|local|locals|test|tests|testing|ci|debug|example|sample|demo|dist|docker|playground|sandbox|e2e|cypress|storybook|template|default|defaults)(?:[/._-]|$)/i.test(
    path
  ) || /(?:Dev|Development|Debug|Test|Local)(?:[A-Z]\w*)?\.\w+$/.test(path)

const conditional =
  /^(?:if_statement|if|elif_clause|else_clause|else_if_clause|elsif|unless|if_modifier|unless_modifier|ternary_expression|conditional_expression|conditional|switch_statement|expression_case|binary_expression|boolean_operator|case_statement|switch_block)$/

/** Done only when something else holds: an option, an environment. */
export const isConditional = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) if (conditional.test(tree.kind(up))) return true
  return false
}

/** Under `if __name__ == "__main__"`. */
export const isInMainGuard = (file: SourceFile, node: number): boolean => {
  const tree = file.tree!
  for (let up = tree.parent(node); up !== NONE; up = tree.parent(up)) {
    if (tree.is(up, "if_statement") && /__name__/.test(tree.textOf(tree.child(up, "condition")).slice(0, 60)))
      return true
  }
  return false
}
