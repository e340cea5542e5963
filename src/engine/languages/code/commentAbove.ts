import type { SourceFile } from "../../core/files/SourceFile.ts"

/** The lines of comment directly above the line that holds an offset. */
export const commentAbove = (file: SourceFile, offset: number): string => {
  const lines: Array<string> = []
  for (let line = file.line(offset) - 1; line >= 1 && lines.length < 12; line--) {
    const text = file.lineText(line)
    if (!/^\s*(?:\/\/|#|\/?\*)|\*\/\s*$/.test(text)) break
    lines.unshift(text)
  }
  return lines.join("\n")
}

/** The comment above the line where a node begins, and the one behind code on the line where it ends. */
export const commentsAround = (file: SourceFile, start: number, end: number): string => {
  const [, behind = ""] = /(?:#|\/\/)(.*)$/.exec(file.lineText(file.line(end))) ?? []
  return `${commentAbove(file, start)}\n${behind}`
}
