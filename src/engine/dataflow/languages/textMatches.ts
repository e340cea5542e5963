import type { SourceFile } from "../../core/files/SourceFile.ts"

/** Whether a file's text matches, tested once per file: asked for each parameter, a search takes quadratic time. */
export const textMatches =
  (pattern: RegExp) =>
  (file: SourceFile): boolean =>
    file.memo(pattern, ({ text }) => pattern.test(text))
