import { type Finding, matchFingerprints, type ScanResult } from "../../engine/index.ts"
import { isPresent, occurrenceOf } from "../observations/ObservationRecorder.ts"
import { failed, type Gate, isFailed, passed, skipped } from "./gates.ts"

/** A scan, as far as scans before and after a fix are compared. */
export type ComparedScan = Pick<ScanResult, "findings" | "tools" | "also_present">

const MAX_NAMED = 3

const knownOf = (findings: ReadonlyArray<Finding>) =>
  findings.map((finding, index) => ({ ...occurrenceOf(finding), id: String(index), dismissed: false }))

const at = ({ locations: [{ file_path, line_start }] }: Finding) => `${file_path}:${line_start}`

const named = (findings: ReadonlyArray<Finding>) => {
  const first = findings.slice(0, MAX_NAMED).map((finding) => `${finding.title} (${finding.rule_id}) at ${at(finding)}`)
  const more = findings.length - first.length
  return `${first.join("; ")}${more > 0 ? `; and ${more} more` : ""}`
}

const completed = ({ tools }: ComparedScan) =>
  new Set(tools.filter(({ status }) => status === "completed").map(({ id }) => id))

/** The finding's own rule matches its code no more. */
export const goneGate = (finding: Finding, base: ComparedScan, head: ComparedScan): Gate => {
  const name = "finding_gone"
  if (!completed(head).has(finding.tool)) {
    return failed(name, "quality_gate_failed", `The tool ${finding.tool} did not finish on the edited tree.`)
  }
  const ofRule = (findings: ReadonlyArray<Finding>) => findings.filter(({ rule_id }) => rule_id === finding.rule_id)
  const before = ofRule(base.findings)
  const after = ofRule(head.findings)
  const matching = matchFingerprints(knownOf(before), after.map(occurrenceOf))
  const id = String(before.findIndex(({ signatures }) => signatures.located === finding.signatures.located))
  const match = matching.matches.find((one) => one.id === id)
  if (match !== undefined) {
    return failed(name, "finding_not_resolved", `The rule still matches at ${at(after[match.index]!)}.`)
  }
  if (matching.ambiguous.has(id) || isPresent(finding, new Set(head.also_present))) {
    return failed(
      name,
      "finding_not_resolved",
      `The rule still matches code that may be the same as at ${at(finding)}.`
    )
  }
  return passed(name, `The rule ${finding.rule_id} matches there no more.`)
}

/** The same of every finding that is to be fixed. */
export const allGoneGate = (findings: ReadonlyArray<Finding>, base: ComparedScan, head: ComparedScan): Gate => {
  const gates = findings.map((finding) => goneGate(finding, base, head))
  const decisive = gates.find(isFailed) ?? (gates.length === 1 ? gates[0] : undefined)
  if (decisive !== undefined) return decisive
  return gates.length === 0
    ? skipped("finding_gone", "There is no finding to be fixed.")
    : passed("finding_gone", `None of the ${gates.length} findings is there any more.`)
}

/** No finding comes with the edit, in its files or, for rules over all files, anywhere. */
export const newFindingsGate = (base: ComparedScan, head: ComparedScan): Gate => {
  const name = "no_new_findings"
  const ranBefore = completed(base)
  const ranAfter = completed(head)
  const unfinished = [...ranBefore].filter((tool) => !ranAfter.has(tool))
  if (unfinished.length > 0) {
    return failed(name, "quality_gate_failed", `Tools did not finish on the edited tree: ${unfinished.join(", ")}.`)
  }
  const added = addedBetween(base, head).filter(({ tool }) => ranBefore.has(tool))
  const findings = added.filter(({ kind }) => kind === "finding")
  if (findings.length > 0) {
    return failed(name, "quality_gate_failed", `The edit brings new findings: ${named(findings)}.`)
  }
  const advisories = added.filter(({ kind }) => kind === "advisory")
  return passed(
    name,
    advisories.length === 0
      ? "No finding is new in the edited tree."
      : `No finding is new in the edited tree. New advisories: ${named(advisories)}.`
  )
}

/** Findings of the second scan that the first one did not have, and groups that have grown. */
const addedBetween = (base: ComparedScan, head: ComparedScan): ReadonlyArray<Finding> => {
  const matching = matchFingerprints(knownOf(base.findings), head.findings.map(occurrenceOf))
  const present = new Set(base.also_present)
  const fresh = matching.fresh.map((index) => head.findings[index]!).filter((finding) => !isPresent(finding, present))
  const grown = matching.matches
    .filter(({ id, index }) => head.findings[index]!.locations.length > base.findings[Number(id)]!.locations.length)
    .map(({ index }) => head.findings[index]!)
  return [...fresh, ...grown]
}
