import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Json } from "../../core/tool/AuditTool.ts"
import { encodeWords } from "../../languages/code/words.ts"
import { importedWords } from "../../structure/importGraph/importedWords.ts"
import { reportComments } from "./comments.ts"
import { lonelyExports } from "./exports.ts"
import { type DeadFacts, finish, privateMatch } from "./finish.ts"
import { importMatch, unusedImports } from "./imports.ts"
import { lonelyPrivates } from "./privates.ts"
import { rules } from "./rules.ts"

const scripts: ReadonlySet<Language> = new Set<Language>(["javascript", "typescript", "tsx"])
/** Their files may name what others declare, so all of them tell their words. */
const known: ReadonlySet<Language> = new Set<Language>([...scripts, "python", "go", "java", "vue"])

/** Templates name what the script imports; only their words are read. */
const wordsOf = (file: SourceFile): DeadFacts => ({
  m:
    file.language === "vue"
      ? [...file.text.matchAll(/([\w-]+)["']/g)].map(([, name]) => name!.toLowerCase())
      : importedWords(file),
  w: encodeWords(file)
})

export default auditTool({
  id: "dead_code",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 1,
  rules,
  // Tests and generated files may name what others declare.
  appliesTo: ({ language, role }) =>
    known.has(language) && (role === "source" || (language !== "java" && role !== "vendored" && role !== "minified")),
  inspect: (file, emit) => {
    if (file.role !== "source") return { ...wordsOf(file) }
    reportComments(file, emit)
    const unused = unusedImports(file)
    const privates = lonelyPrivates(file)
    for (const one of privates) if (one.scope === "file") emit(privateMatch(one))
    if (file.language !== "python") for (const one of unused) emit(importMatch(one))
    if (file.language === "java") return undefined
    const shared = privates.filter(({ scope }) => scope !== "file")
    const exported = scripts.has(file.language) ? lonelyExports(file) : []
    const facts: { [key: string]: Json } = { ...wordsOf(file) } as { [key: string]: Json }
    if (shared.length > 0) facts.p = shared.map(({ name, start, end, what }) => [name, start, end, what])
    if (exported.length > 0) facts.x = exported.map(({ name, start, end }) => [name, start, end, ""])
    if (file.language === "python" && unused.length > 0)
      facts.i = unused.map(({ name, start, end, module }) => [name, start, end, module])
    return facts
  },
  finish
})
