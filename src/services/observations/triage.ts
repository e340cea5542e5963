import {
  type Complete,
  type Dismiss,
  type Observation,
  ObservationClosed,
  ObservationOpen,
  type Reopen
} from "../../schema/Observation.ts"
import type { StateChange } from "./ObservationStateRepo.ts"

/** What the rules of triage need to know of an observation. */
export type Triaged = Pick<Observation, "ref" | "status" | "close_reason" | "acknowledged_at">

/** A change of people, for one observation or for many: the change itself, and when it is rejected. */
export interface Triage<E> {
  readonly change: StateChange
  readonly rejectionOf: (observation: Triaged) => E | null
  /** It is as requested already: accepted, and nothing changes. */
  readonly isDone: (observation: Triaged) => boolean
}

const closedAlready = ({ ref, status, close_reason }: Triaged) =>
  status === "closed" ? new ObservationClosed({ message: `${ref} is closed (${close_reason}).` }) : null

const never = () => false

export const dismissal = ({ dismissal_category, dismissal_note }: Dismiss): Triage<ObservationClosed> => ({
  change: { kind: "close", closing: { close_reason: "dismissed", dismissal_category, dismissal_note } },
  rejectionOf: closedAlready,
  isDone: never
})

export const completion = ({ url = null, note = null }: Complete): Triage<ObservationClosed> => ({
  change: { kind: "close", closing: { close_reason: "completed", completion_url: url, completion_note: note } },
  rejectionOf: closedAlready,
  isDone: never
})

export const reopening = ({ reopen_reason }: Reopen): Triage<ObservationOpen> => ({
  change: { kind: "reopen", event: "reopened", reason: reopen_reason },
  rejectionOf: ({ ref, status }) =>
    status === "new" ? new ObservationOpen({ message: `${ref} is open already.` }) : null,
  isDone: never
})

/** Acknowledging twice keeps the first time. */
export const acknowledgement: Triage<ObservationClosed> = {
  change: { kind: "acknowledge" },
  rejectionOf: closedAlready,
  isDone: ({ acknowledged_at }) => acknowledged_at !== null
}
