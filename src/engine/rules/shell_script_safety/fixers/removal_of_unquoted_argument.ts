import { declined, type FixSite, fixer, type Proposal } from "../../../core/fix/Fixer.ts"
import type { Expansion, Word } from "../../../languages/formats/shell.ts"
import { call } from "../checks.ts"
import { commandAt } from "./commandAt.ts"

const isOpen = ({ name, isQuoted }: Expansion): boolean => !isQuoted && /^[1-9@*]$/.test(name)

/** Outside of the quotes a word's own `*` still expands. */
const quoted = (word: Word) =>
  word.expansions.filter(isOpen).map(({ start, end, name }) => {
    const written = word.text.slice(start - word.start, end - word.start)
    const isAll = name === "*" && word.text === written
    return { start, end, text: isAll ? '"$@"' : `"${written}"` }
  })

/** `$1/old` becomes `"$1/old"`: one pair of quotes around a word of plain characters. */
const quotedWhole = (word: Word) =>
  /^[\w./${}-]+$/.test(word.text) && word.expansions.every(({ name }) => /^\w+$/.test(name))
    ? [{ start: word.start, end: word.end, text: `"${word.text}"` }]
    : quoted(word)

const propose = ({ file, match }: FixSite): Proposal => {
  const command = commandAt(file, match.start, match.end)
  const words = command === undefined ? [] : call(command).filter(({ expansions }) => expansions.some(isOpen))
  if (words.some(({ text }) => text.includes("$(") || text.includes("`"))) {
    return declined("The word also holds the output of a command, which may be meant to be split.")
  }
  return { edits: words.flatMap(quotedWhole), summary: "Quote the arguments that are removed" }
}

export default fixer({
  tool: "shell_script_safety",
  rule: "removal_of_unquoted_argument",
  languages: ["shell"],
  propose
})
