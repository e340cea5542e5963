import { type Match } from "../../core/tool/AuditTool.ts"
import { attributeOf, type Element, type Markup } from "../../languages/markup/Element.ts"
import type { RuleId } from "./rules.ts"

const elsewhere = /^\s*(?:https?:)?\/\//i

/** Where a page's own code opens a window that may belong to another site. */
const leadsAway = (element: Element): boolean => {
  const target = attributeOf(element, element.tag === "form" ? "action" : "href")
  return target !== undefined && (target.value === null ? !element.hasSpread : elsewhere.test(target.value))
}

const inspectTarget = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  if (!/^(?:a|area|form)$/.test(element.tag) || element.hasSpread || !leadsAway(element)) return
  const target = attributeOf(element, "target")
  if (target?.value?.toLowerCase() !== "_blank") return
  const rel = attributeOf(element, "rel")
  if (rel !== undefined && (rel.value === null || /noopener|noreferrer/i.test(rel.value))) return
  emit({
    rule: "opener_exposed",
    start: target.start,
    end: target.end,
    message: "In older browsers the page that opens here can send this one elsewhere through `window.opener`."
  })
}

const nothing = /^javascript:\s*(?:(?:void|undefined)\s*\(?\s*\d*\s*\)?|\/\/|false|;|\{\s*\})?\s*;?\s*$/i

const MAX_NOTHING = 60

const isNothing = (value: string): boolean => value.length <= MAX_NOTHING && nothing.test(value)

/** A program that is dragged to the browser's bookmarks, to run in other pages: no attribute but `href` can hold it. */
const isBookmarklet = ({ tag }: Element, value: string): boolean =>
  tag === "a" &&
  /^javascript:\s*(?:void\s*)?[(!]\s*(?:async\s+)?(?:function\b|\(\s*\)\s*=>)/i.test(value.replaceAll("%20", " "))

const inspectAddress = (element: Element, emit: (hit: Match<RuleId>) => void): void => {
  for (const name of ["href", "src", "action", "formaction", "xlink:href"]) {
    const attribute = attributeOf(element, name)
    const value = attribute?.value?.trim() ?? ""
    if (attribute === undefined || !/^javascript:/i.test(value) || isNothing(value) || isBookmarklet(element, value))
      continue
    emit({
      rule: "script_in_address",
      start: attribute.start,
      end: attribute.end,
      message: `The code in \`${name}\` needs a policy that allows inline scripts, and is lost where one forbids them.`
    })
  }
}

/** No mail program gives a page a handle on the letter. */
const isLetter = /mail|newsletter/i

export const inspectLinks = (path: string, markup: Markup, emit: (hit: Match<RuleId>) => void): void => {
  for (const element of markup.elements) {
    if (element.isComponent) continue
    if (!isLetter.test(path)) inspectTarget(element, emit)
    inspectAddress(element, emit)
  }
}
