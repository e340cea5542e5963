import { SourceFile } from "../core/files/SourceFile.ts"
import { mergedRanges, type Range } from "../languages/tree/Range.ts"
import { hiddenRanges, sliceRedacted } from "./hiddenRanges.ts"
import { secretRanges } from "./redact.ts"

/** Lines of a file, counted from 1, that may be shown. */
export interface RedactedFile {
  readonly lineCount: number
  readonly line: (n: number) => string
}

/** A file to quote lines from: what snippets redact is redacted, and whatever else looks like a credential. */
export const redactedFile = (path: string, text: string): RedactedFile => {
  const file = new SourceFile({ path, text })
  const hidden: ReadonlyArray<Range> = mergedRanges([...hiddenRanges(file, []), ...secretRanges(text)])
  const endsWithBreak = file.lineText(file.lineCount) === "" && file.lineCount > 1
  return {
    lineCount: endsWithBreak ? file.lineCount - 1 : file.lineCount,
    line: (n) => {
      const start = file.lineStarts[n - 1] ?? text.length
      return sliceRedacted(text, start, start + file.lineText(n).length, hidden)
    }
  }
}
