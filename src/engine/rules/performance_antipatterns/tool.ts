import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { inspectCompiled } from "./compiled.ts"
import { inspectJavaScript } from "./javascript.ts"
import { inspectPython } from "./python.ts"
import { type RuleId, rules } from "./rules.ts"

type Inspect = (file: SourceFile, emit: Emit<RuleId>) => void

const byLanguage: Partial<Record<Language, Inspect>> = {
  typescript: inspectJavaScript,
  tsx: inspectJavaScript,
  javascript: inspectJavaScript,
  python: inspectPython,
  go: inspectCompiled,
  java: inspectCompiled,
  csharp: inspectCompiled,
  rust: inspectCompiled
}

export default auditTool({
  id: "performance_antipatterns",
  suite: "full",
  kind: "finding",
  domain: "code_quality",
  category: "performance",
  priority: "P3",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  inspect: (file, emit) => {
    byLanguage[file.language]?.(file, emit)
    return undefined
  }
})
