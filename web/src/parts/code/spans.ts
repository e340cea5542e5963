import type { Range } from "./tokens.ts"

const isWord = (character: string | undefined): boolean => character !== undefined && /[\w$]/.test(character)

/** Where a line has one of the texts, as whole words. */
export const spansOf = (line: string, texts: ReadonlyArray<string>): ReadonlyArray<Range> =>
  texts.flatMap((text) => {
    const ranges: Array<Range> = []
    for (let from = line.indexOf(text); text !== "" && from >= 0; from = line.indexOf(text, from + text.length)) {
      const to = from + text.length
      const cutsWord = (isWord(text[0]) && isWord(line[from - 1])) || (isWord(text.at(-1)) && isWord(line[to]))
      if (!cutsWord) ranges.push({ from, to })
    }
    return ranges
  })

/** The code that a text in Markdown quotes between backticks. */
export const quotedIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/`([^`\n]{2,120})`/g)].map(([, code = ""]) => code.trim()))
]
