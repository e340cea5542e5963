import type { ScanResult } from "../../engine/index.ts"

/** Something about the audit itself, with its place where it has one. */
export interface Notice {
  readonly level: "note" | "warning" | "error"
  readonly text: string
  readonly path?: string
  readonly line?: number | null
}

type Noted = Pick<
  ScanResult,
  "tools" | "left_out" | "stale_ignores" | "warnings" | "languages_without_rules" | "silenced_counts"
>

/** What did not finish, what no one looked for, and decisions without effect: no results must not look like a clean bill. */
export const noticesOf = (result: Noted): ReadonlyArray<Notice> => [
  ...result.tools
    .filter(({ status }) => status !== "completed")
    .map(({ id, error }): Notice => ({ level: "error", text: `${id} did not finish. ${error ?? ""}`.trim() })),
  ...result.languages_without_rules.map(
    ({ language, files, lines }): Notice => ({
      level: "warning",
      text: `No rules for ${language}: ${files} files with ${lines} lines were read as text.`
    })
  ),
  ...result.warnings.map(({ path, line, message }): Notice => ({ level: "warning", text: message, path, line })),
  ...result.left_out.map(
    ({ reason, explanation, files, examples }): Notice => ({
      level: "note",
      text: `${files} files left out (${reason}), such as ${examples[0] ?? "none"}. ${explanation}`
    })
  ),
  ...result.stale_ignores.map(
    ({ path, line }): Notice => ({ level: "note", text: "This ignore comment matches nothing: remove it.", path, line })
  ),
  ...Object.entries(result.silenced_counts).map(
    ([by, findings]): Notice => ({
      level: "note",
      text: `${findings} findings are silenced by: ${by.replace("_", " ")}.`
    })
  )
]
