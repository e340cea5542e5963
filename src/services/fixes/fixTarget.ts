import { FixTargetsWorkflowFile, maxFixAttempts, NoOpenFixPr, ObservationNotFixable } from "../../schema/Fix.ts"
import type { Observation } from "../../schema/Observation.ts"

export type FixCandidate = Pick<Observation, "ref" | "kind" | "status" | "close_reason" | "fix_attempts"> & {
  readonly locations: ReadonlyArray<{ readonly file_path: string }>
  readonly in_flight?: boolean
  readonly open_fix_pr?: boolean
}

export const inFlight = (ref: string) =>
  new ObservationNotFixable({
    message: `A fix of ${ref} is under way already.`,
    details: { reason: "in_flight" }
  })

/** One observation cannot be taken out of the pull request of a mission, nor revised in it. */
export const partOfMission = (ref: string, mission: string) =>
  new NoOpenFixPr({
    message: `${ref} has no fix pull request of its own: that of ${mission} fixes it, with others. Close that one at the code host, or push to its branch.`
  })

type Rejection = ObservationNotFixable | FixTargetsWorkflowFile

/** Makes the error only where one is needed: it records its stack, and every reader of an observation asks whether there is one. */
const problemOf = (observation: FixCandidate, extraAttempt: boolean): (() => Rejection) | null => {
  const { ref, kind, status, fix_attempts } = observation
  const rejected = (reason: string, message: string) => () =>
    new ObservationNotFixable({ message, details: { reason } })
  if (kind !== "finding") return rejected("kind", `Only a finding can be fixed; ${ref} is of the kind ${kind}.`)
  if (status === "closed") return rejected("closed", `${ref} is closed (${observation.close_reason}); reopen it first.`)
  if (observation.locations.some(({ file_path }) => file_path.startsWith(".github/workflows/"))) {
    return () =>
      new FixTargetsWorkflowFile({
        message: `${ref} lies in a workflow definition, where the code host lets no app push; change it by hand.`
      })
  }
  if (observation.open_fix_pr === true) return rejected("open_fix_pr", `${ref} has an open fix pull request.`)
  if (observation.in_flight === true) return () => inFlight(ref)
  if (fix_attempts >= maxFixAttempts && !extraAttempt) {
    return rejected(
      "attempts_exhausted",
      `The ${maxFixAttempts} automatic attempts at a fix of ${ref} are used up; send extra_attempt to try once more.`
    )
  }
  return null
}

/** Why no fix of the observation can be asked for; `null` when one can. */
export const rejectionOf = (observation: FixCandidate, extraAttempt: boolean): Rejection | null =>
  problemOf(observation, extraAttempt)?.() ?? null

/** Whether a fix of the observation can be asked for. */
export const isFixable = (observation: FixCandidate, extraAttempt: boolean): boolean =>
  problemOf(observation, extraAttempt) === null
