import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type FunctionInfo, functions, importedNames } from "../syntax/vocabulary.ts"
import type { FlatTree } from "../tree/FlatTree.ts"

/** What an async function is called by: its name, or a member of `this` or `self`; null where that is not certain. */
const calledBy = (tree: FlatTree, { node, name, isAsync }: FunctionInfo): string | null => {
  // An async generator gives an iterator.
  if (name === null || !isAsync || tree.kind(node).includes("generator")) return null
  const header = tree.text.slice(tree.start(node), tree.start(node) + 80)
  if (/^(?:static\s+)?async\s*(?:function\s*)?\*/.test(header)) return null
  if (tree.is(tree.parent(node), "decorated_definition")) return null
  if (tree.is(node, "function_declaration") || tree.is(tree.parent(node), "variable_declarator")) return name
  if (tree.is(node, "method_definition")) return `this.${name}`
  if (!tree.is(node, "function_definition") || /\byield\b/.test(tree.textOf(node))) return null
  return tree.is(tree.parent(tree.parent(node)), "class_definition") ? `self.${name}` : name
}

const compute = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree
  const found = new Set<string>()
  if (tree === null) return found
  const others = new Map<string, number>()
  for (const info of functions(file)) {
    if (info.name !== null) others.set(info.name, (others.get(info.name) ?? 0) + 1)
    for (const parameter of info.parameters) others.set(parameter.name, 2)
    const called = calledBy(tree, info)
    if (called !== null) found.add(called)
  }
  // Inside of a function it may be the imported one.
  for (const name of importedNames(file).keys()) others.set(name, 2)
  for (const [name, count] of others) {
    if (count < 2) continue
    found.delete(name)
    found.delete(`this.${name}`)
    found.delete(`self.${name}`)
  }
  return found
}

/** Functions of this file, by the name they are called by, that are async for certain: one declaration, no other use of the name. */
export const asyncNames = (file: SourceFile): ReadonlySet<string> => file.memo(compute, compute)

const owners = ["class_body", "class_definition", "object"]

/** Whether `this.name()` at this place means an async method of the class around it. */
export const isOwnMethod = (file: SourceFile, call: number, name: string): boolean => {
  const tree = file.tree!
  const owner = tree.enclosing(call, ...owners)
  return functions(file).some(
    (info) => info.name === name && info.isAsync && tree.enclosing(info.node, ...owners) === owner
  )
}
