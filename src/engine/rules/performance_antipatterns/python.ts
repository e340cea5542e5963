import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Emit } from "../../core/tool/AuditTool.ts"
import { loopAround } from "../../languages/code/loops.ts"
import { assignments, calls, enclosingFunction } from "../../languages/syntax/vocabulary.ts"
import { excerpt, span } from "../../languages/tree/excerpt.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import type { RuleId } from "./rules.ts"

const isFew = (tree: FlatTree, loop: number): boolean => {
  const right = tree.child(loop, "right")
  return tree.is(right, "list", "tuple") || /^range\(\s*\d{1,2}\s*\)$/.test(tree.textOf(right).slice(0, 20))
}

/** Names that hold a list for certain, each in its function: `rows = []`, `rows = list(…)`, `rows = [… for …]`. */
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

const inspectCopies = (file: SourceFile, tree: FlatTree, emit: Emit<RuleId>): void => {
  for (const { node, target, value, operator } of assignments(file)) {
    if (operator !== "=" || !/^\w+$/.test(target) || value === NONE || !tree.is(node, "assignment")) continue
    const text = tree.textOf(value).slice(0, target.length + 8)
    const isAdded = tree.is(value, "binary_operator") && text.startsWith(`${target} + [`)
    const isSpread =
      tree.is(value, "list", "dictionary") && (text.startsWith(`[*${target},`) || text.startsWith(`{**${target},`))
    if (!isAdded && !isSpread) continue
    // Keys that are written down are set anew, and add nothing.
    const pairs = tree.is(value, "dictionary") ? tree.namedChildren(value).filter((part) => tree.is(part, "pair")) : []
    if (pairs.length > 0 && pairs.every((pair) => tree.is(tree.child(pair, "key"), "string"))) continue
    const loop = loopAround(file, node)
    if (loop === NONE || isFew(tree, loop)) continue
    const message = `${excerpt(tree, node)} copies everything collected so far in each round of the loop.`
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
    if (method !== "pop" || receiver === null || !lists.has(scoped(file, node, receiver))) continue
    if (tree.textOf(args[0] ?? NONE) !== "0") continue
    const loop = loopAround(file, node)
    if (loop === NONE || isFew(tree, loop)) continue
    // What happens at most once per loop ends it.
    if (tree.is(tree.nextSibling(tree.parent(node)), "break_statement", "return_statement")) continue
    const message = `${excerpt(tree, node)} moves all of \`${receiver}\` in each round of the loop.`
    emit({ rule: "list_head_in_loop", ...span(tree, node), message, identifiers: [receiver.replace(/^.*\./, "")] })
  }
}
