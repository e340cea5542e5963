import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import type { Element } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"
import { itemKey } from "./itemKey.ts"

const loop = /^\s*(?:\(\s*)?([A-Za-z_$][\w$]*)\s*(?:,\s*([A-Za-z_$][\w$]*)\s*)?\)?\s+(?:in|of)\s+(.+)$/s

const isBelow = (element: Element, ancestor: Element): boolean => {
  for (let at = element.parent; at !== null; at = at.parent) if (at === ancestor) return true
  return false
}

/** Code of an element with its content, up to the next element outside of it. */
const codeOf = (text: string, elements: ReadonlyArray<Element>, element: Element): string => {
  const from = elements.indexOf(element)
  const next = elements.slice(from + 1).find((other) => !isBelow(other, element))
  return text.slice(element.start, next?.start ?? text.length)
}

const propose = ({ file, match }: FixSite): Proposal => {
  const { elements } = markupOf(file)
  const element = elements.find(({ attributes }) => attributes.some(({ start }) => start === match.start))
  const attribute = element?.attributes.find(({ start }) => start === match.start)
  const [, item, second, list = ""] = loop.exec(attribute?.value ?? "") ?? []
  if (element === undefined || item === undefined) return declined("The loop takes its items apart.")
  const isCount = /^\d+$/.test(list.trim()) && second === undefined
  const key = isCount ? item : itemKey(codeOf(file.text, elements, element), item)
  if (key === null) return declined("What identifies an item of this list cannot be read from the template.")
  const quote = file.text[match.end - 1] === "'" ? "'" : '"'
  const bind = /\sv-bind:/.test(file.text) && !/\s:\w/.test(file.text) ? "v-bind:key" : ":key"
  return {
    edits: [{ start: match.end, end: match.end, text: ` ${bind}=${quote}${key}${quote}` }],
    summary: "Give the items of the list their own keys"
  }
}

export default fixer({ tool: "frontend_quality", rule: "vue_loop_without_key", languages: ["vue"], propose })
