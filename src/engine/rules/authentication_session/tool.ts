import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { mentionsSecrets, unsafeComparisons } from "./comparisons.ts"
import { cookieFlags, mentionsCookies } from "./cookies.ts"
import { mentionsTokens, tokenChecks } from "./jwt.ts"
import { type RuleId, rules } from "./rules.ts"
import { mentionsSessions, sessionFixation } from "./sessions.ts"

const languages: ReadonlySet<Language> = new Set<Language>([
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "java",
  "php",
  "ruby"
])

/** Each concern reads a file only when its own words are in it. */
const concerns: ReadonlyArray<readonly [RegExp, (file: SourceFile, emit: Emit<RuleId>) => void]> = [
  [mentionsTokens, tokenChecks],
  [mentionsCookies, cookieFlags],
  [mentionsSecrets, unsafeComparisons],
  [mentionsSessions, sessionFixation]
]

export default auditTool({
  id: "authentication_session",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 4,
  redacts: true,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(language),
  inspect: (file, emit) => {
    for (const [mentions, check] of concerns) if (mentions.test(file.text) && file.tree !== null) check(file, emit)
    return undefined
  }
})
