import type { ObservationDetail } from "../../../api/observation.ts"

export interface Check {
  readonly passed: boolean
  readonly text: string
  readonly detail: string | null
}

type Evidence = ObservationDetail["evidence"]

const citationChecks = (citation: Evidence["citation"]): ReadonlyArray<Check> => {
  if (citation === null) return []
  const { path_resolved, line_in_range, missing_identifiers } = citation
  const missing = missing_identifiers ?? []
  return [
    ...(path_resolved === null
      ? []
      : [{ passed: path_resolved, text: path_resolved ? "File exists" : "File not found", detail: null }]),
    ...(line_in_range === null
      ? []
      : [
          {
            passed: line_in_range,
            text: line_in_range ? "Lines are in the file" : "Lines not in the file",
            detail: null
          }
        ]),
    ...(missing_identifiers === null
      ? []
      : [
          missing.length === 0
            ? { passed: true, text: "Identifiers found", detail: null }
            : { passed: false, text: "Identifiers not found", detail: missing.join(", ") }
        ])
  ]
}

const runWords: Readonly<Record<string, string>> = {
  confirmed: "Confirmed by a second run of the rule",
  absent: "Not found by a second run of the rule",
  inconclusive: "A second run of the rule was inconclusive"
}

/** What was checked before it was recorded, and what speaks for or against it. */
export const checksOf = ({ citation, detection_query, checks = [] }: Evidence): ReadonlyArray<Check> => [
  ...citationChecks(citation),
  ...(detection_query === null || detection_query.status === null
    ? []
    : [
        {
          passed: detection_query.status === "confirmed",
          text: runWords[detection_query.status] ?? detection_query.status,
          detail: null
        }
      ]),
  ...checks.map(({ looked_for, found, detail }) => ({
    passed: found,
    text: found ? looked_for : `Not found: ${looked_for}`,
    detail: detail ?? null
  }))
]
