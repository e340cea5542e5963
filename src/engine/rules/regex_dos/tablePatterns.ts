import { addTo } from "../../core/collections/lists.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { assignmentsTo } from "../../languages/code/lastAssigned.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import { type Call, calls, type FunctionInfo } from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

/** Patterns that one use stands for. */
const MAX_PATTERNS = 60

const computeByKey = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<number>> => {
  const tree = file.tree!
  const found = new Map<string, Array<number>>()
  for (const node of tree.of("regex")) {
    const pair = tree.parent(node)
    if (!tree.is(pair, "pair")) continue
    const key = tree.textOf(tree.child(pair, "key")).replace(/^["']|["']$/g, "")
    addTo(found, key, node)
  }
  return found
}

/** `rule.pattern`, where the objects of a table each have a pattern of that name. */
const ofEachObject = (file: SourceFile, node: number): ReadonlyArray<number> => {
  const tree = file.tree!
  if (!tree.is(node, "member_expression")) return []
  return file.memo(computeByKey, computeByKey).get(tree.textOf(tree.child(node, "property"))) ?? []
}

/** The elements of a list, or the values of an object, that the file gives to a name once. */
const entriesOf = (file: SourceFile, name: string): ReadonlyArray<number> => {
  const tree = file.tree!
  const given = assignmentsTo(file, name)
  const value = given.length === 1 ? unwrap(file, given[0]!.value) : NONE
  if (tree.is(value, "array")) return tree.namedChildren(value)
  if (!tree.is(value, "object")) return []
  return tree.namedChildren(value).flatMap((pair) => (tree.is(pair, "pair") ? tree.child(pair, "value") : []))
}

/** `FORMATS[name]` */
const ofTable = (file: SourceFile, node: number): ReadonlyArray<number> => {
  const tree = file.tree!
  return tree.is(node, "subscript_expression") ? entriesOf(file, tree.textOf(tree.child(node, "object"))) : []
}

/** Calls that run a function for each element of a list. */
const eachElement = /^(?:some|every|find|filter|forEach|map|reduce|flatMap|findIndex)$/

const computeCalls = (file: SourceFile): ReadonlyMap<string, ReadonlyArray<Call>> => {
  const found = new Map<string, Array<Call>>()
  for (const call of calls(file)) addTo(found, call.method, call)
  return found
}

interface Taken {
  readonly info: FunctionInfo
  readonly index: number
}

/** The function around a node that has a parameter of that name. */
const parameterOf = (file: SourceFile, node: number, name: string): Taken | null => {
  const tree = file.tree!
  const syntax = syntaxOf(file.language)!
  let at = tree.enclosing(node, ...syntax.functionKinds)
  for (let level = 0; at !== NONE && level < 3; level++, at = tree.enclosing(at, ...syntax.functionKinds)) {
    const info = syntax.functionAt(tree, at)
    const index = info?.parameters.findIndex((parameter) => parameter.name === name) ?? -1
    if (info !== null && index >= 0) return { info, index }
  }
  return null
}

/** `match(/^a+/)`, where the function of the file matches with its parameter; `PATTERNS.some((pattern) => …)`. */
const ofParameter = (file: SourceFile, node: number): ReadonlyArray<number> => {
  const tree = file.tree!
  const name = tree.is(node, "identifier") ? tree.textOf(node) : ""
  const isGiven = assignmentsTo(file, name).some((given) => !tree.is(given.node, "pair"))
  const taken = name === "" || isGiven ? null : parameterOf(file, node, name)
  if (taken === null) return []
  const { info, index } = taken
  const list = tree.parent(info.node)
  if (!tree.is(list, "arguments")) return givenTo(file, info, index)
  const call = syntaxOf(file.language)!.callAt(tree, tree.parent(list))
  return call !== null && index === 0 && eachElement.test(call.method) ? entriesOf(file, call.receiver ?? "") : []
}

/** What the file's own calls of a function hand to one of its parameters. */
const givenTo = (file: SourceFile, { name }: FunctionInfo, index: number): ReadonlyArray<number> => {
  const callers = name === null ? [] : (file.memo(computeCalls, computeCalls).get(name) ?? [])
  return callers.flatMap(({ receiverNode, args }) => (receiverNode === NONE ? (args[index] ?? []) : []))
}

/** `for (const pattern of PATTERNS)` */
const ofLoop = (file: SourceFile, node: number): ReadonlyArray<number> => {
  const tree = file.tree!
  const loop = tree.is(node, "identifier") ? tree.enclosing(node, "for_in_statement") : NONE
  if (loop === NONE || tree.textOf(tree.child(loop, "left")) !== tree.textOf(node)) return []
  return entriesOf(file, tree.textOf(tree.child(loop, "right")))
}

/** Where the patterns are written that an expression may stand for: those of a table, or those that callers hand in. */
export const tablePatterns = (file: SourceFile, expression: number): ReadonlyArray<number> => {
  const node = unwrap(file, expression)
  for (const find of [ofTable, ofLoop, ofParameter, ofEachObject]) {
    const found = find(file, node)
    if (found.length > 0) return found.slice(0, MAX_PATTERNS)
  }
  return []
}
