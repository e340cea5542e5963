import type { SourceFile } from "../../core/files/SourceFile.ts"

/** The quotation mark that the file's string literals mostly have; `fallback` where it has none. */
export const quoteOf = (file: SourceFile, fallback: '"' | "'" = '"'): '"' | "'" => {
  const counted = file.memo(countQuotes, countQuotes)
  return counted === 0 ? fallback : counted > 0 ? '"' : "'"
}

const countQuotes = (file: SourceFile): number => {
  const tree = file.tree
  if (tree === null) return 0
  let balance = 0
  for (const node of tree.of("string", "string_literal", "encapsed_string")) {
    const mark = /["']/.exec(file.text.slice(tree.start(node), tree.start(node) + 3))?.[0]
    balance += mark === '"' ? 1 : mark === "'" ? -1 : 0
  }
  return balance
}

/** White space at the start of the line that holds the offset. */
export const indentationAt = (file: SourceFile, offset: number): string =>
  /^[ \t]*/.exec(file.lineText(file.line(offset)))![0]

/** One step of indentation: a tab, or as many spaces as the file's least indented lines have; `fallback` where none is. */
export const indentUnit = (file: SourceFile, fallback = "  "): string => {
  const found = file.memo(unitIn, unitIn)
  return found === "" ? fallback : found
}

const unitIn = (file: SourceFile): string => {
  let least = ""
  for (const [, indentation] of file.text.matchAll(/^(\t|[ ]{2,8})(?=[^\s*])/gm)) {
    if (indentation === "\t") return "\t"
    if (least === "" || indentation!.length < least.length) least = indentation!
  }
  return least
}

/** Whether the file's statements end with semicolons, in a language that leaves it open. */
export const hasSemicolons = (file: SourceFile): boolean => {
  const ends = [...file.text.matchAll(/[\w)\]}"'`](;?)[ \t]*\r?$/gm)].filter(([line]) => !/\}[ \t]*\r?$/.test(line))
  const marked = ends.filter(([, mark]) => mark === ";").length
  return marked * 3 > ends.length
}
