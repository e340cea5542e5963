import type { SourceFile } from "../core/files/SourceFile.ts"
import { type FlatTree, NONE } from "../languages/tree/FlatTree.ts"

const hidingWord = /^(?:private|protected)$/
const visibilityWord = /^(?:public|private|protected)$/

/** The names in `private :find, :load`. */
const namedBy = (tree: FlatTree, call: number): ReadonlyArray<string> =>
  tree.is(call, "call") && hidingWord.test(tree.textOf(tree.child(call, "method")))
    ? tree.namedChildren(tree.child(call, "arguments")).map((one) => tree.textOf(one).replace(/^:/, ""))
    : []

/** The hidden methods of one body: those below `private`, and those that it names. */
const hiddenIn = (file: SourceFile, body: number): ReadonlySet<number> => {
  const tree = file.tree!
  const parts = tree.namedChildren(body)
  const named = new Set(parts.flatMap((part) => namedBy(tree, part)))
  const found = new Set<number>()
  let word: string | null = null
  for (const part of parts) {
    const text = tree.is(part, "identifier") ? tree.textOf(part) : ""
    if (visibilityWord.test(text)) word = text
    if (!tree.is(part, "method")) continue
    const isHidden = word === null ? named.has(tree.textOf(tree.child(part, "name"))) : word !== "public"
    if (isHidden) found.add(part)
  }
  return found
}

/** Only the object itself calls what stands below `private`, or is named after it. */
export const isHiddenInRuby = (file: SourceFile, method: number): boolean => {
  const tree = file.tree!
  if (!tree.is(method, "method")) return false
  const list = tree.parent(method)
  if (tree.is(list, "argument_list")) return hidingWord.test(tree.textOf(tree.child(tree.parent(list), "method")))
  return list !== NONE && file.memoAt(list, hiddenIn).has(method)
}
