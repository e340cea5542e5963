import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Call, functions } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"
import type { PropertyWrite } from "./propertyWrites.ts"

const named = (file: SourceFile, name: string): ReadonlyArray<number> =>
  (file.memo(computeByName, computeByName).get(name) ?? []).slice(0, 8)

const computeByName = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<number>> => {
  const found = new Map<string, Array<number>>()
  for (const { name, node } of functions(file)) {
    if (name === null) continue
    const last = name.split(".").at(-1)!
    const known = found.get(last)
    if (known === undefined) found.set(last, [node])
    else known.push(node)
  }
  return found
}

/** A call of the function itself, or of one of the same file that calls it in turn. */
export const returnsTo = (file: SourceFile, { callee, method }: Call, names: ReadonlySet<string>): boolean =>
  callee === "arguments.callee" ||
  names.has(method) ||
  named(file, method).some((node) => mentionsAny(file.tree!.textOf(node).slice(0, 4_000), names))

/** A function that is called, or handed on to be called. */
const mentionsAny = (text: string, names: ReadonlySet<string>): boolean =>
  [...text.matchAll(/(?<![\w$.])([\w$]+)\s*[(,)]/g)].some(([, name = ""]) => names.has(name))

const MAX_NAMES = 6

/** Names by which the function, or one around it, can be called: `const merge = module.exports = function extend() {}`. */
export const namesOf = (file: SourceFile, { region }: PropertyWrite): ReadonlySet<string> => {
  const tree = file.tree!
  const found = new Set<string>()
  const add = (name: string | null): void => {
    const last = /([\w$]+)\W*$/.exec(name ?? "")?.[1]
    if (last !== undefined) found.add(last)
  }
  for (let at: number = region.info.node, count = 0; at !== NONE && count < MAX_NAMES; count++) {
    const own = tree.child(at, "name")
    if (own !== NONE) add(tree.textOf(own))
    for (
      let up = tree.parent(at);
      tree.is(up, "assignment_expression", "variable_declarator", "pair");
      up = tree.parent(up)
    )
      add(tree.textOf(tree.namedChildren(up)[0]!))
    at = tree.enclosing(at, "function_declaration", "function_expression", "arrow_function", "method_definition")
  }
  return found
}
