import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Emit } from "../../core/tool/AuditTool.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { type Assignment, assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const isFew = (tree: FlatTree, loop: number): boolean => {
  const right = tree.child(loop, "right")
  return tree.is(right, "list", "tuple") || /^range\(\s*\d{1,2}\s*\)$/.test(tree.textOf(right).slice(0, 20))
}

/** Names that certainly hold a list, each in its function: `rows = []`, `rows = list(…)`, `rows = [… for …]`. */
const scoped = (file: SourceFile, node: number, name: string): string =>
  name.includes(".") ? name : `${enclosingFunction(file, node)?.node ?? NONE} ${name}`

const computeLists = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree!
  const found = new Set<string>()
  const others = new Set<string>()
  for (const { node, target, value } of assignments(file)) {
    if (value === NONE || tree.is(node, "keyword_argument", "pair")) continue
    const isList =
      tree.is(value, "list", "list_comprehension") || /^(?:list|sorted)\(/.test(tree.textOf(value).slice(0, 8))
    ;(isList ? found : others).add(scoped(file, node, target))
  }
  for (const name of others) found.delete(name)
  return found
}

/** `rows = rows + [row]`, `rows = [*rows, row]`, `all = {**all, key: row}` */
const copiesItself = (tree: FlatTree, { node, target, value, operator }: Assignment): boolean => {
  if (operator !== "=" || !/^\w+$/.test(target) || value === NONE || !tree.is(node, "assignment")) return false
  const text = tree.textOf(value).slice(0, target.length + 8)
  if (tree.is(value, "binary_operator")) return text.startsWith(`${target} + [`)
  if (!tree.is(value, "list", "dictionary")) return false
  // Literal keys are assigned again, and add nothing.
  const pairs = tree.is(value, "dictionary") ? tree.namedChildren(value).filter((part) => tree.is(part, "pair")) : []
  const isFixed = pairs.length > 0 && pairs.every((pair) => tree.is(tree.child(pair, "key"), "string"))
  return !isFixed && (text.startsWith(`[*${target},`) || text.startsWith(`{**${target},`))
}

const inspectCopies = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const assignment of assignments(file)) {
    const { node, target } = assignment
    if (!copiesItself(tree, assignment)) continue
    const loop = loopAround(file, node)
    if (loop === NONE || isFew(tree, loop)) continue
    const message = `${excerpt(tree, node)} copies everything collected so far in each iteration of the loop.`
    emit({ rule: "copied_accumulator", ...span(tree, node), message, identifiers: [target] })
  }
}

export const inspectPython = (file: SourceFile, emit: Emit<RuleId>): void => {
  const hasHeads = file.text.includes(".pop(0)")
  const hasCopies = /=\s*(?:\[\*|\{\*\*|\w+ \+ \[)/.test(file.text)
  const tree = hasHeads || hasCopies ? file.tree : null
  if (tree === null) return
  if (hasCopies) inspectCopies(file, tree, emit)
  if (!hasHeads) return
  const lists = computeLists(file)
  for (const { node, method, receiver, args } of calls(file)) {
    if (method !== "pop" || receiver === null || tree.textOf(args[0] ?? NONE) !== "0") continue
    if (lists.has(scoped(file, node, receiver))) inspectHead(file, tree, node, receiver, emit)
  }
}

const inspectHead = (file: SourceFile, tree: FlatTree, node: number, receiver: string, emit: Emit<RuleId>): void => {
  const loop = loopAround(file, node)
  if (loop === NONE || isFew(tree, loop)) return
  // A loop that leaves after the call makes it once.
  if (tree.is(tree.nextSibling(tree.parent(node)), "break_statement", "return_statement")) return
  const message = `${excerpt(tree, node)} moves all elements of \`${receiver}\` in each iteration of the loop.`
  emit({ rule: "list_head_in_loop", ...span(tree, node), message, identifiers: [receiver.replace(/^.*\./, "")] })
}
