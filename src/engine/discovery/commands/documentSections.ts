export const isTitle = (lines: ReadonlyArray<string>, index: number): boolean =>
  /^#{1,6}\s+\S/.test(lines[index]!) ||
  (/^(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$/.test(lines[index + 1] ?? "") && lines[index]!.trim() !== "")

const underlines = ["=", "-", "~", "^"]

/** Number of marks before a title, or what the line below it says by convention. */
const levelOf = (lines: ReadonlyArray<string>, index: number): number =>
  /^#{1,6}(?=\s)/.exec(lines[index]!)?.[0].length ?? underlines.indexOf(lines[index + 1]?.[0] ?? "") + 1

const marker = /^(\s*)(?:[-*+]|(?:\d+|[a-z])[.)]|#\.|\$)\s+(?:\[[ x]\]\s+)?/

/** Items of the outermost list of a section, or its paragraphs where it has none. */
export const stepsOf = (
  lines: ReadonlyArray<string>,
  from: number,
  to: number
): ReadonlyArray<{ readonly line: number; readonly text: string }> => {
  const body = lines.slice(from, to)
  const outer = Math.min(...body.flatMap((line) => marker.exec(line)?.[1]?.length ?? []))
  const found: Array<{ line: number; text: string }> = []
  let isOpen = false
  for (const [index, line] of body.entries()) {
    const depth = marker.exec(line)?.[1]?.length
    const starts = Number.isFinite(outer) ? depth !== undefined && depth <= outer : !isOpen && /^[A-Z`*]/.test(line)
    if (starts) found.push({ line: from + index + 1, text: line.replace(marker, "").trim() })
    else if (isOpen && line.trim() !== "" && found.length > 0) found.at(-1)!.text += ` ${line.trim()}`
    isOpen = line.trim() !== ""
  }
  return found.filter(({ text }) => text.length >= 8 && !/\|\s*:?-{2,}|^\||\|\s*$|(?:\s\|\s.*){2}/.test(text))
}

/** Where the section that a title begins ends: at the next title that is not below it. */
export const endOfSection = (lines: ReadonlyArray<string>, title: number): number => {
  const level = levelOf(lines, title)
  const end = lines.findIndex((_, i) => i > title + 1 && isTitle(lines, i) && levelOf(lines, i) <= level)
  return end < 0 ? lines.length : end
}
