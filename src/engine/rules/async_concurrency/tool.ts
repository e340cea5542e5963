import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit, type Json } from "../../core/tool/AuditTool.ts"
import { inspectCsharp } from "./csharp.ts"
import { concludeExpress } from "./express.ts"
import { inspectGo } from "./go.ts"
import { inspectJava } from "./java.ts"
import { inspectJavaScript } from "./javascript.ts"
import { inspectPython } from "./python.ts"
import { type RuleId, rules } from "./rules.ts"
import { inspectRust } from "./rust.ts"

type Inspect = (file: SourceFile, emit: Emit<RuleId>) => unknown

const byLanguage: Partial<Record<Language, Inspect>> = {
  typescript: inspectJavaScript,
  tsx: inspectJavaScript,
  javascript: inspectJavaScript,
  python: inspectPython,
  go: inspectGo,
  java: inspectJava,
  csharp: inspectCsharp,
  rust: inspectRust
}

export default auditTool({
  id: "async_concurrency",
  suite: "standard",
  kind: "finding",
  domain: "reliability",
  category: "correctness",
  priority: "P1",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  inspect: (file, emit) => byLanguage[file.language]?.(file, emit) as Json | undefined,
  finish: (facts, project, emit) => {
    for (const { path, facts: handlers } of facts)
      concludeExpress(path, handlers, project, (match) => emit(path, match))
  }
})
