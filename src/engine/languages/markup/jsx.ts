import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../syntax/strings.ts"
import { type FlatTree, NONE } from "../tree/FlatTree.ts"
import type { Attribute, Element, Markup } from "./Element.ts"
import { noMarkup } from "./Element.ts"

interface Open extends Element {
  readonly children: Array<Element>
  hasText: boolean
  hasDynamic: boolean
}

const htmlNames: Record<string, string> = { htmlFor: "for", className: "class" }

const valueOf = (file: SourceFile, tree: FlatTree, attribute: number): string | null => {
  const [, value] = tree.namedChildren(attribute)
  if (value === undefined) return ""
  if (tree.is(value, "string")) return tree.textOf(value).slice(1, -1)
  const inner = tree.is(value, "jsx_expression") ? tree.namedChildren(value)[0] : undefined
  if (inner === undefined) return null
  if (tree.is(inner, "number", "true", "false") || tree.is(inner, "unary_expression")) return tree.textOf(inner)
  // Styles are read like their HTML spelling: `{ display: "none" }`.
  if (tree.is(inner, "object"))
    return tree.textOf(tree.firstChild(attribute)) === "style" ? styleText(tree, inner) : null
  return literalValue(file, inner)
}

const styleText = (tree: FlatTree, object: number): string => tree.textOf(object).slice(0, 500).replace(/["']/g, "")

const attributesOf = (file: SourceFile, tree: FlatTree, tag: number) => {
  const attributes: Array<Attribute> = []
  let hasSpread = false
  for (const node of tree.childrenOfField(tag, "attribute")) {
    if (!tree.is(node, "jsx_attribute")) {
      hasSpread = true
      continue
    }
    const written = tree.textOf(tree.firstChild(node))
    const name = htmlNames[written] ?? written.toLowerCase()
    const value = valueOf(file, tree, node)
    attributes.push({ name, written, value, start: tree.start(node), end: tree.end(node) })
  }
  return { attributes, hasSpread }
}

const holdsContent = (tree: FlatTree, expression: number): boolean => {
  const inner = tree.namedChildren(expression)[0]
  return inner !== undefined && !tree.is(inner, "null", "false", "undefined")
}

/** Text and code directly below an element. Elements inside the code are its children as well. */
const readContent = (tree: FlatTree, element: Open, holder: number): void => {
  for (let child = tree.firstChild(holder); child !== NONE; child = tree.nextSibling(child)) {
    if (tree.is(child, "jsx_text", "html_character_reference")) {
      element.hasText ||= /\S/.test(tree.textOf(child))
    } else if (tree.is(child, "jsx_expression") && tree.fieldOf(child) !== "attribute") {
      element.hasDynamic ||= holdsContent(tree, child)
    }
  }
}

const kinds = ["jsx_element", "jsx_self_closing_element"]

export const parseJsx = (file: SourceFile): Markup => {
  const tree = file.tree
  if (tree === null) return noMarkup
  const elements: Array<Element> = []
  const byNode = new Map<number, Open>()
  for (const node of tree.of(...kinds)) {
    const tag = tree.is(node, "jsx_element") ? tree.child(node, "open_tag") : node
    const spelled = tree.textOf(tree.child(tag, "name"))
    const name = Object.hasOwn(file.components, spelled) ? file.components[spelled]! : spelled
    const parent = byNode.get(holderOf(tree, node)) ?? null
    const isFragment = name === "" || /^(?:React\.)?Fragment$/.test(name)
    const element: Open = {
      tag: isFragment ? "" : name,
      isComponent: !isFragment && !/^[a-z][a-z0-9]*$/.test(name),
      ...attributesOf(file, tree, tag),
      parent,
      children: [],
      hasText: false,
      hasDynamic: false,
      start: tree.start(tag),
      end: tree.end(tag),
      node: tag
    }
    if (tag !== node) readContent(tree, element, node)
    parent?.children.push(element)
    byNode.set(node, element)
    elements.push(element)
  }
  return { elements, isTemplate: false }
}

const MAX_FUNCTIONS = 6

/** What is rendered by a function in between (`items.map(…)`) still is inside; what is given as an attribute is not. */
const holderOf = (tree: FlatTree, node: number): number => {
  const up = tree.enclosing(node, ...kinds, "jsx_attribute", "arrow_function", "function_expression")
  if (tree.is(up, "jsx_attribute")) return NONE
  return tree.is(up, ...kinds) ? up : outside(tree, up)
}

const outside = (tree: FlatTree, fn: number): number => {
  let at = fn
  for (let depth = 0; at !== NONE && depth < MAX_FUNCTIONS; depth++) {
    at = tree.enclosing(at, ...kinds, "jsx_attribute", "arrow_function", "function_expression")
    if (tree.is(at, ...kinds)) return at
    if (tree.is(at, "jsx_attribute")) return NONE
  }
  return NONE
}
