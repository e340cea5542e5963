import type { Match } from "../../core/tool/AuditTool.ts"
import {
  attributeOf,
  type Element,
  has,
  isHidden,
  type Markup,
  someUp,
  staticValue
} from "../../languages/markup/Element.ts"
import { ariaAttributes } from "./aria.ts"
import { isTextSlot, mayHaveName } from "./names.ts"
import type { RuleId } from "./rules.ts"
import type { SemanticRuleId } from "./semanticRules.ts"
import {
  ariaValues,
  autofillFields,
  contentRoles,
  contentTags,
  controlTags,
  interactiveRoles,
  ownRoles,
  requiredByRole,
  unseenTags
} from "./semantics.ts"
import { hitAt, named } from "./support.ts"

type Emit = (match: Match<RuleId>) => void
/** What is wrong with an element, in its own words; null for nothing. */
type Check = (element: Element, role: string) => string | null

const isLink = (element: Element): boolean => (element.tag === "a" || element.tag === "area") && has(element, "href")

const isControl = (element: Element): boolean =>
  (controlTags.has(element.tag) && staticValue(element, "type") !== "hidden") || isLink(element)

const handlers = ["onclick", "onmousedown", "onmouseup", "onkeydown", "onkeyup", "onkeypress"]

const tabindexOf = (element: Element): number | null => {
  const value = staticValue(element, "tabindex")
  return value !== null && /^-?\d+$/.test(value.trim()) ? Number(value) : null
}

/** The keys of these are heard by the whole, and one of its parts has the focus: which, is seen where parts are made. */
const partsTakeFocus = (element: Element, role: string): boolean =>
  /^(?:listbox|menu|menubar|tree|treegrid|grid|tablist|radiogroup|toolbar)$/.test(role) &&
  !has(element, "aria-activedescendant", "onclick")

/** A menu, list or tree that takes the focus itself and moves among its items by the keyboard. */
const movesWithin = (element: Element, role: string): boolean =>
  /^(?:menuitem(?:checkbox|radio)?|treeitem|tab|radio)$/.test(role) &&
  /^(?:menu|menubar|tree|tablist|radiogroup)$/.test(staticValue(element, "role") ?? "") &&
  tabindexOf(element) === 0 &&
  has(element, "onkeydown", "onkeyup", "onkeypress")

/** HTML brings the state of these along. */
const hasOwnState = ({ tag }: Element): boolean => /^(?:input|option|h[1-6]|progress|meter|select|hr)$/.test(tag)

/** What a template engine fills in: `{USER_LANG}`, `%lang%`, `$lang`. */
const isPlaceholder = /[{}$%@#]/
const isLanguage = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,4}$|^(?:x|i)-[a-z0-9-]{1,30}$|^$/i

/** A script finds the element by its id, or by the class of a title, and writes into it. */
const isFilledLater = (element: Element): boolean =>
  has(element, "id") || isTextSlot(element) || /title|name|heading|js-/.test(staticValue(element, "class") ?? "")

const isDescribed = /^\s*(?:an?\s+|the\s+)?(?:image|picture|photo)\s+(?:of|showing)\b/i

