import { type Element, staticValue } from "../../languages/markup/Element.ts"

/** Attributes by which frameworks write content, or give a name. */
const writesContent =
  /^(?:v-text|v-html|v-t|v-i18n|x-text|x-html|ng-bind|ng-bind-html|data-bind|data-i18n|data-l10n-id|translate|i18n|data-ember-action|innerhtml|textcontent|innertext|dangerouslysetinnerhtml|is|data-text|children|aria-label|aria-labelledby|title|aria-hidden|v-tooltip|role|label|th-content|data-original-title|data-bs-title)$/

/** Elements that are looked at for one name. */
const MAX_PARTS = 200

/** Whether an element can have a name by what is in it; what is only known at run time may. */
const hasName = (element: Element, budget: { parts: number }): boolean => {
  if (--budget.parts < 0 || element.hasText || element.hasDynamic || element.isComponent || element.hasSpread)
    return true
  if (element.attributes.some(({ name, written }) => writesContent.test(name) || /^i18n-|^\*/.test(written)))
    return true
  if (element.tag === "img" || element.tag === "area") return staticValue(element, "alt") !== ""
  if (element.tag === "input" || element.tag === "slot" || element.tag === "object" || element.tag === "iframe")
    return true
  return element.children.some((child) => hasName(child, budget))
}

/** Whether an element can have a name by its attributes, or by what is in it. */
export const mayHaveName = (element: Element): boolean => hasName(element, { parts: MAX_PARTS })

const textWord = /(?:^|[\s_-])(?:count(?:er)?|total|msg|message|text|label|value|status|error|result)(?:\s|$)/

/** An empty element whose class says that a script writes a text into it: `class="unread-count"`. */
export const isTextSlot = (element: Element): boolean =>
  element.children.length === 0 && textWord.test(staticValue(element, "class") ?? "")
