import { type QueryClient, useQueryClient } from "@tanstack/react-query"
import { type ObservationDetail, observationsChanged, readObservation } from "../../../api/observation.ts"
import type { ObservationFilter } from "../../../api/observations.ts"
import { lastOperation, type TriageOperation, triage, triageEvery, undo } from "../../../api/triage.ts"
import type { TriageAct } from "../../../api/triageChanges.ts"
import { say } from "../../../parts/toast/toasts.ts"
import { codeWords, done, observations } from "../../../parts/triage/words.ts"
import type { Conflict } from "../dialogs/Theirs.tsx"

export const sayError = (error: unknown): void => {
  say({ text: error instanceof Error ? error.message : String(error) })
}

/** Takes back an act, or the last one that can be undone. */
export const undoAct = async (queryClient: QueryClient, operation: TriageOperation | undefined = lastOperation()) => {
  if (operation === undefined) {
    say({ text: "There is no act of the last 10 minutes to undo." })
    return
  }
  try {
    const results = await undo(queryClient, operation)
    const kept = results.filter(({ ok }) => !ok).length
    say({ text: kept === 0 ? "Undone." : `${kept} of ${results.length} changed since and stay as they are.` })
  } catch (error) {
    sayError(error)
  } finally {
    await observationsChanged(queryClient)
  }
}

const summary = ({ action, results }: TriageOperation): string => {
  const [only] = results
  if (results.length === 1 && only !== undefined) return `${only.ref} ${done[action]}.`
  const count = results.filter(({ ok }) => ok).length
  const rest = results.length - count
  return `${observations(count)} ${done[action]}${rest === 0 ? "." : `, ${rest} had changed and stay as they are.`}`
}

const conflicts: ReadonlySet<string> = new Set(["observation_closed", "observation_open"])

const noteOf = (act: TriageAct): string => act.dismissal_note ?? act.reopen_reason ?? act.note ?? ""

/** Changes an observation, or all that the same rule reports beside it: shown at once, and undone for ten minutes. */
export const useTriage = (observation: ObservationDetail, onConflict: (conflict: Conflict) => void) => {
  const queryClient = useQueryClient()
  const { ref } = observation

  const report = async (operation: TriageOperation) => {
    say({ text: summary(operation), action: { label: "Undo", run: () => void undoAct(queryClient, operation) } })
    await observationsChanged(queryClient)
  }

  const rejected = async (code: string | undefined, act: TriageAct): Promise<never> => {
    if (!conflicts.has(code ?? "")) throw new Error(`${ref} was not changed: ${codeWords(code)}.`)
    const theirs = await readObservation(ref)
    onConflict({ theirs, mine: noteOf(act) })
    throw new Error(`${ref} has changed since you opened it. Your note is kept.`)
  }

  const one = async (act: TriageAct): Promise<void> => {
    const operation = await triage(queryClient, act, [observation])
    const [result] = operation.results
    if (result?.ok !== true) await rejected(result?.code, act)
    else await report(operation)
  }

  const every = async (act: TriageAct, filter: ObservationFilter): Promise<void> =>
    report(await triageEvery(queryClient, act, { filter, order: "display_rank" }, () => undefined))

  return { one, every }
}
