import { grammarOf, type Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { mergedRanges, type Range } from "../../languages/tree/Range.ts"
import { credentialRanges } from "./credentialRanges.ts"
import { passwordFiles } from "./formats.ts"
import type { Writing } from "./settings.ts"

/** Languages in which values need no quotes. */
const settings: ReadonlySet<Language> = new Set<Language>([
  "yaml",
  "shell",
  "dockerfile",
  "toml",
  "json",
  "make",
  "xml"
])

const writingOf = ({ language, path }: SourceFile): Writing =>
  settings.has(language) ||
  /(?:^|\/)\.?[\w-]*(?:rc|env|pass)$|\.(?:env|properties|ini|cfg|conf|cnf|config)(?:\.[\w-]+)?$/.test(path)
    ? "settings"
    : grammarOf(language) === null
      ? "unknown"
      : "code"

const find = (file: SourceFile): ReadonlyArray<Range> => {
  const ranges = [...credentialRanges(file.text, writingOf(file))]
  passwordFiles(file.path, file.text, (start, end) => ranges.push([start, end]))
  return mergedRanges(ranges)
}

/** Ranges of a file that nothing quoted from it may show. */
export const redactedRanges = (file: SourceFile): ReadonlyArray<Range> => file.memo(redactedRanges, find)
