import type { FieldProblem } from "../../schema/ApiError.ts"
import type { BulkTriage, TriageAction } from "../../schema/BulkTriage.ts"
import { InvalidPayload } from "../../schema/Errors.ts"
import type { ObservationClosed, ObservationOpen } from "../../schema/Observation.ts"
import { acknowledgement, completion, dismissal, reopening, type Triage } from "./triage.ts"

const actionFields = ["dismissal_category", "dismissal_note", "reopen_reason", "note", "url"] as const
type ActionField = (typeof actionFields)[number]

const fieldsOf: Readonly<Record<TriageAction, Partial<Record<ActionField, "required" | "optional">>>> = {
  dismiss: { dismissal_category: "required", dismissal_note: "required" },
  acknowledge: {},
  complete: { note: "optional", url: "optional" },
  reopen: { reopen_reason: "required" }
}

/** Why a request is not one, beyond what its schema says; a preview needs no reason or note. */
export const problemOf = (request: BulkTriage): InvalidPayload | null =>
  rejectionOf([...targetProblems(request), ...fieldProblems(request)])

/** Why a request does not say which observations it is about. */
export const targetProblem = (request: Target): InvalidPayload | null => rejectionOf(targetProblems(request))

type Target = Pick<BulkTriage, "refs" | "filter">

const rejectionOf = (errors: ReadonlyArray<FieldProblem>): InvalidPayload | null => {
  const [first] = errors
  if (first === undefined) return null
  const param = first.loc.join(".")
  return new InvalidPayload({ message: `${param}: ${first.msg}`, param, errors })
}

const targetProblems = ({ refs, filter }: Target): ReadonlyArray<FieldProblem> => {
  if (refs === undefined && filter === undefined) {
    return [{ loc: ["refs"], msg: "is required, or filter instead", type: "missing" }]
  }
  const isBoth = refs !== undefined && filter !== undefined
  return isBoth ? [{ loc: ["filter"], msg: "must not be sent beside refs", type: "value_error" }] : []
}

const fieldProblems = (request: BulkTriage): ReadonlyArray<FieldProblem> =>
  actionFields.flatMap((name): ReadonlyArray<FieldProblem> => {
    const use = fieldsOf[request.action][name]
    const isSent = request[name] !== undefined && request[name] !== null
    if (isSent && use === undefined) {
      return [{ loc: [name], msg: `does not belong to the action ${request.action}`, type: "extra_forbidden" }]
    }
    const isMissing = !isSent && use === "required" && request.preview !== true
    return isMissing ? [{ loc: [name], msg: `is required with the action ${request.action}`, type: "missing" }] : []
  })

/** The change that a request asks for; null while its reason or note is missing. */
export const triageOf = (request: BulkTriage): Triage<ObservationClosed | ObservationOpen> | null => {
  const { action, dismissal_category, dismissal_note, reopen_reason, note, url } = request
  switch (action) {
    case "dismiss":
      return dismissal_category === undefined || dismissal_note === undefined
        ? null
        : dismissal({ dismissal_category, dismissal_note })
    case "acknowledge":
      return acknowledgement
    case "complete":
      return completion({ note: note ?? null, url: url ?? null })
    case "reopen":
      return reopen_reason === undefined ? null : reopening({ reopen_reason })
  }
}
