import { programLanguage } from "../../core/files/programLanguage.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"

const interpreters: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bperl\b/, "Perl"],
  [/\blua(?:jit)?\b/, "Lua"],
  [/\bescript\b/, "Erlang"],
  [/\b(?:tclsh|wish|expect(?:k)?)[\d.]*\b/, "Tcl"]
]

const MAX_LINES_BEFORE = 12

/** A program of Tcl may have the shell look for its interpreter, in what Tcl takes for a comment. */
const startsTcl = (file: SourceFile): boolean => {
  if (!file.text.startsWith("#!")) return false
  for (let line = 2; line <= Math.min(MAX_LINES_BEFORE, file.lineCount); line++) {
    const text = file.lineText(line)
    if (/^[ \t]*exec\b.{0,60}\b(?:tclsh|wish|expect)/.test(text)) return /\\$/.test(file.lineText(line - 1).trimEnd())
    if (!/^[ \t]*(?:#|$)/.test(text)) return false
  }
  return false
}

/** Also what Puppet calls its manifests. */
const isPascal = (file: SourceFile): boolean =>
  file.path.endsWith(".pp") &&
  /^[ \t]*(?:program|unit|library)[ \t]+\w+[ \t]*(?:\([^)\n]{0,80}\))?[ \t]*;/im.test(file.text)

/** The language of a program, where its name does not say it by the interpreter that it asks for. */
export const languageName = (file: SourceFile): string | null => {
  const known = programLanguage(file.path, file.language)
  if (known === null && isPascal(file)) return "Pascal"
  if (file.language === "shell" && startsTcl(file)) return "Tcl"
  const first = known === null && file.text.startsWith("#!") ? file.lineText(1) : ""
  return known ?? interpreters.find(([pattern]) => pattern.test(first))?.[1] ?? null
}
