import { mergedRanges, type Range } from "../../languages/tree/Range.ts"
import { connectionPasswords } from "../blocks.ts"
import { labelledSecrets } from "../labelled.ts"
import { commandLines } from "./commandLines.ts"
import { knownFormats } from "./formats.ts"
import { headers } from "./headers.ts"
import { literalIn, type Redact } from "./literal.ts"
import { regionsOf } from "./regions.ts"
import { isCredential, settings, type Writing } from "./settings.ts"
import { urlCredentials } from "./urlCredentials.ts"

/**
 * Every range of a text that holds a credential, by where it is written: URLs, headers, command lines, settings and the
 * formats of registries. What is redacted is more than what is reported: whose host, account or password it is makes no
 * difference here. Offsets are UTF-16; the ranges are in order and do not overlap. Linear in the length of the text.
 */
export const credentialRanges = (text: string, writing: Writing): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (const [from, to] of regionsOf(text)) {
    const region = text.slice(from, to)
    scan(region, writing, (start, end) => ranges.push([from + start, from + end]))
    if (!escape.test(region)) continue
    const { text: plain, offsets } = unescaped(region)
    scan(plain, writing === "code" ? "unknown" : writing, (start, end) => {
      ranges.push([from + offsets[start]!, from + offsets[end]!])
    })
  }
  return mergedRanges(ranges)
}

const scan = (text: string, writing: Writing, redact: Redact): void => {
  labelled(text, writing, redact)
  urlCredentials(text, redact)
  headers(text, writing, redact)
  commandLines(text, redact)
  settings(text, writing, redact)
  knownFormats(text, redact)
}

/** Quotes and white space that are part of a string; what follows another backslash is a class of a pattern. */
const escape = /(?<!\\)\\(?:["'`]|[nrt](?![\])}|*+?{]))/

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t", '"': '"', "'": "'", "`": "`", "/": "/" }

/**
 * A text in a string of code, as the program sees it, and where its characters are in the code. A quote that is escaped in
 * the string ends it where it is not: each string is a line of its own.
 */
const unescaped = (text: string): { readonly text: string; readonly offsets: Int32Array } => {
  const delimiters = ['"', "'", "`"].filter((quote) => text.includes(`\\${quote}`))
  const offsets = new Int32Array(text.length + 1)
  let out = ""
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!
    const plain = c === "\\" ? escapes[text[at + 1] ?? ""] : undefined
    offsets[out.length] = at
    out += plain ?? (delimiters.includes(c) ? "\n" : c)
    if (plain !== undefined) at++
  }
  offsets[out.length] = text.length
  return { text: out, offsets }
}

/** Values in quotes, and weak ones, whatever the account. */
const labelled = (text: string, writing: Writing, redact: Redact): void => {
  const options = { unquoted: writing === "settings", lenient: true }
  for (const { start, end, label, harmless } of labelledSecrets(text, options)) {
    if (harmless && !isCredential(label ?? "", text.slice(start, end), writing === "settings")) continue
    const literal = literalIn(text, start, end)
    if (literal !== null) redact(...literal)
  }
  for (const { start, end } of connectionPasswords(text)) {
    const literal = literalIn(text, start, end)
    if (literal !== null) redact(...literal)
  }
}
