import { clip } from "../Observed.ts"
import { documentFile, isGuideForContributors, isReadme } from "../observers/texts.ts"
import type { Survey } from "../Survey.ts"

/** What a document says of a folder, a variable or a command, and where. */
export interface Description {
  readonly text: string
  readonly path: string
  /** From 1. */
  readonly line: number
}

const MAX_DOCUMENTS = 16
const MAX_TEXT = 140

/** The readme and what is written for contributors, that nearest to the root first: what lies deeper describes a part. */
export const documentsOf = (survey: Survey): ReturnType<Survey["texts"]> =>
  survey
    .texts(documentFile)
    .filter(({ path }) => (isReadme(path) && !path.includes("/")) || isGuideForContributors(path))
    .slice(0, MAX_DOCUMENTS)

/** Markdown without its marks; a link keeps its words. */
const plainText = (text: string): string =>
  text
    .replace(/!?\[([^\]]{0,120})\]\([^)]{0,300}\)/g, "$1")
    .replace(/\*\*|__/g, "")
    .replace(/\s+/g, " ")
    .trim()

/** The first sentence of what is said; null for what says nothing: a number, one word, a command. */
export const descriptionText = (text: string): string | null => {
  const plain = plainText(text)
  const sentence = /^.{20,}?[.;](?=\s|$)/.exec(plain)?.[0] ?? plain
  return /[a-z]{2,}\W+\w*[a-z]{2,}/i.test(sentence) && !/^[\w./-]+\.\w+$/.test(sentence)
    ? clip(sentence.replace(/[.;:,]$/, ""), MAX_TEXT)
    : null
}

const separator = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?\|?\s*$/

const cellsOf = (line: string): ReadonlyArray<string> =>
  line
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

export interface Row {
  readonly cells: ReadonlyArray<string>
  readonly header: ReadonlyArray<string>
  /** From 1. */
  readonly line: number
}

/** Rows of the tables of a Markdown text. */
export const rowsIn = (lines: ReadonlyArray<string>): ReadonlyArray<Row> => {
  const found: Array<Row> = []
  let header: ReadonlyArray<string> | null = null
  for (const [index, line] of lines.entries()) {
    if (separator.test(line) && index > 0) header = cellsOf(lines[index - 1]!).map((cell) => cell.toLowerCase())
    else if (!line.includes("|")) header = null
    else if (header !== null) found.push({ cells: cellsOf(line), header, line: index + 1 })
  }
  return found
}

/** The cell that says most: by its heading, or the longest of those after the first. */
export const descriptionIn = ({ cells, header }: Row): string => {
  const named = header.findIndex(
    (name, i) => i > 0 && /descr|what|mean|purpose|effect|contain|hold|role|use/.test(name)
  )
  return (named < 0 ? undefined : cells[named]) ?? cells.slice(1).reduce((a, b) => (b.length > a.length ? b : a), "")
}

const item =
  /^\s{0,8}[-*+]\s+(?:\*\*|__)?\[?`([^`\s]{1,80})`(?:\]\([^)]{0,200}\))?(?:\*\*|__)?\s{0,3}(?::|—|–|--?)(?:\*\*)?\s+(\S.*)$/

export interface NamedItem {
  readonly name: string
  readonly text: string
  /** From 1. */
  readonly line: number
}

/** Items of lists that begin with a name in code: "- `src/api`: the REST API". A line that is indented goes on. */
export const namedItemsIn = (lines: ReadonlyArray<string>): ReadonlyArray<NamedItem> =>
  lines.flatMap((line, index) => {
    const [, name, first] = item.exec(line) ?? []
    if (name === undefined || first === undefined) return []
    const next = lines[index + 1] ?? ""
    return [{ name, text: /^\s{2,}[^\s\-*+]/.test(next) ? `${first} ${next.trim()}` : first, line: index + 1 }]
  })
