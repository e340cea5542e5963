import type { Finding } from "../engine/index.ts"
import { type Paint, printable } from "./terminal.ts"
import { shortened, wrapped } from "./terminalText.ts"

export interface FindingTextOptions {
  /** Columns of the terminal; null where nothing needs to be cut or wrapped. */
  readonly width: number | null
  readonly paint: Paint
}

const indent = "    "

/** `path:line:column`, whole, so that terminals and editors open it. */
export const placeOf = ({ locations: [first], region }: Finding): string =>
  `${printable(first.file_path)}:${first.line_start}${region === undefined ? "" : `:${region.column_start}`}`

/** What is wrong here, in the rule's own words: the first paragraph of the description. */
export const reasonOf = ({ description }: Pick<Finding, "description">): string => description.split("\n\n", 1)[0] ?? ""

/** The line of code that the first location begins on; null where the snippet does not have it. */
export const codeLineOf = ({ snippet, region, locations: [first] }: Finding): string | null => {
  if (region === undefined || snippet === "") return null
  const line = snippet.split("\n")[first.line_start - region.snippet_line]
  return line === undefined || line.trim() === "" ? null : line
}

const paragraph = (text: string, width: number | null): ReadonlyArray<string> =>
  (width === null ? [text] : wrapped(text, width - indent.length)).map((line) => `${indent}${line}`)

/** Place, title, code, reason and rule: what a person needs to decide on a finding. */
export const findingBlock = (finding: Finding, { width, paint }: FindingTextOptions): ReadonlyArray<string> => {
  const more = finding.locations.length - 1
  const code = codeLineOf(finding)
  const kind = finding.kind === "finding" ? "" : ` (${finding.kind})`
  const text = width === null ? code?.trim() : shortened(code?.trim() ?? "", width - indent.length - 2)
  return [
    `  ${paint("underline", placeOf(finding))}${more === 0 ? "" : ` (+${more})`}`,
    ...paragraph(`${printable(finding.title)}${kind}`, width).map((line) => paint("bold", line)),
    ...(text === undefined || text === "" ? [] : [`${indent}| ${printable(text)}`]),
    ...paragraph(printable(reasonOf(finding)), width),
    ...paragraph(`${finding.rule_id}, right in ${Math.round(finding.confidence * 100)} of 100`, width).map((line) =>
      paint("dim", line)
    ),
    ""
  ]
}

/** Place, title and rule alone. */
export const findingLines = (finding: Finding, { width, paint }: FindingTextOptions): ReadonlyArray<string> => [
  `  ${paint("underline", placeOf(finding))}`,
  ...paragraph(`${printable(finding.title)} [${finding.rule_id}]`, width)
]

/** One line, as compilers print it. */
export const compactLine = (finding: Finding): string =>
  `${placeOf(finding)}: ${finding.priority} ${finding.kind}: ${printable(finding.title)} [${finding.rule_id}]`
