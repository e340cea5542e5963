import type { SourceFile } from "../../core/files/SourceFile.ts"
import { syntaxOf } from "../../languages/syntax/languages.ts"
import { unwrap } from "../../languages/syntax/strings.ts"
import {
  type Assignment,
  assignments,
  enclosingFunction,
  type FunctionInfo
} from "../../languages/syntax/vocabulary.ts"
import { NONE } from "../../languages/tree/FlatTree.ts"

/** A function together with the callbacks of loops inside it, which share its purpose. */
export interface Region {
  readonly info: FunctionInfo
  /** Callbacks between the function and the write, the innermost first. */
  readonly callbacks: ReadonlyArray<FunctionInfo>
  readonly text: string
}

/** `object[key] = value`, where the key is computed. */
export interface PropertyWrite {
  readonly node: number
  readonly object: number
  readonly key: number
  readonly value: number
  readonly region: Region
}

const MAX_REGION = 20_000

/** Calls that run a function for each element or key. */
const loops = /^(?:\w*each\w*|map|flatMap|reduce|reduceRight|forOwn|forIn|some|every|filter|find|iterate|objectMap)$/i

const loopAround = (file: SourceFile, callback: number): number => {
  const tree = file.tree!
  const list = tree.parent(callback)
  const call = tree.is(list, "arguments") ? tree.parent(list) : NONE
  if (!tree.is(call, "call_expression")) return NONE
  const method = /([\w$]+)\W*$/.exec(tree.textOf(tree.child(call, "function")).slice(-60))?.[1] ?? ""
  return loops.test(method) ? call : NONE
}

const regionOf = (file: SourceFile, node: number): Region | null => {
  const tree = file.tree!
  const callbacks: Array<FunctionInfo> = []
  let info = enclosingFunction(file, node)
  while (info !== null) {
    const call = loopAround(file, info.node)
    const outer = call === NONE ? null : enclosingFunction(file, call)
    if (outer === null) break
    callbacks.push(info)
    info = outer
  }
  if (info === null) return null
  const start = tree.start(info.node)
  return { info, callbacks, text: file.text.slice(start, Math.min(tree.end(info.node), start + MAX_REGION)) }
}

const isNumber = /^[\d.]+$|^[\w.$[\]]+\s*[-+*/%]\s*[\w.$]+$|^\+/
const counterName =
  /^(?:i|j|ii|jj|n|m|x|y|z|idx|\w*(?:index|Index|Idx|offset|Offset|count|Count)|len|length|pos|num|row|col|column)$/

/** Whether a key may be any text: not a literal, not a position in a list, not a text with fixed parts. */
export const isOpenKey = (file: SourceFile, given: number): boolean => {
  const tree = file.tree!
  const key = unwrap(file, given)
  const text = tree.textOf(key).slice(0, 80)
  if (tree.is(key, "string", "number", "template_string", "binary_expression", "unary_expression")) return false
  if (tree.is(key, "identifier")) return !counterName.test(text) && !/^(?:[A-Z][A-Z\d_]+|k[A-Z]\w*)$/.test(text)
  if (tree.is(key, "subscript_expression"))
    return !/^["'`]/.test(tree.textOf(tree.child(key, "index"))) || /match|exec|parts|groups/i.test(text)
  if (tree.is(key, "call_expression")) return /\.(?:pop|shift|trim|toLowerCase|toString)\(\)$|^String\(/.test(text)
  return !isNumber.test(text) && tree.is(key, "as_expression", "non_null_expression")
}

/** `for (key in object)` around: what another loop counts by the same name is a key here. */
const isKeyOfLoop = (file: SourceFile, node: number, key: number): boolean => {
  const tree = file.tree!
  const loop = tree.enclosing(node, "for_in_statement", "for_statement", ...syntaxOf(file.language)!.functionKinds)
  return (
    tree.is(loop, "for_in_statement") &&
    tree.textOf(tree.child(loop, "operator")) === "in" &&
    tree.textOf(tree.child(loop, "left")) === tree.textOf(key)
  )
}

const isCounted = (file: SourceFile, region: Region, node: number, key: number): boolean =>
  isCounter(region, file.tree!.textOf(key)) && !isKeyOfLoop(file, node, key)

const collect = (file: SourceFile): ReadonlyArray<PropertyWrite> => {
  const tree = file.tree!
  const regions = new Map<number, Region | null>()
  const found: Array<PropertyWrite> = []
  for (const { node, targetNode, value } of assignments(file)) {
    if (!tree.is(targetNode, "subscript_expression") || value === NONE) continue
    const key = tree.child(targetNode, "index")
    if (key === NONE || !isOpenKey(file, key)) continue
    const owner = tree.enclosing(node, ...syntaxOf(file.language)!.functionKinds)
    if (!regions.has(owner)) regions.set(owner, owner === NONE ? null : regionOf(file, node))
    const region = regions.get(owner)!
    if (region === null || isCounted(file, region, node, key)) continue
    found.push({ node, object: unwrap(file, tree.child(targetNode, "object")), key, value, region })
  }
  return found
}

/** Writes to computed properties inside of functions, in document order. */
export const propertyWrites = (file: SourceFile): ReadonlyArray<PropertyWrite> => file.memo(collect, collect)

/** A name that is counted up or down in the region. */
export const isCounter = ({ text }: Region, name: string): boolean => {
  if (!/^[\w$]+$/.test(name)) return false
  const escaped = name.replace(/\$/g, "\\$")
  return new RegExp(
    `(?<![\\w$.])${escaped}\\s*(?:\\+\\+|--|[-+]=\\s*\\d)|(?:\\+\\+|--)${escaped}(?![\\w$])|(?:let|var|,)\\s+${escaped}\\s*=\\s*\\d`
  ).test(text)
}

/** Assignments inside of a region, those of its callbacks included. */
export const assignmentsIn = (file: SourceFile, { info }: Region): ReadonlyArray<Assignment> => {
  const all = assignments(file)
  let low = 0
  let high = all.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.node < info.node) low = middle + 1
    else high = middle
  }
  const last = file.tree!.lastDescendant(info.node)
  let end = low
  while (end < all.length && all[end]!.node <= last) end++
  return all.slice(low, end)
}

/** An element access as text that two of them can be compared by. */
export const accessText = (file: SourceFile, object: string, key: number): string =>
  `${object}[${file.tree!.textOf(key)}]`.replace(/\s+|\?\.(?=\[)/g, "")

/** What the written object is called, and was before: `parent = object; object = object[key]; parent[key] = value`. */
export const namesOfObject = (file: SourceFile, { object, region }: PropertyWrite): ReadonlyArray<string> => {
  const tree = file.tree!
  const name = tree.textOf(object).slice(0, 80)
  const sources = assignmentsIn(file, region)
    .filter(({ target, value }) => target === name && value !== NONE && tree.is(value, "identifier"))
    .map(({ value }) => tree.textOf(value))
  return [name, ...sources.slice(0, 4)]
}
