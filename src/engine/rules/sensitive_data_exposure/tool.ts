import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { mentionsQuery, mentionsStorage, secretsInUrls, storedTokens } from "./exposedValues.ts"
import { loggedSecrets, mentionsLog } from "./logs.ts"
import { exceptionResponses, mentionsTrace } from "./responses.ts"
import { type RuleId, rules } from "./rules.ts"

const languages: ReadonlySet<string> = new Set(["javascript", "python", "go", "java", "ruby", "php", "csharp"])

const secretText =
  /pass(?:word|wd|phrase|code)|pwd|secret|token|api_?key|private_?key|signing_?key|authorization|\bssn\b|cvv|card_?number|\.body\b|[hH]eaders?\b|cookies|_POST|\bPOST\b|jwt/i

/** Each concern reads a file only when its own words are in it. */
const concerns: ReadonlyArray<readonly [(text: string) => boolean, (file: SourceFile, emit: Emit<RuleId>) => void]> = [
  [(text) => mentionsLog.test(text) && secretText.test(text), loggedSecrets],
  [(text) => mentionsTrace.test(text), exceptionResponses],
  [(text) => mentionsQuery.test(text), secretsInUrls]
]

export default auditTool({
  id: "sensitive_data_exposure",
  suite: "full",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P2",
  version: 3,
  rules,
  appliesTo: ({ language, role }) => role === "source" && languages.has(ruleLanguageOf(language)),
  inspect: (file, emit) => {
    for (const [mentions, check] of concerns) if (mentions(file.text) && file.tree !== null) check(file, emit)
    const isScript = ruleLanguageOf(file.language) === "javascript"
    if (isScript && mentionsStorage.test(file.text) && file.tree !== null) storedTokens(file, emit)
  }
})
