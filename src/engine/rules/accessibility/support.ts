import { type Match } from "../../core/tool/AuditTool.ts"
import { type Element, staticValue } from "../../languages/markup/Element.ts"
import type { RuleId } from "./rules.ts"

export const hitAt = (rule: RuleId, element: Element, message: string): Match<RuleId> => ({
  rule,
  start: element.start,
  end: element.end,
  message
})

/** `<input name="email">`, in as few words as identify it. */
export const named = (element: Element): string => {
  for (const name of ["name", "id", "class", "type"]) {
    const value = staticValue(element, name)
    if (value !== null && value !== "" && value.length <= 40 && !value.includes("`")) {
      return `\`<${element.tag} ${name}="${value}">\``
    }
  }
  return `\`<${element.tag}>\``
}
