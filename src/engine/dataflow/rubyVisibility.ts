import { type FlatTree, NONE } from "../languages/tree/FlatTree.ts"

const hidingWord = /^(?:private|protected)$/
const visibilityWord = /^(?:public|private|protected)$/

/** `private :find, :load` and `private def find`: the call that names a method or holds its definition. */
const hides = (tree: FlatTree, call: number, name: string): boolean =>
  tree.is(call, "call") &&
  hidingWord.test(tree.textOf(tree.child(call, "method"))) &&
  tree.namedChildren(tree.child(call, "arguments")).some((one) => tree.textOf(one) === `:${name}`)

/** Only the object itself calls what stands below `private`, or is named after it. */
export const isHiddenInRuby = (tree: FlatTree, method: number): boolean => {
  if (!tree.is(method, "method")) return false
  const list = tree.parent(method)
  if (tree.is(list, "argument_list")) return hidingWord.test(tree.textOf(tree.child(tree.parent(list), "method")))
  const name = tree.textOf(tree.child(method, "name"))
  const siblings = tree.namedChildren(list)
  const words = siblings.filter((one) => one < method && tree.is(one, "identifier")).map((one) => tree.textOf(one))
  const last = words.filter((word) => visibilityWord.test(word)).at(-1)
  if (last !== undefined) return last !== "public"
  return list !== NONE && siblings.some((one) => hides(tree, one, name))
}
