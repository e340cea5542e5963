import type { SourceFile } from "../../../core/files/SourceFile.ts"
import type { Site } from "../../Observed.ts"
import { languageName } from "../languageName.ts"

interface Reading {
  readonly languages: RegExp
  /** The first group is the variable that a line from the terminal is read into. */
  readonly reads: RegExp
  /** What takes words out of such a line, where the file has one; the first group is the variable for a word. */
  readonly splits?: RegExp
}

/** How a line that a person, or the program in front of this one, types is read. */
const readings: ReadonlyArray<Reading> = [
  {
    languages: /^(?:c|cpp)$/,
    reads:
      /\bfgets\s*\(\s*(\w{1,40})\s*,[^;\n]{1,60},\s*stdin\s*\)|\bgetline\s*\(\s*(?:std::)?cin\s*,\s*(\w{1,40})|\b(?:std::)?cin\s*>>\s*(\w{1,40})|\b(\w{1,40})\s*=\s*(?:\(\s*char\s*\*\s*\)\s*)?readline\s*\(/g,
    splits:
      /\b(?:is|iss|ss|in|input|\w{0,20}[sS]tream)\s*>>\s*(?:(?:std::)?skipws\s*>>\s*)?(\w{1,40})\s*;|\b(\w{1,40})\s*=\s*strtok(?:_r)?\s*\(/g
  },
  {
    languages: /^python$/,
    reads: /^[ \t]*(\w{1,40})\s*=\s*(?:raw_)?input\(|^[ \t]*(\w{1,40})\s*=\s*sys\.stdin\.readline\(/gm,
    splits: /^[ \t]*(\w{1,40})(?:\s*,\s*\*?\w{1,40})?\s*=\s*\w{1,40}(?:\.strip\(\))?\.split\([^)\n]{0,20}\)/gm
  },
  {
    languages: /^perl$/,
    reads: /\bmy\s+(\$\w{1,40})\s*=\s*<STDIN>/g
  },
  {
    languages: /^java$/,
    reads: /\b(\w{1,40})\s*=\s*(?:\w{0,20}[sS]canner|sc|console|\w{0,20}[rR]eader)\.(?:next|nextLine|readLine)\(\)/g
  }
]

const word = String.raw`["']([a-z?][\w-]{0,40})(?:\\n|\s)?["']`

const comparisonsWith = (variable: string): ReadonlyArray<RegExp> => {
  const name = String.raw`${variable.replace("$", String.raw`\$`)}(?:\[0\])?`
  return [
    String.raw`\bstr(?:case)?n?(?:case)?cmp\s*\(\s*${name}\s*,\s*${word}`,
    String.raw`\bstr(?:case)?n?(?:case)?cmp\s*\(\s*${word}\s*,\s*${name}\s*[,)]`,
    String.raw`(?<![\w.>])${name}(?:\.(?:strip|lower|trim)\(\)){0,2}\s*(?:==|\beq\b)\s*${word}`,
    String.raw`(?<![\w.>])${name}\.(?:startswith|startsWith|equals|equalsIgnoreCase|compare)\(\s*${word}`
  ].map((source) => new RegExp(source))
}

const isBranch = /(?<![\w-])(?:if|elif|elsif)(?![\w-])/

const MIN_WORDS = 6
const MAX_VARIABLES = 6

const namesIn = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].flatMap((match) => match.slice(1).filter((one) => one !== undefined))

/** Commands that branches distinguish by a line that is read from the terminal, or by a word of one. */
export const readWords = (file: SourceFile): ReadonlyArray<Site> => {
  const language = languageName(file)?.toLowerCase() === "perl" ? "perl" : file.language
  const reading = readings.find(({ languages }) => languages.test(language))
  const lines = reading === undefined ? [] : namesIn(file.text, reading.reads)
  if (reading === undefined || lines.length === 0) return []
  const words = reading.splits === undefined ? [] : namesIn(file.text, reading.splits)
  return [...new Set([...lines, ...words])].slice(0, MAX_VARIABLES).flatMap((variable) => {
    const patterns = comparisonsWith(variable)
    const found = new Map<string, Site>()
    for (let line = 1; line <= file.lineCount; line++) {
      const text = file.lineText(line)
      if (!isBranch.test(text)) continue
      const symbol = patterns.map((one) => one.exec(text)?.[1]).find((one) => one !== undefined)
      if (symbol !== undefined && !found.has(symbol))
        found.set(symbol, { kind: "command", shape: `branch over \`${variable}\``, line, end: line, symbol })
    }
    return found.size < MIN_WORDS ? [] : [...found.values()]
  })
}
