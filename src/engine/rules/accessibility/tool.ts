import type { Language } from "../../core/files/Language.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { markupOf } from "../../languages/markup/markup.ts"
import { inspectClicks, inspectLabels, inspectNames } from "./controls.ts"
import { inspectElements } from "./elements.ts"
import { inspectMeaning } from "./meaning.ts"
import { rules } from "./rules.ts"

const languages: ReadonlySet<Language> = new Set<Language>(["html", "tsx", "javascript", "vue", "php"])

export default auditTool({
  id: "accessibility",
  suite: "standard",
  kind: "finding",
  domain: "ux",
  category: "correctness",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  mentions:
    /<(?:img|input|select|textarea|html|meta|iframe|a|button|h[1-6]|video|marquee|blink|td|tr)[\s>]|\blang=|access[kK]ey=|\bscope=|tab[iI]ndex=|on[cC]lick=|@click|v-on:|\(click\)=|\brole=|\baria-/,
  inspect: (file, emit) => {
    const markup = markupOf(file)
    if (markup.elements.length === 0) return undefined
    inspectElements(file, markup, emit)
    inspectLabels(file, markup, emit)
    inspectNames(file, markup, emit)
    // Templates of PHP are mostly pages for scripts, whose handlers are elsewhere.
    if (file.language !== "php") {
      inspectClicks(file, markup, emit)
      inspectMeaning(markup, emit)
    }
    return undefined
  }
})
