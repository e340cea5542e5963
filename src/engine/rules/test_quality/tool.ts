import type { Language } from "../../core/files/Language.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { inspectConstants, inspectUncalled } from "./constants.ts"
import { inspectHandlers, inspectUnchecked } from "./missing.ts"
import { rules } from "./rules.ts"
import { structural } from "./structure.ts"
import { isScript } from "./support.ts"
import { inspectDropped, inspectGoroutines, inspectSleeps } from "./time.ts"

const languages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "java",
  "go",
  "ruby",
  "csharp"
])

export default auditTool({
  id: "test_quality",
  suite: "standard",
  kind: "finding",
  domain: "testing",
  category: "correctness",
  priority: "P2",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => role === "test" && languages.has(language),
  mentions: /\b(?:it|test|specify|fit|describe|scenario)\b|test_|\bTest|@Test|\[(?:Fact|Test|Theory)/,
  inspect: (file, emit) => {
    if (file.tree === null) return undefined
    structural(file, emit)
    inspectUnchecked(file, emit)
    inspectConstants(file, emit)
    if (file.language !== "go") inspectHandlers(file, emit)
    inspectSleeps(file, emit)
    if (file.language === "python" || isScript(file)) inspectUncalled(file, emit)
    if (file.language === "csharp" || isScript(file)) inspectDropped(file, emit)
    if (file.language === "go") inspectGoroutines(file, emit)
    return undefined
  }
})
