import type { SourceFile } from "../../core/files/SourceFile.ts"
import { literalValue } from "../../languages/syntax/strings.ts"

export interface Pattern {
  /** Node of the pattern where it is written; of the argument when it is not literal. */
  readonly node: number
  readonly pattern: string
  readonly flags: string
}

/** A pattern and what it is matched against. */
export interface RegexUse extends Omit<Pattern, "pattern"> {
  /** Null when the code builds it. */
  readonly pattern: string | null
  /** Matches at the beginning of the text only. */
  readonly anchored: boolean
  /** Has to match the text to its end, too. */
  readonly whole?: boolean
  readonly subject: number
}

/** The use of a pattern that the code builds; null when it is a literal. */
export const builtPattern = (file: SourceFile, node: number, anchored = false): RegexUse | null =>
  literalValue(file, node) === null ? { node, pattern: null, flags: "", anchored, subject: node } : null
