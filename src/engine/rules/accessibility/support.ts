import type { Hit } from "../../core/tool/AuditTool.ts"
import { type Element, staticValue } from "../../languages/markup/Element.ts"

export const hitAt = (rule: string, element: Element, message: string): Hit => ({
  rule,
  start: element.start,
  end: element.end,
  message
})

/** `<input name="email">`, in as few words as tell it apart. */
export const named = (element: Element): string => {
  for (const name of ["name", "id", "class", "type"]) {
    const value = staticValue(element, name)
    if (value !== null && value !== "" && value.length <= 40 && !value.includes("`")) {
      return `\`<${element.tag} ${name}="${value}">\``
    }
  }
  return `\`<${element.tag}>\``
}
