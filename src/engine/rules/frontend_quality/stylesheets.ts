import type { SourceFile } from "../../core/files/SourceFile.ts"
import { type Match } from "../../core/tool/AuditTool.ts"
import { type StyleRule, styleRules } from "../../languages/formats/stylesheet.ts"
import type { RuleId } from "./rules.ts"

const removed = /^(?:none|0(?:px)?|0 none|none 0)(?:\s*!important)?$/
/** What may show the focus instead. */
const shown =
  /^(?:box-shadow|border(?:-(?:color|width|style|bottom|top|left|right|image))?(?:-color)?|background(?:-color|-image)?|color|fill|stroke|text-decoration(?:-\w+)?|filter|transform|opacity|text-shadow|@include|@extend|@apply|@mixin|font-weight|outline-\w+|--[\w-]+|composes|\.[\w-]+)$/
/** Moved into by scripts so that reading goes on there, never by the Tab key. */
const container =
  /modal|dialog|main|content|panel|container|popover|menu|wrapper|list|overlay|drawer|section|h[1-6]\b|body|page|\[tabindex=["']?-1|:not\(|:disabled|:active|visible|within|moz-focus|swiper|slick|canvas|checkbox|radio|range|file|widget|handle|grid|table|view|region|skip/i
/** Plain controls. Widgets made of several elements often show the focus on another one of them. */
const control = /\.(?:btn|button|[\w]+-(?:btn|button)|(?:btn|button)-[\w-]+):focus(?:$|[\s,:])/i
const bare = /(?:^|[\s>+~,])(?:\*|a|button|input|select|textarea)(?:[.[][^\s>+~,]{0,80})?:focus(?:$|[\s,])/i

const MAX_DEPTH = 12

const fullSelector = (rule: StyleRule): string => {
  let selector = rule.selector
  let up = rule.parent
  for (let depth = 0; up !== null && depth < MAX_DEPTH; depth++, up = up.parent) {
    selector = selector.includes("&")
      ? selector.replaceAll("&", up.selector.slice(0, 300))
      : `${up.selector.slice(0, 300)} ${selector}`
    if (selector.length > 1_000) break
  }
  return selector
}

/** The element a part of a selector is about, whatever its state: `.btn:focus` and `.btn:hover` are both `.btn`. */
const subjects = (selector: string): ReadonlyArray<string> =>
  selector.split(",").map((part) =>
    part
      .trim()
      .replace(/::?[\w-]+(?:\([^)]*\))?/g, "")
      .replace(/\s+/g, " ")
  )

export const inspectStylesheet = (file: SourceFile, emit: (hit: Match<RuleId>) => void): void => {
  const { text } = file
  if (!/outline\s*:\s*(?:none|0)/.test(text)) return
  const rules = styleRules(text, file.language === "scss")
  const showsFocus = new Set<string>()
  for (const rule of rules) {
    if (!rule.selector.includes(":focus") || !rule.declarations.some(showsIt)) continue
    for (const subject of subjects(fullSelector(rule))) showsFocus.add(subject)
  }
  const hasVisible = /:focus-(?:visible|within)|[\w.]-focus(?:ed)?\b|\.focus(?:ed)?\b/.test(text)
  for (const rule of rules) {
    const outline = rule.declarations.find(({ property, value }) => property === "outline" && removed.test(value))
    if (outline === undefined || !rule.selector.includes(":focus")) continue
    const selector = fullSelector(rule)
    if (container.test(selector) || !isControl(selector) || rule.declarations.some(showsIt)) continue
    if (hasVisible || subjects(selector).some((subject) => showsFocus.has(subject))) continue
    emit({
      rule: "focus_not_shown",
      start: outline.start,
      end: outline.end,
      message: `\`${selector.slice(0, 80).replace(/`/g, "'")}\` takes the outline away and shows the focus in no other way.`
    })
  }
}

const isControl = (selector: string): boolean => control.test(selector) || bare.test(selector)

const showsIt = ({ property, value }: { readonly property: string; readonly value: string }): boolean =>
  (shown.test(property) && !removed.test(value)) || (property === "outline" && !removed.test(value))
