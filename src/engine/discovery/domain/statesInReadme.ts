import type { Survey } from "../Survey.ts"
import { type Noun, type Placed, singular } from "./Noun.ts"

type States = Noun["states"][number]["what"]

const MAX_LINES = 4_000
const MIN_VALUES = 2
const MAX_VALUES = 24

/** "State", "Job status"; what comes before the last word is whose state it is. */
const titleOfStates = /^(.{0,40}?)\b(?:status(?:es)?|states?|phases?|stages?)$/i

const plain = (cell: string): string => cell.replace(/[*_`]/g, "").trim()

const firstCell = (line: string): string => /^[ \t]{0,3}\|?([^|\n]{1,120})\|/.exec(line)?.[1] ?? ""

const isValue = (text: string): boolean => /^[A-Za-z][\w-]*(?: [\w-]+){0,2}$/.test(text) && text.length <= 30

/** The first word of an item of a list, where it is marked as a term: "- `open`: …", "* **closed** – …". */
const markedItem = /^[ \t]{0,3}[-*+][ \t]+(?:`([^`\n]{1,40})`|\*\*([^*\n]{1,40})\*\*)/

interface Found {
  /** Words that say whose states they are. */
  readonly words: ReadonlySet<string>
  readonly what: States
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.toLowerCase().matchAll(/[a-z]+/g)].map(([word]) => singular(word)))

/** First cells of the rows below a head, or marked items, up to the first line that is neither. */
const valuesFrom = (lines: ReadonlyArray<string>, from: number, valueIn: (line: string) => string | null) => {
  const values: Array<string> = []
  for (let at = from; at < lines.length && values.length <= MAX_VALUES; at++) {
    const value = valueIn(lines[at]!)
    if (value === null) break
    values.push(value)
  }
  const isSet = values.length >= MIN_VALUES && values.length <= MAX_VALUES && values.every(isValue)
  return isSet && new Set(values).size === values.length ? values : []
}

const cellOf = (line: string): string | null => (line.includes("|") ? plain(firstCell(line)) : null)

const itemOf = (line: string): string | null => {
  const item = markedItem.exec(line)
  return item === null ? null : (item[1] ?? item[2]!).replace(/:$/, "").trim()
}

const found = (title: string, words: string, line: number, values: ReadonlyArray<string>): ReadonlyArray<Found> =>
  values.length === 0 ? [] : [{ words: wordsOf(words), what: { name: /\w+$/.exec(title)![0], line, values } }]

const headingOf = (line: string): string | null => {
  const title = /^#{1,5}[ \t]+(\S[^\n]{0,100})/.exec(line)?.[1]
  return title === undefined ? null : plain(title)
}

/** A table whose head is this line. */
const tableAt = (lines: ReadonlyArray<string>, at: number, heading: string): ReadonlyArray<Found> => {
  const head = plain(firstCell(lines[at]!))
  const isTable = titleOfStates.test(head) && /^[ \t]{0,3}\|?[ \t]*:?-{2,}/.test(lines[at + 1] ?? "")
  return isTable ? found(head, `${heading} ${head}`, at + 1, valuesFrom(lines, at + 2, cellOf)) : []
}

/** A list below this heading. */
const listAt = (lines: ReadonlyArray<string>, at: number, heading: string): ReadonlyArray<Found> => {
  if (!titleOfStates.test(heading)) return []
  const from = lines[at + 1]?.trim() === "" ? at + 2 : at + 1
  return found(heading, heading, at + 1, valuesFrom(lines, from, itemOf))
}

const listedIn = (lines: ReadonlyArray<string>): ReadonlyArray<Found> => {
  let heading = ""
  return lines.flatMap((line, at) => {
    const title = headingOf(line)
    if (title === null) return tableAt(lines, at, heading)
    heading = title
    return listAt(lines, at, title)
  })
}

/** States that the readme lists of a noun: a table whose first column is named after states, or a list below such a heading. */
export const statesInReadme = (survey: Survey): ((key: string) => ReadonlyArray<Placed<States>>) => {
  const { readme } = survey
  const file = readme === undefined ? null : survey.file(readme.path)
  const listed = readme === undefined ? [] : listedIn(readme.text.split(/\r?\n/).slice(0, MAX_LINES))
  return (key) =>
    file === null
      ? []
      : listed
          .filter(({ words }) => key.split(" ").every((word) => words.has(word)))
          .slice(0, 1)
          .map(({ what }) => ({ what, file }))
}
