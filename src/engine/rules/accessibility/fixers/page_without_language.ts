import type { SourceFile } from "../../../core/files/SourceFile.ts"
import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import { staticValue } from "../../../languages/markup/Element.ts"
import { markupOf } from "../../../languages/markup/markup.ts"

const tag = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/

/** What the page itself says of its language in another tag. */
const stated = (file: SourceFile): string | null => {
  for (const element of markupOf(file).elements) {
    if (element.tag !== "meta") continue
    const key = (
      staticValue(element, "http-equiv") ??
      staticValue(element, "httpequiv") ??
      staticValue(element, "property") ??
      staticValue(element, "name") ??
      ""
    ).toLowerCase()
    const value = staticValue(element, "content")?.trim() ?? ""
    if (/^(?:content-language|language|og:locale|dc\.language)$/.test(key) && tag.test(value))
      return value.replace("_", "-")
  }
  return null
}

const english = new Set(
  "the and of to in is that for with as on are this be by from or an have not you your at it can will was if when which all".split(
    " "
  )
)
const MIN_WORDS = 40
const MIN_SHARE = 0.2

/** Text that readers see: without tags, scripts, styles, comments and the code of templates. */
const visibleText = (text: string): string =>
  text
    .replace(
      /<(script|style|code|pre)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<\?[\s\S]*?(?:\?>|$)|\{\{[^}]*\}\}|\{%[^%]*%\}|<%[\s\S]*?%>/gi,
      " "
    )
    .replace(/<[^>]*>/g, " ")

/** A fifth of running English are these words; no other language has a tenth of them. */
const isEnglish = (file: SourceFile): boolean => {
  const words =
    visibleText(file.text)
      .toLowerCase()
      .match(/[\p{L}']+/gu) ?? []
  const hits = words.filter((word) => english.has(word)).length
  return words.length >= MIN_WORDS && hits >= words.length * MIN_SHARE && words.every((word) => /^[ -~]+$/.test(word))
}

const propose = ({ file, match }: FixSite): Proposal => {
  const language = stated(file) ?? (file.language === "html" && isEnglish(file) ? "en" : null)
  if (language === null)
    return declined("Which language the page is in is not stated in it, and its own text is too short to show it.")
  const at = match.start + "<html".length
  return {
    edits: [{ start: at, end: at, text: ` lang="${language}"` }],
    summary: "State the language of the page"
  }
}

export default fixer({
  tool: "accessibility",
  rule: "page_without_language",
  languages: ["html", "javascript", "php"],
  propose
})
