import type { ScanResult } from "../engine/index.ts"
import { printable } from "./terminal.ts"
import { counted, grouped } from "./terminalText.ts"

/** Who decided that something is not reported, in the order of the line. */
const deciders: Record<ScanResult["silenced"][number]["by"], string> = {
  comment: "by comments",
  configuration: "by .assay.yaml",
  foreign_mark: "by marks of other tools",
  workspace: "by the workspace",
  baseline: "by the baseline"
}

const placeOf = ({ path, line }: { readonly path: string; readonly line: number | null }): string =>
  `${printable(path)}${line === null ? "" : `:${line}`}`

const listedPlaces = (places: ReadonlyArray<{ readonly path: string; readonly line: number | null }>): string =>
  `${places.slice(0, 3).map(placeOf).join(", ")}${places.length > 3 ? ", …" : ""}`

type Decisions = Pick<
  ScanResult,
  "silenced" | "silenced_counts" | "stale_ignores" | "warnings" | "languages_without_rules"
>

/** What is not reported because a person decided so, and what no one looked for. */
export const decisionLines = (result: Decisions, verbose: boolean): ReadonlyArray<string> => {
  const { silenced, silenced_counts, stale_ignores, warnings, languages_without_rules } = result
  const by = Object.entries(deciders).flatMap(([key, words]) => {
    const count = silenced_counts[key] ?? 0
    return count === 0 ? [] : [`${grouped(count)} ${words}`]
  })
  const unruled = languages_without_rules.map(
    ({ language, files, lines }) => `${language} (${counted(files, "file")}, ${counted(lines, "line")})`
  )
  return [
    ...(by.length === 0 ? [] : [`Silenced: ${by.join(", ")} (${verbose ? "below" : "--verbose lists them"}).`]),
    ...(verbose
      ? silenced.map((one) => `  ${placeOf(one)} ${one.rule}, ${deciders[one.by]}: ${printable(one.reason)}`)
      : []),
    ...(stale_ignores.length === 0
      ? []
      : [`Ignore comments that match nothing: ${listedPlaces(stale_ignores)}. Remove them.`]),
    ...warnings
      .slice(0, 10)
      .map(({ path, line, message }) => `Warning: ${placeOf({ path, line })}: ${printable(message)}`),
    ...(unruled.length === 0 ? [] : [`No rules for: ${unruled.join(", ")}.`])
  ]
}
