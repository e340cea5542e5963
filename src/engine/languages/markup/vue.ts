import type { SourceFile } from "../../core/files/SourceFile.ts"

/** A top-level block of a single-file component: what is between its tags. */
export interface VueBlock {
  readonly tag: "template" | "script" | "style"
  /** Text of the opening tag. */
  readonly opening: string
  readonly start: number
  readonly end: number
}

const opening = /^<(template|script|style)\b([^>\n]*)>/gm

const read = (file: SourceFile): ReadonlyArray<VueBlock> => {
  const { text } = file
  const blocks: Array<VueBlock> = []
  opening.lastIndex = 0
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const tag = match[1] as VueBlock["tag"]
    const start = match.index + match[0].length
    // Blocks begin and end at the start of a line; what is nested is indented.
    const close = match[2]!.endsWith("/") ? start : text.indexOf(`\n</${tag}>`, start - 1)
    const end = close < 0 ? text.length : close
    blocks.push({ tag, opening: match[0], start, end })
    if (end > opening.lastIndex) opening.lastIndex = end
  }
  return blocks
}

export const vueBlocks = (file: SourceFile): ReadonlyArray<VueBlock> => file.memo(read, read)
