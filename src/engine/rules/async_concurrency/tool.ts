import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { inspectCsharp } from "./csharp.ts"
import { type ExpressFacts, reportHandlers } from "./express.ts"
import { inspectGo } from "./go.ts"
import { inspectJava } from "./java.ts"
import { inspectJavaScript } from "./javascript.ts"
import { inspectNative } from "./native.ts"
import { inspectPython } from "./python.ts"
import { type RuleId, rules } from "./rules.ts"
import { inspectRust } from "./rust.ts"

type Inspect = (file: SourceFile, emit: Emit<RuleId>) => ExpressFacts | undefined

/** Languages whose rules need one file only. */
const perFile =
  (inspect: (file: SourceFile, emit: Emit<RuleId>) => void): Inspect =>
  (file, emit) => {
    inspect(file, emit)
    return undefined
  }

const byLanguage: Partial<Record<Language, Inspect>> = {
  typescript: inspectJavaScript,
  tsx: inspectJavaScript,
  javascript: inspectJavaScript,
  python: perFile(inspectPython),
  go: perFile(inspectGo),
  java: perFile(inspectJava),
  csharp: perFile(inspectCsharp),
  rust: perFile(inspectRust),
  c: perFile(inspectNative),
  cpp: perFile(inspectNative)
}

export default auditTool({
  id: "async_concurrency",
  suite: "standard",
  kind: "finding",
  domain: "reliability",
  category: "correctness",
  priority: "P1",
  version: 4,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  inspect: (file, emit) => byLanguage[file.language]?.(file, emit),
  finish: (summaries, project, emit) => {
    for (const { path, facts } of summaries) reportHandlers(path, facts, project, (match) => emit(path, match))
  }
})
