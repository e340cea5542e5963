import type { SourceFile } from "../SourceFile.ts"
import { NONE } from "./FlatTree.ts"
import { functions } from "./syntax/vocabulary.ts"

const compute = (file: SourceFile): ReadonlySet<string> => {
  const tree = file.tree
  const found = new Set<string>()
  if (tree === null) return found
  const others = new Map<string, number>()
  for (const { node, name, isAsync, parameters } of functions(file)) {
    if (name !== null) others.set(name, (others.get(name) ?? 0) + 1)
    for (const parameter of parameters) others.set(parameter.name, 2)
    // An async generator gives an iterator.
    if (name === null || !isAsync || tree.kind(node).includes("generator")) continue
    const header = tree.text.slice(tree.start(node), tree.start(node) + 80)
    if (/^(?:static\s+)?async\s*(?:function\s*)?\*/.test(header)) continue
    const isDeclaration = tree.is(node, "function_declaration") || tree.is(tree.parent(node), "variable_declarator")
    const isPython = tree.is(node, "function_definition") && !/\byield\b/.test(tree.textOf(node))
    const owner = isPython ? tree.parent(tree.parent(node)) : NONE
    if (tree.is(tree.parent(node), "decorated_definition")) continue
    if (isDeclaration || (isPython && !tree.is(owner, "class_definition"))) found.add(name)
    else if (tree.is(node, "method_definition")) found.add(`this.${name}`)
    else if (isPython) found.add(`self.${name}`)
  }
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
