import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { inspectGo } from "./go.ts"
import { inspectHandlers } from "./handlers.ts"
import { inspectPromises } from "./promises.ts"
import { type RuleId, rules } from "./rules.ts"
import { inspectRust } from "./rust.ts"

type Inspect = (file: SourceFile, emit: Emit<RuleId>) => void

const guarded =
  (...words: ReadonlyArray<string>): Inspect =>
  (file, emit) => {
    if (words.some((word) => file.text.includes(word))) inspectHandlers(file, emit)
  }

const inspectJavaScript: Inspect = (file, emit) => {
  if (file.text.includes("catch") || file.text.includes("finally")) inspectHandlers(file, emit)
  inspectPromises(file, emit)
}

const byLanguage: Partial<Record<Language, Inspect>> = {
  typescript: inspectJavaScript,
  tsx: inspectJavaScript,
  javascript: inspectJavaScript,
  python: guarded("except", "finally"),
  java: guarded("catch", "finally"),
  csharp: guarded("catch"),
  ruby: guarded("rescue", "ensure"),
  go: inspectGo,
  rust: inspectRust
}

export default auditTool({
  id: "error_handling",
  suite: "standard",
  kind: "finding",
  domain: "reliability",
  category: "correctness",
  priority: "P2",
  version: 2,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  inspect: (file, emit) => {
    byLanguage[file.language]?.(file, emit)
    return undefined
  }
})
