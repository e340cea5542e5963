import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { type Element, has, staticValue } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"
import { attributesEnd, elementAt } from "./elementAt.ts"

const controls = /^(?:input|select|textarea|button|meter|output|progress)$/

const holdsControl = (element: Element): boolean =>
  element.children.some((child) => controls.test(child.tag) || child.isComponent || holdsControl(child))

/** The label right before the control, when it is for nothing yet. */
const labelOf = (control: Element): Element | null => {
  const siblings = control.parent?.children ?? []
  const label = siblings[siblings.indexOf(control) - 1]
  const isFree =
    label?.tag === "label" && label.hasText && !label.hasSpread && !has(label, "for") && !holdsControl(label)
  return isFree ? label : null
}

const propose = ({ file, match }: FixSite): Proposal => {
  const control = elementAt(file, match.start)
  const label = control === undefined ? null : labelOf(control)
  if (control === undefined || label === null) {
    return declined("No label stands right before the control, and its name cannot be read from the code.")
  }
  const id = staticValue(control, "id")
  const name = file.language === "html" ? staticValue(control, "name") : null
  const isTaken = markupOf(file).elements.some((element) => staticValue(element, "id") === name)
  if (id === null && (has(control, "id") || name === null || isTaken || !/^[A-Za-z][\w-]*$/.test(name))) {
    return declined("The control has no id, and one made up here could be in use elsewhere on the page.")
  }
  const written = file.language === "html" || file.language === "php" || file.language === "vue" ? "for" : "htmlFor"
  const at = attributesEnd(label)
  const own = attributesEnd(control)
  const edits = [{ start: at, end: at, text: ` ${written}="${id ?? name}"` }]
  return {
    edits: id === null ? [...edits, { start: own, end: own, text: ` id="${name}"` }] : edits,
    summary: "Connect the label with its control"
  }
}

export default fixer({
  tool: "accessibility",
  rule: "control_without_label",
  languages: ["html", "javascript", "vue", "php"],
  propose
})
