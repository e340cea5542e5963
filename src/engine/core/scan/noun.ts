import type { SourceFile } from "../files/SourceFile.ts"
import type { Match } from "../tool/AuditTool.ts"

const MAX_NOUN = 80
/** Matched code that is short enough to be read in a title. */
const MAX_CODE = 60

/** The thing that a match is about: as its rule names it, or else the matched code where that is one short line. */
export const nounOf = (
  { text }: Pick<SourceFile, "text">,
  { noun, subject, start, end }: Match,
  redact: (text: string) => string
): string | null => {
  if (noun !== undefined) return shortened(redact(oneLine(noun).replace(/^`([^`]*)`$/, "$1")))
  // The title of what has a subject names it already.
  if (subject !== undefined) return null
  const code = text.slice(start, Math.min(end, start + MAX_CODE + 1)).trim()
  const isShort = code !== "" && code.length <= MAX_CODE && end - start <= MAX_CODE && !/[\n`]/.test(code)
  return isShort && /\w/.test(code) ? redact(code) : null
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const shortened = (text: string): string => (text.length <= MAX_NOUN ? text : `${text.slice(0, MAX_NOUN - 1)}…`)
