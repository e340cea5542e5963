import type { SourceFile } from "../../../core/files/SourceFile.ts"

/** `name = value` as it is written in the file, with the range of the value. */
export interface WrittenAttribute {
  readonly name: string
  readonly value: string
  readonly start: number
  readonly end: number
}

/** The attribute at a range of a Terraform file; null where the range holds something else. */
export const writtenAttribute = (file: SourceFile, start: number, end: number): WrittenAttribute | null => {
  const match = /^(\w+)\s*=\s*/.exec(file.text.slice(start, end))
  if (match === null) return null
  const from = start + match[0].length
  return { name: match[1]!, value: file.text.slice(from, end).trim(), start: from, end }
}

/** Why a value that another declaration holds is left alone. */
export const valueIsElsewhere = (name: string): string =>
  `\`${name}\` gets its value from another declaration, which other resources may use, too.`
