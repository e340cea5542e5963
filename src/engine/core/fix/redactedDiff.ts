import type { Range } from "../../languages/tree/Range.ts"
import { hiderOf, sliceRedacted } from "../../secrets/hiddenRanges.ts"
import { REDACTED } from "../../secrets/redact.ts"
import { decodeText } from "../files/fileText.ts"
import type { FixedFile } from "./FixRequest.ts"
import { unifiedDiff } from "./unifiedDiff.ts"

/** Shorter values occur everywhere. */
const MIN_VALUE = 3

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** The difference of a fixed file as a patch, as it is. */
export const exactDiff = ({ path, before, after }: Pick<FixedFile, "path" | "before" | "after">): string =>
  unifiedDiff(path, decoder.decode(before), decoder.decode(after))

/** The difference of a fixed file with secrets redacted, to be shown and stored. */
export const redactedDiff = ({ path, before, after, secrets }: FixedFile): string =>
  redactedTextDiff(path, decodeText(before), decodeText(after), secrets)

/** `secrets` are ranges of the text before. */
export const redactedTextDiff = (
  path: string,
  before: string,
  after: string,
  secrets: ReadonlyArray<Range>
): string => {
  if (secrets.length === 0) return unifiedDiff(path, before, after)
  const hide = hiderOf(before, secrets)
  // A value that is an ordinary word is redacted where it stands; where it stands after the edits is not known.
  const values = [...new Set(secrets.map(([start, end]) => before.slice(start, end)))].filter(
    (value) => value.length >= MIN_VALUE
  )
  const withoutValues = (line: string) => values.reduce((out, value) => out.replaceAll(value, REDACTED), hide(line))
  return unifiedDiff(path, before, after, {
    old: sliceRedacted(before, 0, before.length, secrets),
    added: withoutValues
  })
}
