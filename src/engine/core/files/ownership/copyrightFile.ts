import { distinctWords } from "./namedIn.ts"

/** What a file in the machine-readable format of Debian says of some of a tree's files. */
interface Stanza {
  readonly patterns: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
  /** The short name of the terms, in small letters. */
  readonly licence: string
}

export const isCopyrightFile = (path: string): boolean => /^(?:debian\/copyright|\.reuse\/dep5)$/.test(path)

const field = (stanza: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*([^\\n]*(?:\\n[ \\t][^\\n]*)*)`, "im").exec(stanza)?.[1] ?? ""

const stanzasOf = (text: string): ReadonlyArray<Stanza> =>
  text
    .split(/\n[ \t]*\n/)
    .filter((stanza) => /^Files:/im.test(stanza))
    .map((stanza) => ({
      patterns: field(stanza, "Files")
        .split(/[\s,]+/)
        .filter((pattern) => pattern !== ""),
      words: distinctWords(field(stanza, "Copyright")),
      licence: field(stanza, "License").split("\n", 1)[0]!.trim().toLowerCase()
    }))

const isOfAll = ({ patterns }: Stanza): boolean => patterns.includes("*")

/** Whose the tree is as a whole, in words. */
export const wordsOfAll = (text: string): ReadonlyArray<string> =>
  stanzasOf(text)
    .filter(isOfAll)
    .flatMap(({ words }) => words)

/**
 * Patterns of files that others hold under other terms than those of the whole: what packaging says was copied. Both signs
 * of the format, `*` and `?`, match slashes, too: a whole path is one segment.
 */
export const copiedPatterns = (text: string, words: ReadonlySet<string>): ReadonlyArray<string> => {
  const stanzas = stanzasOf(text)
  const all = new Set(stanzas.filter(isOfAll).map(({ licence }) => licence))
  if (all.size === 0) return []
  return stanzas
    .filter((stanza) => !isOfAll(stanza) && !all.has(stanza.licence))
    .filter((stanza) => stanza.words.length > 0 && !stanza.words.some((word) => words.has(word)))
    .flatMap(({ patterns }) =>
      patterns.filter((pattern) => !pattern.startsWith("debian/")).map((pattern) => pattern.replace(/^\.\//, ""))
    )
}