const checks: Readonly<Record<Exclude<SemanticRuleId, "invalid_aria_value">, Check>> = {
  missing_required_aria: (element, role) => {
    const missing = hasOwnState(element) ? [] : (requiredByRole[role] ?? []).filter((name) => !has(element, name))
    return missing.length === 0 ? null : `The role \`${role}\` requires \`${missing.join("` and `")}\`.`
  },
  unsupported_aria: (element) => {
    const found = element.attributes.find(({ name }) => name === "role" || ariaAttributes.has(name))
    return found === undefined || !unseenTags.has(element.tag)
      ? null
      : `\`${found.written}\` means nothing on \`<${element.tag}>\`.`
  },
  redundant_role: (element, role) =>
    role !== "" && ownRoles[element.tag] === role ? `\`<${element.tag}>\` has the role \`${role}\` already.` : null,
  empty_heading: (element) =>
    /^h[1-6]$/.test(element.tag) && !isFilledLater(element) && !isHidden(element) && !mayHaveName(element)
      ? `\`<${element.tag}>\` has no content.`
      : null,
  anchor_without_target: (element) => {
    const address = element.tag === "a" ? staticValue(element, "href") : null
    const isNowhere =
      address !== null && /^\s*(?:#!?|javascript:\s*(?:void\s*\(?0?\)?|;|undefined)?\s*;?)\s*$/i.test(address)
    return isNowhere && has(element, "onclick")
      ? `\`${address.trim()}\` leads nowhere; the link acts as a button.`
      : null
  },
  media_without_captions: (element) => {
    if (element.tag !== "video" || has(element, "muted") || !has(element, "controls")) return null
    const mayHold =
      element.hasDynamic || element.children.some(({ tag, isComponent }) => isComponent || tag === "track")
    return mayHold ? null : `${named(element)} has no captions.`
  },
  mouse_without_keyboard: (element) => {
    if (!/^(?:a|button|span|div|img|li|td|i)$/.test(element.tag)) return null
    const over = has(element, "onmouseover", "onmouseenter") && !has(element, "onfocus", "onfocusin", "onfocuscapture")
    const isOperable = isLink(element) || element.tag === "button" || tabindexOf(element) === 0
    return over && isOperable ? `${named(element)} reacts to the mouse that comes, and not to the focus.` : null
  },
  control_role_without_focus: (element, role) =>
    interactiveRoles.has(role) &&
    role !== "option" &&
    role !== "gridcell" &&
    has(element, ...handlers) &&
    !has(element, "tabindex", "contenteditable", "disabled", "aria-disabled") &&
    !isControl(element) &&
    !partsTakeFocus(element, role) &&
    !/^(?:option|summary|label|audio|video|iframe)$/.test(element.tag) &&
    !someUp(element, (up) => up !== element && (has(up, "aria-activedescendant") || movesWithin(up, role)))
      ? `${named(element)} has the role \`${role}\`, but takes no focus.`
      : null,
  focusable_content: (element, role) =>
    tabindexOf(element) === 0 &&
    contentTags.has(element.tag) &&
    (role === "" || contentRoles.has(role)) &&
    !has(element, ...handlers, "contenteditable", "draggable", "aria-label", "aria-labelledby", "onfocus", "onscroll")
      ? `${named(element)} takes focus, and nothing can be done there.`
      : null,
  control_with_content_role: (element, role) =>
    isControl(element) && contentRoles.has(role) && role !== "img" && role !== "time"
      ? `${named(element)} is a control, and the role \`${role}\` hides it.`
      : null,
  content_with_control_role: (element, role) =>
    /^(?:h[1-6]|main|nav|article|header|footer|aside|section|p|blockquote|figure|img)$/.test(element.tag) &&
    /^(?:button|link|checkbox|radio|switch|textbox|slider)$/.test(role)
      ? `The role \`${role}\` hides that ${named(element)} is \`<${element.tag}>\`.`
      : null,
  invalid_autocomplete: (element) => {
    const value = /^(?:input|select|textarea)$/.test(element.tag) ? staticValue(element, "autocomplete") : null
    if (value === null || value.trim() === "" || !/^[\w\s-]+$/.test(value)) return null
    const fields = value
      .trim()
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => !/^(?:section-.*|shipping|billing|home|work|mobile|fax|pager|webauthn)$/.test(word))
    const unknown = fields.find(
      (field) => !autofillFields.has(field) && !/^(?:nope|false|no|none|disabled)$/.test(field)
    )
    return unknown === undefined ? null : `\`${unknown}\` is none of the values of \`autocomplete\`.`
  },
  misplaced_scope: (element) =>
    has(element, "scope") && /^(?:td|tr|thead|tbody|table|div|span)$/.test(element.tag)
      ? `\`scope\` means nothing on \`<${element.tag}>\`.`
      : null,
  access_key: (element) => {
    const key = staticValue(element, "accesskey")
    return key === null || key === "" ? null : `\`accesskey="${key.slice(0, 20)}"\` collides with other shortcuts.`
  },
  distracting_element: ({ tag }) =>
    tag === "marquee" || tag === "blink" ? `\`<${tag}>\` moves, and cannot be stopped.` : null,
  redundant_image_alt: (element) => {
    const alt = element.tag === "img" ? staticValue(element, "alt") : null
    return alt !== null && isDescribed.test(alt)
      ? `\`${alt.slice(0, 60)}\` says what a screen reader says anyway.`
      : null
  },
  invalid_language: (element) => {
    const lang = staticValue(element, "lang")
    return lang === null || isPlaceholder.test(lang) || isLanguage.test(lang.trim().replaceAll("_", "-"))
      ? null
      : `\`${lang.slice(0, 40)}\` is no language tag.`
  },
  hidden_focusable: (element) =>
    staticValue(element, "aria-hidden") === "true" &&
    (isControl(element) || tabindexOf(element) === 0) &&
    (tabindexOf(element) ?? 0) >= 0 &&
    !has(element, "disabled", "hidden", "inert") &&
    !/display:\s*none|visibility:\s*hidden/.test(staticValue(element, "style") ?? "")
      ? `${named(element)} takes focus, and \`aria-hidden\` hides it.`
      : null
}

const inspectValues = (element: Element, emit: Emit): void => {
  for (const { name, value, start, end, written } of element.attributes) {
    const allowed = ariaValues[name]
    if (allowed === undefined || value === null || allowed.test(value.trim().toLowerCase())) continue
    const isEmpty = value.trim() === ""
    if (isEmpty || !/^[\w. -]{1,40}$/.test(value)) continue
    emit({ rule: "invalid_aria_value", start, end, message: `\`${value.trim()}\` is no value of \`${written}\`.` })
  }
}

const allChecks = Object.entries(checks) as ReadonlyArray<readonly [SemanticRuleId, Check]>

/** What an element is, what its role says, and what its attributes say of both. */
export const inspectMeaning = (markup: Markup, emit: Emit): void => {
  for (const element of markup.elements) {
    if (element.isComponent || element.tag === "" || has(element, "is")) continue
    inspectValues(element, emit)
    if (element.hasSpread) continue
    const role = (attributeOf(element, "role")?.value ?? "").trim().toLowerCase().split(/\s+/)[0]!
    if (attributeOf(element, "role")?.value === null) continue
    for (const [rule, check] of allChecks) {
      const message = check(element, role)
      if (message !== null) emit(hitAt(rule, element, message))
    }
  }
}
