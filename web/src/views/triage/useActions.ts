import { useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useState } from "react"
import { api, ok } from "../../api/client.ts"
import { type ListRequest, listKey, type Observation } from "../../api/observations.ts"
import { useMay } from "../../api/session.ts"
import {
  lastOperation,
  type TriageOperation,
  type TriageResult,
  type TriageTarget,
  triage,
  triageEvery,
  undo
} from "../../api/triage.ts"
import { isOpenTo, type TriageAct } from "../../api/triageChanges.ts"
import type { Selection } from "../../parts/list/useSelection.ts"
import { say, toasts } from "../../parts/toast/toasts.ts"
import { done, observations } from "../../parts/triage/words.ts"

export type DialogKind = "dismiss" | "complete" | "reopen" | "fix" | "issues"

export interface Results {
  readonly action: TriageAct["action"]
  readonly results: ReadonlyArray<TriageResult>
}

interface Context {
  readonly request: ListRequest
  readonly rows: ReadonlyArray<Observation>
  /** The observation that is open, where the list holds it. */
  readonly open: Observation | null
  readonly selection: Selection
  /** All that the list holds, loaded or not. */
  readonly total: number | undefined
  /** The page of an observation, from where the others of the list can be reached. */
  readonly pageOf: (ref: string) => string
  /** What keys were pressed for is left behind: the next row is due. */
  readonly goOn: () => void
}

let announced: string | null = null

/** One message about the last act at a time: the one before it is no longer what `z` undoes. */
const announce = (message: Parameters<typeof say>[0] | null) => {
  if (announced !== null) toasts.close(announced)
  announced = message === null ? null : say(message)
}

const sayError = (error: unknown) => say({ text: error instanceof Error ? error.message : String(error) })

/** What may be done to the ticked observations, or else to the one that is open. */
export const useActions = ({ request, rows, open, selection, total, pageOf, goOn }: Context) => {
  const queryClient = useQueryClient()
  const router = useRouter()
  const mayTriage = useMay("triage_observations")
  const mayFix = useMay("submit_fix_jobs")
  const mayFile = useMay("manage_issues")
  const [dialog, setDialog] = useState<DialogKind | null>(null)
  const [results, setResults] = useState<Results | null>(null)
  const [changed, setChanged] = useState<number | null>(null)

  const ticked = rows.filter(({ ref }) => selection.refs.has(ref))
  const targets = selection.refs.size > 0 ? ticked : open === null ? [] : [open]
  const isEvery = selection.isEvery && total !== undefined && total > ticked.length
  const count = isEvery && total !== undefined ? total : targets.length
  /** What an act is about, as the API takes it. */
  const target: TriageTarget = isEvery ? { filter: request.filter } : { refs: targets.map(({ ref }) => ref) }

  const undoLast = async (operation: TriageOperation | undefined = lastOperation()) => {
    if (operation === undefined) {
      say({ text: "There is no act of the last 10 minutes to undo." })
      return
    }
    try {
      const outcome = await undo(queryClient, operation)
      const failed = outcome.filter((result) => !result.ok)
      announce(null)
      if (failed.length > 0) setResults({ action: operation.action, results: outcome })
    } catch (error) {
      sayError(error)
    }
  }

  const report = (operation: TriageOperation) => {
    const { action, results: all } = operation
    const count = all.filter((result) => result.ok).length
    if (count < all.length) setResults({ action, results: all })
    const [only] = all
    const what = all.length === 1 && only !== undefined ? only.ref : observations(count)
    if (count > 0)
      announce({ text: `${what} ${done[action]}.`, action: { label: "Undo", run: () => undoLast(operation) } })
  }

  const run = async (act: TriageAct) => {
    setChanged(isEvery ? 0 : null)
    try {
      const operation = isEvery
        ? await triageEvery(queryClient, act, request, setChanged)
        : await triage(queryClient, act, targets)
      if (act.action !== "acknowledge" || operation.results.length > 1 || !operation.results[0]?.ok) report(operation)
      selection.clear()
    } finally {
      setChanged(null)
    }
  }

  /** Acknowledging needs no reason, so that nothing is asked. */
  const acknowledge = () => {
    if (!mayTriage || targets.length === 0) return
    run({ action: "acknowledge" }).catch(sayError)
    if (selection.refs.size === 0) goOn()
  }

  const isOffered = (kind: DialogKind): boolean => {
    if (kind === "fix") return mayFix && open?.kind === "finding" && open.status === "new"
    if (kind === "issues") return mayFile && targets.some(({ status }) => status === "new")
    return mayTriage && targets.some((row) => isOpenTo(kind, row))
  }

  const ask = (kind: DialogKind) => {
    if (isOffered(kind)) setDialog(kind)
  }

  const publishTicket = async () => {
    if (!mayTriage || open === null) return
    try {
      const { ref, ticket_url } = await ok(
        api.POST("/api/observations/{ref}/publish-ticket", { params: { path: { ref: open.ref } } })
      )
      say({
        text: `${ref} has a ticket.`,
        ...(ticket_url === null ? {} : { action: { label: "Open ticket", run: () => window.open(ticket_url) } })
      })
      queryClient.invalidateQueries({ queryKey: listKey })
    } catch (error) {
      sayError(error)
    }
  }

  const openPage = (ref: string) => router.navigate({ href: pageOf(ref) })

  return {
    mayTriage,
    mayFix,
    mayFile,
    targets,
    target,
    count,
    changed,
    dialog,
    results,
    acknowledge,
    ask,
    run,
    publishTicket,
    undoLast,
    openPage,
    close: () => setDialog(null),
    closeResults: () => setResults(null)
  }
}

export type Actions = ReturnType<typeof useActions>
