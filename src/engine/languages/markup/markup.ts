import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Element, type Markup, noMarkup } from "./Element.ts"
import { type Hole, parseHtml } from "./html.ts"
import { parseJsx } from "./jsx.ts"
import { vueBlocks } from "./vue.ts"

const pageHoles: ReadonlyArray<Hole> = [
  ["{{", "}}"],
  ["{%", "%}"],
  ["{#", "#}"],
  ["<%", "%>"],
  ["<?", "?>"],
  ["[%", "%]"],
  ["<#", ">"],
  ["</#", ">"],
  ["${", "}"]
]
const phpHoles: ReadonlyArray<Hole> = [
  ["\u0001", "\u0002"],
  ["{{", "}}"],
  ["{!!", "!!}"]
]
const vueHoles: ReadonlyArray<Hole> = [["{{", "}}"]]

const readVue = (file: SourceFile): Markup => {
  const templates = vueBlocks(file).filter(({ tag, opening }) => tag === "template" && !/\blang=/.test(opening))
  const elements = templates.flatMap(
    ({ start, end }): ReadonlyArray<Element> => parseHtml(file.text, vueHoles, start, end).elements
  )
  return { elements, isTemplate: false }
}

/** The text with all code blotted out, at the same offsets: only the grammar knows where PHP code ends. */
const readPhp = (file: SourceFile): Markup => {
  const tree = file.tree
  if (tree === null) return noMarkup
  let text = ""
  let at = 0
  const blot = (to: number): void => {
    if (to - at >= 2) text += `${"\u0001".repeat(to - at - 1)}\u0002`
    else text += " ".repeat(to - at)
  }
  for (const node of tree.of("text")) {
    if (tree.start(node) < at) continue
    blot(tree.start(node))
    text += tree.textOf(node)
    at = tree.end(node)
  }
  if (text === "") return noMarkup
  blot(file.text.length)
  return parseHtml(text, phpHoles)
}

const read = (file: SourceFile): Markup => {
  switch (file.language) {
    case "html":
      return parseHtml(file.text, pageHoles)
    case "php":
      return readPhp(file)
    case "vue":
      return readVue(file)
    case "tsx":
    case "javascript":
    case "typescript":
      return parseJsx(file)
    default:
      return noMarkup
  }
}

/** Elements of a page, a template or a component, in document order. */
export const markupOf = (file: SourceFile): Markup => file.memo(markupOf, rendered)

/** With components as the elements that they render, where the repository says which. */
const rendered = (file: SourceFile): Markup => {
  const markup = read(file)
  const { components } = file
  for (const element of markup.elements) {
    const tag = Object.hasOwn(components, element.tag) ? components[element.tag] : undefined
    if (tag !== undefined) Object.assign(element, { tag: tag.toLowerCase(), isComponent: false })
  }
  return markup
}
