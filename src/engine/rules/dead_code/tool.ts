import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool } from "../../core/tool/AuditTool.ts"
import { encodeWords, isKept } from "../../languages/code/words.ts"
import { importedWords } from "../../structure/importGraph/importedWords.ts"
import { reportComments } from "./comments.ts"
import { type ExportedName, unreferencedExports } from "./exports.ts"
import { type Candidate, type DeadFacts, finish, privateMatch } from "./finish.ts"
import { importMatch, unusedImports } from "./imports.ts"
import { unreferencedPrivates } from "./privates.ts"
import { rules } from "./rules.ts"

const scripts: ReadonlySet<Language> = new Set<Language>(["javascript", "typescript", "tsx"])
/** Their files may refer to names of other files, so all of them leave their words. */
const known: ReadonlySet<Language> = new Set<Language>([...scripts, "python", "go", "java", "vue"])

/** Templates name what the script imports; only their words are read. */
const wordsOf = (file: SourceFile): DeadFacts => ({
  m:
    file.language === "vue"
      ? [...file.text.matchAll(/([\w-]+)["']/g)].map(([, name]) => name!.toLowerCase())
      : importedWords(file),
  w: encodeWords(file)
})

/** Candidates under their key; nothing where there are none, because most files have none. */
const candidates = <Key extends "p" | "i" | "x", One extends ExportedName>(
  key: Key,
  names: ReadonlyArray<One>,
  extra: (name: One) => string
): { readonly [K in Key]?: ReadonlyArray<Candidate> } => {
  const listed: { [K in Key]?: ReadonlyArray<Candidate> } = {}
  if (names.length > 0) listed[key] = names.map((one) => [one.name, one.start, one.end, extra(one)])
  return listed
}

export default auditTool({
  id: "dead_code",
  suite: "full",
  kind: "advisory",
  domain: "code_quality",
  category: "maintainability",
  priority: "P3",
  version: 1,
  rules,
  // Tests and generated files may refer to names of other files.
  appliesTo: ({ language, role }) =>
    known.has(language) && (role === "source" || (language !== "java" && role !== "vendored" && role !== "minified")),
  inspect: (file, emit) => {
    if (file.role !== "source") return wordsOf(file)
    reportComments(file, emit)
    const unused = unusedImports(file)
    const privates = unreferencedPrivates(file)
    for (const one of privates) if (one.scope === "file") emit(privateMatch(one))
    if (file.language !== "python") for (const one of unused) emit(importMatch(one))
    if (file.language === "java") return undefined
    const shared = privates.filter(({ scope, name }) => scope !== "file" && isKept(name))
    const exported = scripts.has(file.language) ? unreferencedExports(file) : []
    const importable = file.language === "python" ? unused : []
    return {
      ...wordsOf(file),
      ...candidates("p", shared, ({ what }) => what),
      ...candidates("x", exported, () => ""),
      ...candidates("i", importable, ({ module }) => module)
    }
  },
  finish
})
