import { type Priority, Priority as PrioritySchema } from "../../../schema/Observation.ts"

/** A word of a criterion as phrases compare it, and as it was written. */
export interface Word {
  readonly word: string
  readonly written: string
  /** In quotes or backticks: a name, whatever it looks like. */
  readonly isQuoted: boolean
}

/** Words that change nothing about what is asked. */
const idle = new Set(
  "the a an any all every each must should shall be is are was were has have had been being does do did it its that there".split(
    " "
  )
)

const contractions: ReadonlyMap<string, string> = new Map([
  ["doesn't", "not"],
  ["don't", "not"],
  ["isn't", "not"],
  ["aren't", "not"],
  ["mustn't", "not"],
  ["shouldn't", "not"],
  ["without", "no"],
  ["zero", "no"]
])

const quoted = /`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<!\S)'([^']+)'(?!\w)/g

/** `P0/P1`, `P0 or P1`, `P2 or above`: one word, the least severe of them. */
const prioritiesNamed =
  /\bp[0-3](?:(?: ?[/,+–-] ?| (?:or|and|to) )p[0-3])*(?:\+| (?:or|and) (?:above|higher|worse|more severe))?(?![\w.])/gi

const priorities = PrioritySchema.literals

/** Null where the list skips one. */
const leastOf = (list: string): Priority | null => {
  const named = priorities.map((priority) => list.toUpperCase().includes(priority))
  const first = named.indexOf(true)
  const last = named.lastIndexOf(true)
  const isWhole = /[–-]| to /i.test(list) || named.slice(first, last + 1).every((isNamed) => isNamed)
  return isWhole ? (priorities[last] ?? null) : null
}

const plain = (text: string): ReadonlyArray<Word> =>
  text
    .replace(prioritiesNamed, (list) => leastOf(list) ?? list)
    .split(/\s+/)
    .flatMap((piece): ReadonlyArray<Word> => {
      const written = piece.replace(/^[(,;:]+|[),;:.!]+$/g, "")
      const word = written.toLowerCase().replace(/’/g, "'")
      if (word === "" || idle.has(word)) return []
      return [{ word: contractions.get(word) ?? word, written, isQuoted: false }]
    })

/** The words of a criterion, without those that change nothing. */
export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  let at = 0
  for (const match of text.matchAll(quoted)) {
    words.push(...plain(text.slice(at, match.index)))
    const written = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? "").trim()
    if (written !== "") words.push({ word: written.toLowerCase(), written, isQuoted: true })
    at = match.index + match[0].length
  }
  words.push(...plain(text.slice(at)))
  return words
}
