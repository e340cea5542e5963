import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import {
  attributeOf,
  type Element,
  has,
  isHidden,
  type Markup,
  ownHidden,
  someUp,
  staticValue
} from "../../languages/markup/Element.ts"
import { isTextSlot, mayHaveName } from "./names.ts"
import type { RuleId } from "./rules.ts"
import { hitAt, named } from "./support.ts"

const namedByAttribute = ["aria-label", "aria-labelledby", "title", "placeholder", "label"]
const unlabelledTypes = /^(?:hidden|submit|button|reset|image)$/i

/** `formLabel('email')`, `label_tag "email"`: what writes a label is given the name of its control. */
const labelCall = /\w{0,40}[lL]abel\w{0,40}[ (]\s*[:"']([\w.:-]{1,80})/g

/** Names that labels of the file point at; null when some label's target is only known at run time. */
const labelTargets = (file: SourceFile, markup: Markup): ReadonlySet<string> | null => {
  const isPlain = file.language === "html" && !markup.isTemplate
  const written = isPlain ? [] : file.text.matchAll(labelCall)
  const targets = new Set([...written].map(([, target]) => target!))
  for (const element of markup.elements) {
    const target = attributeOf(element, "for")
    if (target === undefined) continue
    if (target.value === null) return null
    targets.add(target.value)
  }
  return targets
}

/** Templates that give an element its id at run time, for a label that they write, too. */
const setsId = (element: Element): boolean =>
  element.attributes.some(
    ({ name, written, value }) =>
      /^(?:th:(?:id|field|attr)|ng-attr-id|wire:id)$/.test(written) ||
      (name === "tal:attributes" && /(?:^|;)\s*id\s/.test(value ?? "")) ||
      (name === "data-bind" && /\bid\s*:/.test(value ?? ""))
  )

/** A sample in a template, in whose place a macro or a value is written. */
const isReplaced = (element: Element): boolean => has(element, "metal:use-macro", "tal:content", "tal:replace")

const isLabelled = (element: Element, targets: ReadonlySet<string> | null): boolean => {
  if (element.hasSpread || has(element, ...namedByAttribute)) return true
  const id = attributeOf(element, "id")
  if (id !== undefined && (id.value === null || targets === null || targets.has(id.value))) return true
  if (setsId(element)) return true
  // A component around it may well render the label.
  return someUp(element, (up) => up.tag === "label" || (up !== element && up.isComponent))
}

const takesInput = (element: Element): boolean => {
  if (element.isComponent || has(element, "is") || !/^(?:input|select|textarea)$/.test(element.tag)) return false
  const type = attributeOf(element, "type")
  if (type !== undefined && (type.value === null || unlabelledTypes.test(type.value))) return false
  if (has(element, "disabled") && staticValue(element, "disabled") !== "false") return false
  // Moved out of the way by a script that draws its own control.
  return staticValue(element, "tabindex") !== "-1" && !isOffScreen(element)
}

const isOffScreen = (element: Element): boolean =>
  /(?:^|[\s-])(?:sr-only|visually-?hidden|screen-reader-text|offscreen|honeypot|hidden)(?:$|[\s-])/i.test(
    `${staticValue(element, "class") ?? ""} ${staticValue(element, "name") ?? ""}`
  )

/** `ref={picker}`, `ref="picker"`, `#picker`: the name that code has for an element. */
const referenceOf = (file: SourceFile, element: Element): string | null => {
  for (const { name, written, start, end } of element.attributes) {
    if (/^#[\w]+$/.test(written)) return written.slice(1)
    if (name === "ref") return /=\s*[{"]\s*([\w.]+)\s*[}"]$/.exec(file.text.slice(start, end))?.[1] ?? null
  }
  return null
}

/** A field for files out of sight, which another control opens: `picker.current.click()`. */
const isOpenedByOther = (file: SourceFile, element: Element): boolean => {
  const name = staticValue(element, "type") === "file" ? referenceOf(file, element) : null
  if (name === null) return false
  const opens = new RegExp(`\\b${name.replaceAll(".", "\\.")}(?:[?!]?\\.(?:current|value))?[?!]?\\.click\\(`)
  return opens.test(file.text)
}

export const inspectLabels = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  const controls = markup.elements.filter(takesInput)
  if (controls.length === 0) return
  const targets = labelTargets(file, markup)
  const isFragment = file.language === "php" || markup.isTemplate
  for (const control of controls) {
    if (isOpenedByOther(file, control)) continue
    if (isLabelled(control, targets) || isHidden(control) || someUp(control, isReplaced)) continue
    // A label that code writes is not seen: in a template only what stands beside plain markup is judged.
    if (isFragment && (control.parent === null || someUp(control, ({ hasDynamic }) => hasDynamic))) continue
    // Its label is elsewhere: this file has the control with the id only.
    if (has(control, "id") && (targets === null || control.parent === null)) continue
    emit(hitAt("control_without_label", control, `${named(control)} has no label, no \`aria-label\` and no \`title\`.`))
  }
}

const MAX_PARTS = 200

const isNamedKind = (element: Element): boolean =>
  !element.isComponent && (element.tag === "button" || (element.tag === "a" && has(element, "href")))

export const inspectNames = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  const isPage = file.language === "html" || file.language === "php"
  for (const element of markup.elements) {
    if (!isNamedKind(element) || mayHaveName(element)) continue
    // What a script finds by its id it may fill, too; a hidden one is shown by a script that may name it.
    if (isPage && (has(element, "id") || element.attributes.some(({ name }) => name.startsWith("data-")))) continue
    if (isPage && isTextSlot(element)) continue
    if (staticValue(element, "tabindex") === "-1" || has(element, "disabled") || isHidden(element)) continue
    const kind = element.tag === "a" ? "link" : "button"
    const why = element.children.length === 0 ? "it is empty" : "it holds no text, only a picture"
    emit(
      hitAt(
        "nameless_control",
        element,
        `This ${kind} has no name: ${why}, and there is no \`aria-label\` or \`title\`.`
      )
    )
  }
}

const inert = /^(?:div|span|p|i|b|em|strong|img|h[1-6]|svg|section|article|li)$/
const keys = ["onkeydown", "onkeyup", "onkeypress"]
const interactive = /^(?:a|button|input|select|textarea|label|summary|option|details|video|audio|iframe)$/
const backdrop = /overlay|backdrop|modal|dialog|mask|scrim|dimmer|lightbox|wrapper|container|outside|cover/i

const holdsControl = (element: Element, budget: { parts: number }): boolean =>
  element.children.some(
    (child) =>
      --budget.parts < 0 ||
      interactive.test(child.tag) ||
      has(child, "role", "onclick", "tabindex") ||
      (child.isComponent && !/Icon|Image|Avatar|Typography|Text|Svg/.test(child.tag)) ||
      holdsControl(child, budget)
  )

/** Only keeps a click from what is outside, or passes it on to a control. */
const isPlumbing =
  /^[^;]{0,40}\b(?:stopPropagation|preventDefault)\b|\.(?:focus|blur|click|select)\(\)?|^(?:return false;?|false|event\.\w+\(\);?)$|\.stop\b/

const isAmbient = (element: Element): boolean =>
  element.hasSpread ||
  has(element, "role", "tabindex", "contenteditable", "draggable", ...keys) ||
  backdrop.test(`${staticValue(element, "class") ?? "_"} ${staticValue(element, "id") ?? ""}`) ||
  (has(element, "class") &&
    staticValue(element, "class") === null &&
    /overlay|backdrop|modal|mask/i.test(attributeText(element)))

const attributeText = (element: Element): string => element.attributes.map(({ written }) => written).join(" ")

export const inspectClicks = (file: SourceFile, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  for (const element of markup.elements) {
    const click = attributeOf(element, "onclick")
    if (click === undefined || !inert.test(element.tag) || isAmbient(element)) continue
    const code = file.text.slice(click.start, click.end)
    if (
      isPlumbing.test(code.replace(/^[^=]*=\s*/, "").replace(/^["'{]+|["'}]+$/g, "")) ||
      isPlumbing.test(click.written)
    )
      continue
    const isInside = (up: Element): boolean =>
      up !== element && (interactive.test(up.tag) || has(up, "role") || /Button|Link|Menu/.test(up.tag))
    if (someUp(element, isInside) || isHidden(element) || holdsControl(element, { parts: MAX_PARTS })) continue
    if (element.children.some((child) => ownHidden(child) && child.children.length > 0)) continue
    emit(hitAt("click_without_keyboard", element, `${named(element)} reacts to clicks, but gets no focus and no keys.`))
  }
}
