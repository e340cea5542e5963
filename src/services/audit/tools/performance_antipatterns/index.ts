import { auditTool, type Hit } from "../../AuditTool.ts"
import type { Language } from "../../Language.ts"
import type { SourceFile } from "../../SourceFile.ts"
import { inspectCompiled } from "./compiled.ts"
import { inspectJavaScript } from "./javascript.ts"
import { inspectPython } from "./python.ts"
import { rules } from "./rules.ts"

type Inspect = (file: SourceFile, emit: (hit: Hit) => void) => void

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
