import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import * as go from "./imports/go.ts"
import type { AddImport, Imported, ImportRequest } from "./imports/ImportRequest.ts"
import * as javascript from "./imports/javascript.ts"
import * as python from "./imports/python.ts"
import { addCsharpImport, addJavaImport, addPhpImport, addRubyImport, addRustImport } from "./imports/statements.ts"

export type { Imported, ImportRequest }

const byLanguage: Partial<Record<Language, AddImport>> = {
  javascript: javascript.addImport,
  typescript: javascript.addImport,
  tsx: javascript.addImport,
  python: python.addImport,
  go: go.addImport,
  java: addJavaImport,
  php: addPhpImport,
  ruby: addRubyImport,
  rust: addRustImport,
  csharp: addCsharpImport
}

/**
 * What code of the file writes for a name of a module, and the edits that import it where the language's convention puts
 * that. Null where the name means something else in this file, or the language has no imports.
 */
export const importing = (file: SourceFile, request: ImportRequest): Imported | null =>
  file.tree === null ? null : (byLanguage[file.language]?.(file, request) ?? null)
