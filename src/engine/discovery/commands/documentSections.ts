export const isTitle = (lines: ReadonlyArray<string>, index: number): boolean =>
  /^#{1,6}\s+\S/.test(lines[index]!) ||
  (/^(?:={3,}|-{3,}|~{3,}|\^{3,}|\+{3,}|\*{3,}|"{3,})\s*$/.test(lines[index + 1] ?? "") && /^\s*\w/.test(lines[index]!))

const underlines = ["=", "-", "~", "^", "+", '"']

/** Number of marks before a title, or what the line below it says by convention. */
const levelOf = (lines: ReadonlyArray<string>, index: number): number =>
  /^#{1,6}(?=\s)/.exec(lines[index]!)?.[0].length ?? underlines.indexOf(lines[index + 1]?.[0] ?? "") + 1

const marker = /^(\s*)(?:[-*+]|(?:\d+|[a-z])[.)]|#\.|\$)\s+(?:\[[ x]\]\s+)?/

const beginsList = /^\s{0,3}1[.)]\s/

const isFirstLine = (lines: ReadonlyArray<string>, index: number): boolean =>
  index === 0 || lines[index - 1]!.trim() === ""

/** A numbered list that begins again is another one; Markdown numbers items by itself, so that all may be written as the first. */
const firstList = (body: ReadonlyArray<string>): ReadonlyArray<string> => {
  const first = body.findIndex((line) => beginsList.test(line))
  if (first < 0 || !body.some((line) => /^\s{0,3}2[.)]\s/.test(line))) return body
  const second = body.findIndex((line, i) => i > first && /^1[.)]\s/.test(line))
  return second < 0 ? body : body.slice(0, second)
}

/** Begins and ends a block of code. */
export const fence = /^\s*(?:```|~~~)/

/** Nothing but a block of code, or what leads to it. */
const isBlockAlone = (body: ReadonlyArray<string>): boolean => {
  let isInside = false
  let [blocks, paragraphs] = [0, 0]
  for (const [index, line] of body.entries())
    if (fence.test(line)) {
      if (!isInside) blocks++
      isInside = !isInside
    } else if (!isInside && line.trim() !== "" && isFirstLine(body, index)) paragraphs++
  return blocks > 0 && paragraphs <= 1
}

/** Lines of blocks of code, the first of the text being `from` of its document: commands, and what comments say of them. */
export const blockLines = (body: ReadonlyArray<string>, from: number): ReturnType<typeof stepsOf> => {
  let isInside = false
  return body.flatMap((line, index) => {
    const text = line.trim()
    if (fence.test(line)) isInside = !isInside
    if (fence.test(line) || !isInside || text.length < 4) return []
    return [
      {
        line: from + index + 1,
        text: text.startsWith("#") ? text.replace(/^#+\s*/, "") : `\`${text.replace(/^\$\s+/, "")}\``
      }
    ]
  })
}

/** Items of the outermost list of a section, or its paragraphs where it has none. */
export const stepsOf = (
  lines: ReadonlyArray<string>,
  from: number,
  to: number
): ReadonlyArray<{ readonly line: number; readonly text: string }> => {
  const body = firstList(lines.slice(from, to))
  const outer = Math.min(...body.flatMap((line) => marker.exec(line)?.[1]?.length ?? []))
  const found: Array<{ line: number; text: string }> = []
  const isList = Number.isFinite(outer)
  if (!isList && isBlockAlone(body)) return blockLines(body, from)
  let isOpen = false
  for (const [index, line] of body.entries()) {
    const depth = marker.exec(line)?.[1]?.length ?? Number.POSITIVE_INFINITY
    const starts = isList ? depth <= outer : isFirstLine(body, index) && /^[A-Z`*]/.test(line)
    if (starts) found.push({ line: from + index + 1, text: line.replace(marker, "").trim() })
    else if (isOpen && line.trim() !== "") found.at(-1)!.text += ` ${line.trim()}`
    // What follows an empty line is another paragraph, which is quoted whole or not at all.
    isOpen = line.trim() !== "" && (starts || isOpen)
  }
  return found.filter(({ text }) => text.length >= 8 && !/\|\s*:?-{2,}|^\||\|\s*$|(?:\s\|\s.*){2}/.test(text))
}

/** Where the section that a title begins ends: at the next title that is not below it. */
export const endOfSection = (lines: ReadonlyArray<string>, title: number): number => {
  const level = levelOf(lines, title)
  // A comment of the shell looks like a title.
  let isInside = false
  for (let i = title + 1; i < lines.length; i++) {
    if (fence.test(lines[i]!) && !/^~+\s*$/.test(lines[i]!)) isInside = !isInside
    else if (!isInside && i > title + 1 && isTitle(lines, i) && levelOf(lines, i) <= level) return i
  }
  return lines.length
}

/** A list with the paragraph right above it; lines from 0, the last one left out. */
export interface List {
  /** Line of the paragraph, or of the first item where there is none. */
  readonly at: number
  readonly lead: string
  readonly from: number
  readonly to: number
}

class ListReader {
  readonly found: Array<{ -readonly [K in keyof List]: List[K] }> = []
  private lead: { readonly at: number; text: string } | null = null
  private isInList = false

  read(line: string, index: number, isFirst: boolean): void {
    if (marker.test(line)) this.item(line, index)
    else if (isFirst && /^\S/.test(line)) {
      this.isInList = false
      this.lead = { at: index, text: line.trim() }
    } else if (this.lead !== null) this.lead.text += ` ${line.trim()}`
    if (this.isInList) this.found.at(-1)!.to = index + 1
  }

  private item(line: string, index: number): void {
    const goesOn = /^\s*\d/.test(line) && !beginsList.test(line) && this.found.length > 0
    if (!this.isInList && !goesOn)
      this.found.push({ at: this.lead?.at ?? index, lead: this.lead?.text ?? "", from: index, to: index + 1 })
    this.isInList = true
    this.lead = null
  }
}

/** The lists of a text, each of which a paragraph at the margin ends; one whose numbers go on goes on itself. */
export const listsIn = (lines: ReadonlyArray<string>, from: number, to: number): ReadonlyArray<List> => {
  const reader = new ListReader()
  let isCode = false
  for (let index = from; index < to; index++) {
    const line = lines[index]!
    if (fence.test(line)) isCode = !isCode
    else if (!isCode && line.trim() !== "") reader.read(line, index, index === from || isFirstLine(lines, index))
  }
  return reader.found
}
