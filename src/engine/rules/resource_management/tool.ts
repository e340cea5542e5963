import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit } from "../../core/tool/AuditTool.ts"
import { inspectCaches } from "./caches.ts"
import { inspectClosing } from "./closing.ts"
import { inspectEffects } from "./effects.ts"
import { inspectInlineFiles } from "./inlineFiles.ts"
import { inspectNativeLeaks } from "./native.ts"
import { inspectGoHttp, inspectPythonRequests, reportWaiting } from "./requests.ts"
import { type RuleId, rules } from "./rules.ts"

type Inspect = (file: SourceFile, emit: Emit<RuleId>) => void

const inspectJavaScript: Inspect = (file, emit) => {
  inspectEffects(file, emit)
  inspectCaches(file, emit)
}

const whenMentions =
  (pattern: RegExp, inspect: Inspect): Inspect =>
  (file, emit) => {
    if (pattern.test(file.text)) inspect(file, emit)
  }

const closingPython = whenMentions(/\bopen\(/, (file, emit) => {
  inspectClosing(file, emit)
  inspectInlineFiles(file, emit)
})
const closingGo = whenMentions(
  /\bos\.(?:Open|Create)|TempFile|\.(?:Do|Get|Post|PostForm|Queryx?(?:Context)?)\(/,
  inspectClosing
)

const leaking = whenMentions(
  /\b(?:f?d?open(?:at|dir)?|fdopen|fmemopen|popen|tmpfile|mkstemp|creat|socket|accept4?|malloc|calloc|strn?dup)\s*\(/,
  inspectNativeLeaks
)

const byLanguage: Partial<Record<Language, Inspect>> = {
  c: leaking,
  cpp: leaking,
  typescript: inspectJavaScript,
  tsx: inspectJavaScript,
  javascript: inspectJavaScript,
  python: (file, emit) => {
    closingPython(file, emit)
    inspectCaches(file, emit)
  },
  go: (file, emit) => {
    closingGo(file, emit)
    inspectGoHttp(file, emit)
  },
  java: whenMentions(
    /File(?:Input|Output|Reader|Writer)|RandomAccessFile|(?:Zip|Jar)File|Files\.|getConnection|Statement\(/,
    inspectClosing
  ),
  csharp: whenMentions(
    /FileStream|Stream(?:Reader|Writer)|Binary(?:Reader|Writer)|File\.|(?:Connection|Command)\(/,
    inspectClosing
  )
}

export default auditTool({
  id: "resource_management",
  suite: "standard",
  kind: "finding",
  domain: "reliability",
  category: "correctness",
  priority: "P2",
  version: 4,
  rules,
  appliesTo: ({ language, role }) => role === "source" && Object.hasOwn(byLanguage, language),
  inspect: (file, emit) => {
    byLanguage[file.language]?.(file, emit)
    return file.language === "python" ? inspectPythonRequests(file, emit) : undefined
  },
  finish: (summaries, _, emit) => reportWaiting(summaries, emit)
})
