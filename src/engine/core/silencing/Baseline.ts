import type { Finding } from "../scan/ScanResult.ts"
import type { SilencedFinding } from "./Silenced.ts"

/** What re-identifies a finding of an earlier audit. */
export interface KnownFinding {
  readonly primary: string
  readonly located: string
}

/** As settings of a scan name them. */
export const baselineOf = (texts: ReadonlyArray<string>): ReadonlyArray<KnownFinding> =>
  texts.map((text) => {
    const [located = "", primary = ""] = text.split(" ")
    return { located, primary }
  })

export const silencedByBaseline = ({ rule_id, locations: [{ file_path, line_start }] }: Finding): SilencedFinding => ({
  rule: rule_id,
  path: file_path,
  line: line_start,
  by: "baseline",
  reason: "It is in the baseline."
})

const keys = ["located", "primary"] as const

/**
 * Findings that an earlier audit reported, too. One known finding stands for one of now, that of the same path first: a
 * copy of it is new.
 */
export const inBaseline = (
  findings: ReadonlyArray<Finding>,
  known: ReadonlyArray<KnownFinding>
): ReadonlySet<Finding> => {
  const found = new Set<Finding>()
  let left = known
  for (const key of keys) {
    const counts = new Map<string, Array<KnownFinding>>()
    for (const one of left) counts.set(one[key], [...(counts.get(one[key]) ?? []), one])
    const taken = new Set<KnownFinding>()
    for (const finding of findings) {
      if (found.has(finding)) continue
      const match = counts.get(finding.signatures[key])?.shift()
      if (match === undefined) continue
      found.add(finding)
      taken.add(match)
    }
    left = left.filter((one) => !taken.has(one))
  }
  return found
}
