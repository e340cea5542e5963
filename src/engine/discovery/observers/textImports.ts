import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { Imported } from "../Observed.ts"
import { languageName } from "./languageName.ts"

const MAX_IMPORTS = 200

/** How languages that are not parsed name the modules that a file uses. */
const forms: Readonly<Record<string, RegExp>> = {
  Haskell: /^import[ \t]+(?:safe[ \t]+)?(?:qualified[ \t]+)?([A-Z][\w.']{0,120})/gm,
  Lua: /\brequire[ \t]*\(?[ \t]*["']([\w./-]{1,120})["']/g,
  Perl: /^[ \t]*(?:use|require)[ \t]+([A-Z][\w:]{0,120})/gm
}

/** Modules that a file of such a language imports. */
export const textImports = (file: SourceFile): ReadonlyArray<Imported> => {
  const form = file.role === "source" ? forms[languageName(file) ?? ""] : undefined
  return form === undefined
    ? []
    : [...file.text.matchAll(form)].slice(0, MAX_IMPORTS).map(({ 1: module, index, 0: match }) => ({
        module: module!,
        names: [],
        line: file.line(index + match.search(/\S/))
      }))
}
