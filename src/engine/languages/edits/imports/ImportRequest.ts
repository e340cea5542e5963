import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Edit } from "../../../core/fix/Fixer.ts"
import { nameKinds } from "../importRemovals.ts"

export interface ImportRequest {
  /** As the language writes it: "node:crypto", "secrets", "crypto/rand", "java.util.List", "digest", "std::fs". */
  readonly module: string
  /** One of its names; without it, the module as a whole. */
  readonly name?: string
}

export interface Imported {
  /** How code of the file writes it: `randomBytes`, or `crypto.randomBytes` where the module is imported as a whole. */
  readonly local: string
  /** None where it is imported already. */
  readonly edits: ReadonlyArray<Edit>
}

/** Null where the name means something else in this file. */
export type AddImport = (file: SourceFile, request: ImportRequest) => Imported | null

/** Whether the file names anything so. */
export const isTaken = (file: SourceFile, name: string): boolean =>
  file.tree!.of(...nameKinds).some((node) => file.tree!.textOf(node) === name)

export const insertion = (at: number, text: string): Edit => ({ start: at, end: at, text })

/** Start of the line after the one that holds the offset; with a line break where that is the last. */
export const afterLine = (file: SourceFile, offset: number, text: string): Edit => {
  const next = file.lineStarts[file.line(offset)]
  return next === undefined ? insertion(file.text.length, `\n${text}`) : insertion(next, `${text}\n`)
}

/** Start of the line that holds the offset. */
export const beforeLine = (file: SourceFile, offset: number, text: string): Edit =>
  insertion(file.lineStarts[file.line(offset) - 1]!, `${text}\n`)
