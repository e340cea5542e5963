import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { attributeOf, type Element, type Markup } from "../../languages/markup/Element.ts"
import { type Call, calls } from "../../languages/syntax/vocabulary.ts"
import { type FlatTree, NONE } from "../../languages/tree/FlatTree.ts"
import { functionKinds, isReact } from "../../structure/components.ts"
import type { RuleId } from "./rules.ts"

const isCallback = (tree: FlatTree, node: number): boolean => tree.is(node, "arrow_function", "function_expression")

const bareNode = (tree: FlatTree, node: number): number => {
  let at = node
  while (tree.is(at, "parenthesized_expression")) at = tree.namedChildren(at)[0] ?? NONE
  return at
}

/** What a callback gives back: the elements themselves, through parentheses, `&&` and `? :`. */
const returned = (tree: FlatTree, callback: number): ReadonlyArray<number> => {
  const body = tree.child(callback, "body")
  const values: Array<number> = []
  if (!tree.is(body, "statement_block")) values.push(body)
  else {
    for (const node of tree.within(body, "return_statement")) {
      if (tree.enclosing(node, ...functionKinds) === callback) values.push(tree.namedChildren(node)[0] ?? NONE)
    }
  }
  return values.flatMap((value) => branches(tree, bareNode(tree, value), 0))
}

const branches = (tree: FlatTree, node: number, depth: number): ReadonlyArray<number> => {
  if (depth > 6) return []
  if (tree.is(node, "ternary_expression")) {
    const parts = [tree.child(node, "consequence"), tree.child(node, "alternative")]
    return parts.flatMap((part) => branches(tree, bareNode(tree, part), depth + 1))
  }
  if (tree.is(node, "binary_expression")) return branches(tree, bareNode(tree, tree.child(node, "right")), depth + 1)
  return tree.is(node, "jsx_element", "jsx_self_closing_element") ? [node] : []
}

const tagOf = (tree: FlatTree, node: number): number =>
  tree.is(node, "jsx_element") ? tree.child(node, "open_tag") : node

/** The array's own children get keys, or the elements are spread into arguments. */
const getsKeys = (tree: FlatTree, call: number): boolean => {
  const parent = tree.parent(call)
  if (tree.is(parent, "spread_element")) return true
  if (tree.is(parent, "member_expression")) return true
  const holder = tree.is(parent, "arguments") ? tree.textOf(tree.child(tree.parent(parent), "function")) : ""
  return /toArray|createElement|cloneElement|\.of$|concat|push|join|interleave|render/.test(holder)
}

interface Keyed {
  readonly call: Call
  readonly callback: number
  readonly tag: number
  readonly element: Element
}

const keyedElements = (file: SourceFile, tree: FlatTree, markup: Markup): ReadonlyArray<Keyed> => {
  const byTag = new Map(markup.elements.map((element) => [element.node, element]))
  const found: Array<Keyed> = []
  for (const call of calls(file)) {
    const callback = call.args[0]
    if (call.method !== "map" || call.receiverNode === NONE || callback === undefined || !isCallback(tree, callback))
      continue
    if (/(?:^|\.)Children$/.test(call.receiver ?? "")) continue
    for (const node of returned(tree, callback)) {
      const element = byTag.get(tagOf(tree, node))
      if (element !== undefined) found.push({ call, callback, tag: tagOf(tree, node), element })
    }
  }
  return found
}

const reorders = /\.(?:filter|sort|reverse|toSorted|toReversed|splice|toSpliced|unshift)\(/

/** Whether the list this file maps is one whose items are removed, sorted or put in front. */
const isReordered = (file: SourceFile, tree: FlatTree, receiver: number): boolean => {
  const text = tree.textOf(receiver).slice(0, 400)
  if (reorders.test(text)) return true
  const name = /^(?:this\.state\.|props\.)?([A-Za-z_$][\w$]*)$/.exec(text)?.[1]
  if (name === undefined) return false
  const known = file.memo(computeReordered, computeReordered)
  const earlier = known.get(name)
  if (earlier !== undefined) return earlier
  const verdict = isSetReordered(file, name)
  known.set(name, verdict)
  return verdict
}

const computeReordered = (): Map<string, boolean> => new Map()

const isSetReordered = (file: SourceFile, name: string): boolean => {
  const setter = `set${name[0]!.toUpperCase()}${name.slice(1)}(`
  for (let at = file.text.indexOf(setter), n = 0; at >= 0 && n < 20; at = file.text.indexOf(setter, at + 1), n++) {
    const argument = file.text.slice(at, at + 200).split("\n\n", 1)[0]!
    if (reorders.test(argument) || /\(\s*(?:\(?\w+\)?\s*=>\s*)?\[[^\].]+,\s*\.\.\./.test(argument)) return true
  }
  return false
}

/** What keeps something of its own between renders: fields, and components, which may. */
const keepsState = (element: Element, budget: { parts: number }): boolean =>
  --budget.parts < 0 ||
  element.isComponent ||
  /^(?:input|select|textarea|details|video|audio|iframe)$/.test(element.tag) ||
  element.children.some((child) => keepsState(child, budget))

const indexName = (tree: FlatTree, callback: number): string | null => {
  const second = tree.namedChildren(tree.child(callback, "parameters"))[1]
  if (second === undefined) return null
  return /^\w+/.exec(tree.textOf(second))?.[0] ?? null
}

const keyIs = (file: SourceFile, element: Element, index: string): boolean => {
  const key = attributeOf(element, "key")
  if (key === undefined) return false
  const written = file.text.slice(key.start, key.end)
  const value = /^key=\{\s*([\s\S]*?)\s*\}$/.exec(written.slice(0, 120))?.[1]
  if (value === undefined) return false
  if (value === index || value === `${index}.toString()` || value === `String(${index})`) return true
  return /^`[^$`]*\$\{\w+\}[^$`]*`$/.test(value) && value.includes(`\${${index}}`)
}

export const inspectLists = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  if (!isReact(file) || !file.text.includes(".map(")) return
  const tree = file.tree!
  for (const { call, callback, tag, element } of keyedElements(file, tree, markup)) {
    const start = tree.start(tag)
    const end = tree.end(tag)
    if (attributeOf(element, "key") === undefined) {
      if (element.hasSpread || getsKeys(tree, call.node)) continue
      const name = element.tag === "" ? "This fragment" : `\`<${element.tag}>\``
      emit({ rule: "missing_key", start, end, message: `${name} is one of a list and has no \`key\`.` })
      continue
    }
    const index = indexName(tree, callback)
    if (index === null || !keyIs(file, element, index) || !isReordered(file, tree, call.receiverNode)) continue
    if (!keepsState(element, { parts: 200 })) continue
    const list = tree.textOf(call.receiverNode).replace(/\s+/g, " ").slice(0, 40)
    const message = `\`${index}\` is the key, and items of \`${list}\` change places: each keeps the state of the one before it.`
    emit({ rule: "index_as_key", start, end, message })
  }
}
