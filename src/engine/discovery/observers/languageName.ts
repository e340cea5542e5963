import { programLanguage } from "../../core/files/programLanguage.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"

const interpreters: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bperl\b/, "Perl"],
  [/\blua(?:jit)?\b/, "Lua"],
  [/\bescript\b/, "Erlang"]
]

/** Also what Puppet calls its manifests. */
const isPascal = (file: SourceFile): boolean =>
  file.path.endsWith(".pp") &&
  /^[ \t]*(?:program|unit|library)[ \t]+\w+[ \t]*(?:\([^)\n]{0,80}\))?[ \t]*;/im.test(file.text)

/** The language of a program, where its name does not say it by the interpreter that it asks for. */
export const languageName = (file: SourceFile): string | null => {
  const known = programLanguage(file.path, file.language)
  if (known === null && isPascal(file)) return "Pascal"
  const first = known === null && file.text.startsWith("#!") ? file.lineText(1) : ""
  return known ?? interpreters.find(([pattern]) => pattern.test(first))?.[1] ?? null
}
