import { Order } from "effect"
import type { Priority } from "../../../schema/Observation.ts"
import type { BranchVerdict, ChangeFacts, FindingFacts, ScanFacts } from "../ChangeFacts.ts"
import { type Spot, spotAt, verdictsOn } from "./verdict.ts"
import { counted, named } from "./wording.ts"

export const spotOf = ({ file_path, line_start, line_end }: FindingFacts): Spot =>
  spotAt("head", file_path, line_start, line_end)

export const titleOf = ({ priority, title, file_path, line_start }: FindingFacts): string =>
  `${priority} ${title} at ${file_path}:${line_start}`

/** What keeps a scan that found nothing from proving that there is nothing; null where nothing does. */
export const doubtOf = (scan: ScanFacts, tools: (id: string) => boolean): string | null => {
  const unfinished = scan.unfinished_tools.filter(tools)
  if (unfinished.length > 0) return `${named(unfinished)} did not finish`
  return scan.unread.length > 0
    ? `${counted(scan.unread.length, "changed file")} could not be read as a whole (${named(scan.unread)})`
    : null
}

/** Which changed files a verdict does not cover; empty where it covers all. */
const notCovered = ({ leftOut }: ScanFacts): string =>
  leftOut.length === 0 ? "" : ` Audits leave out ${counted(leftOut.length, "changed file")}: ${named(leftOut)}.`

export const unscanned = (facts: ChangeFacts): BranchVerdict =>
  verdictsOn(facts).undecided(`The code could not be scanned: ${facts.scanProblem ?? "the scan has no result"}`)

const upTo = (max: Priority): string => (max === "P0" ? "P0" : `P0 to ${max}`)

/** Whether the change introduces a finding that is at least as severe as `max`. */
export const noNewFindings = (facts: ChangeFacts, max: Priority): BranchVerdict => {
  const { met, notMet, undecided } = verdictsOn(facts)
  const { scan } = facts
  if (scan === null) return unscanned(facts)
  const introduced = scan.introduced.filter(({ priority }) => Order.string(priority, max) <= 0)
  if (introduced.length > 0) {
    return notMet(
      `The change introduces ${counted(introduced.length, "finding")} of ${upTo(max)}: ${named(introduced.map(titleOf))}.`,
      introduced.map(spotOf)
    )
  }
  const doubt = doubtOf(scan, () => true)
  if (doubt !== null) return undecided(`No new finding of ${upTo(max)} is known, but ${doubt}.`)
  const others = scan.introduced.length === 0 ? "" : ` (${counted(scan.introduced.length, "less severe one")})`
  if (scan.unattributed > 0) {
    return undecided(
      `The change introduces no finding of ${upTo(max)} for certain${others}, but ${counted(scan.unattributed, "finding")} at its head may be new.`
    )
  }
  return met(`The change introduces no finding of ${upTo(max)}${others}.${notCovered(scan)}`)
}

/** Whether an observation is no longer found at the head. */
export const observationGone = (facts: ChangeFacts, ref: string): BranchVerdict => {
  const { met, notMet, undecided, notApplicable } = verdictsOn(facts)
  const known = facts.observations.get(ref)
  if (known === undefined) return undecided(`No observation ${ref} is known here.`)
  const { state, doubt, location } = known
  const spots = location === null ? [] : [spotAt("head", location.file_path, location.line_start, location.line_end)]
  switch (state) {
    case "present":
      return notMet(`${ref} is still found at the head of ${facts.branch}.`, spots)
    case "absent":
      return met(`${ref} is no longer found at the head of ${facts.branch}.`, spots)
    case "elsewhere":
      return notApplicable(`${ref} is no observation of a repository that a branch of the change touches.`)
    case "unknown":
      return undecided(`Whether ${ref} is still found is not known: ${doubt}`)
  }
}

const SECRETS = "secret_detection"
/** What looks like a credential in a test or a sample is mostly made up: the code does not show which. */
const EXAMPLE = `${SECRETS}.example_credential`

/** Whether the change brings in a credential. */
export const noSecret = (facts: ChangeFacts): BranchVerdict => {
  const { met, notMet, undecided } = verdictsOn(facts)
  const { scan } = facts
  if (scan === null) return unscanned(facts)
  const secrets = scan.introduced.filter(({ tool }) => tool === SECRETS)
  const real = secrets.filter(({ rule_id }) => rule_id !== EXAMPLE)
  const listed = (found: ReadonlyArray<FindingFacts>) => named(found.map(titleOf))
  if (real.length > 0) {
    return notMet(`The change adds ${counted(real.length, "credential")}: ${listed(real)}.`, real.map(spotOf))
  }
  if (secrets.length > 0) {
    return undecided(
      `The change adds ${counted(secrets.length, "value")} that may be a credential or made up: ${listed(secrets)}.`,
      secrets.map(spotOf)
    )
  }
  const doubt = doubtOf(scan, (id) => id === SECRETS)
  if (doubt !== null) return undecided(`No credential was found, but ${doubt}.`)
  const lines = facts.files.reduce((sum, { added }) => sum + added.length, 0)
  return met(
    `The ${counted(lines, "added line")} in ${counted(facts.files.length, "file")} hold no credential that is known by its form or name.${notCovered(scan)}`
  )
}
