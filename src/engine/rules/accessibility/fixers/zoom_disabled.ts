import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { attributeOf } from "../../../languages/markup/Element.ts"
import { valueRange } from "./attributeText.ts"
import { elementAt } from "./elementAt.ts"

const forbids = /^\s*(?:user-scalable\s*=\s*(?:no|0|false)|maximum-scale\s*=\s*[01](?:\.\d+)?)\s*$/i

const propose = ({ file, match }: FixSite): Proposal => {
  const element = elementAt(file, match.start)
  const content = element === undefined ? undefined : attributeOf(element, "content")
  const range = content === undefined ? null : valueRange(file.text, content)
  if (range === null) return declined("The settings are written in another part of the file.")
  const value = file.text.slice(range.start, range.end)
  const parts = value.split(/([,;])/)
  const kept = parts.filter((part, i) => i % 2 === 0 && !forbids.test(part))
  if (kept.every((part) => part.trim() === ""))
    return declined("The tag holds nothing else: whether it can go is up to its author.")
  // The separator before a part goes with it; the first part that is kept has none.
  let text = ""
  parts.forEach((part, i) => {
    if (i % 2 === 1 || forbids.test(part)) return
    text += text === "" ? part.trimStart() : `${parts[i - 1] ?? ""}${part}`
  })
  return { edits: [{ ...range, text }], summary: "Let people enlarge the page" }
}

export default fixer({
  tool: "accessibility",
  rule: "zoom_disabled",
  languages: ["html", "javascript", "php"],
  propose
})
