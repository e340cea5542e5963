import { MAX_FILE_BYTES } from "../core/files/fileText.ts"
import { languageOf } from "../core/files/Language.ts"
import { programLanguageOf } from "../core/files/programLanguage.ts"
import type { TreeTerms } from "../core/files/TreeTerms.ts"
import type { FileInput } from "../core/scan/Inspector.ts"
import type { TreeEntry } from "../core/source/TreeSource.ts"
import { baseName } from "../core/text/paths.ts"

const MAX_PROGRAMS = 4
const MAX_PROGRAM_BYTES = 4 * 1024 * 1024

const NEW_LINE = 10

/** A program in a language whose syntax is not read, or one that only its first line says to be one. */
const mayBeProgram = (path: string): boolean =>
  languageOf(path) === "text" && (programLanguageOf(path) !== null || !baseName(path).includes("."))

/** Files too large for the audit that may be a whole program, of which the head says where it starts and what it keeps. */
export const largePrograms = (large: ReadonlyArray<TreeEntry>, terms: TreeTerms): ReadonlyArray<TreeEntry> =>
  large
    .filter(({ path, size }) => size <= MAX_PROGRAM_BYTES && terms.of(path).role === "source" && mayBeProgram(path))
    .slice(0, MAX_PROGRAMS)

/** A file as far as it is read: of a large one its first whole lines. */
export const headOf = (input: FileInput): FileInput => {
  if (input.bytes.length <= MAX_FILE_BYTES || !mayBeProgram(input.path)) return input
  const end = input.bytes.subarray(0, MAX_FILE_BYTES).lastIndexOf(NEW_LINE)
  return { ...input, bytes: input.bytes.subarray(0, end < 0 ? MAX_FILE_BYTES : end + 1) }
}
