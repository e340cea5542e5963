import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Match } from "../../core/tool/AuditTool.ts"
import { markupOf } from "../../languages/markup/markup.ts"
import { isReact } from "../../structure/components.ts"
import { inspectDependencies } from "./dependencies.ts"
import { inspectHookOrder } from "./hooks.ts"
import { inspectLinks } from "./links.ts"
import { inspectLists } from "./lists.ts"
import { inspectRequests } from "./requests.ts"
import { type RuleId, rules } from "./rules.ts"
import { inspectMutations, inspectRenderUpdates } from "./state.ts"
import { inspectStylesheet } from "./stylesheets.ts"
import { inspectVue } from "./vue.ts"

type Inspect = (file: SourceFile, emit: (hit: Match<RuleId>) => void) => void

const inspectScript: Inspect = (file, emit) => {
  if (file.tree === null) return
  inspectRequests(file, emit)
  if (/\buse[A-Z]/.test(file.text) && isReact(file)) {
    inspectHookOrder(file, emit)
    inspectDependencies(file, emit)
    inspectRenderUpdates(file, emit)
  }
  if (/useState|setState/.test(file.text)) inspectMutations(file, emit)
  if (file.language === "typescript" || !/<[a-zA-Z>]/.test(file.text)) return
  const markup = markupOf(file)
  inspectLists(file, markup, emit)
  inspectLinks(file.path, markup, emit)
}

const inspectPage: Inspect = (file, emit) => {
  if (/_blank|javascript:/i.test(file.text)) inspectLinks(file.path, markupOf(file), emit)
}

const byLanguage: Partial<Record<Language, Inspect>> = {
  javascript: inspectScript,
  typescript: inspectScript,
  tsx: inspectScript,
  html: inspectPage,
  php: inspectPage,
  vue: (file, emit) => {
    inspectPage(file, emit)
    inspectVue(file, markupOf(file), emit)
  },
  css: inspectStylesheet,
  scss: inspectStylesheet
}

export default auditTool({
  id: "frontend_quality",
  suite: "standard",
  kind: "finding",
  domain: "ux",
  category: "correctness",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  mentions: /\buse[A-Z]\w*\(|\bfetch\(|\.map\(|setState|_blank|javascript:|v-for|props|v-model|outline\s*:/,
  inspect: (file, emit) => {
    byLanguage[file.language]?.(file, emit)
    return undefined
  }
})
