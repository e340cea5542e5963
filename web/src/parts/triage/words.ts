import type { TriageAct } from "../../api/triageChanges.ts"
import { counted } from "../text/counted.ts"

type Action = TriageAct["action"]

/** Observations by their number: `1 observation`, `5 observations`. */
export const observations = (count: number): string => counted(count, "observation")

/** What a button does to so many; without the number while it is not known. */
export const actOn = (verb: string, count: number | undefined): string =>
  `${verb} ${count === undefined ? "observations" : observations(count)}`

export const verbs: Readonly<Record<Action, string>> = {
  dismiss: "Dismiss",
  acknowledge: "Acknowledge",
  complete: "Complete",
  reopen: "Reopen"
}

export const done: Readonly<Record<Action, string>> = {
  dismiss: "dismissed",
  acknowledge: "acknowledged",
  complete: "completed",
  reopen: "reopened"
}

const codes: Readonly<Record<string, string>> = {
  observation_closed: "Closed already",
  observation_open: "Open already",
  observation_not_found: "No longer there",
  not_found: "No longer there",
  changed_since: "Changed by others since; it stays as it is",
  permission_denied: "Your role does not permit it"
}

/** What an error code of a single result means, in words. */
export const codeWords = (code: string | undefined): string => codes[code ?? ""] ?? code ?? "Not changed"
