import { type QueryClient, queryOptions } from "@tanstack/react-query"
import { ApiError, api, ok, type Schema } from "./client.ts"
import {
  facetsKey,
  type ListRequest,
  listKey,
  type Observation,
  type ObservationsPage,
  readPage
} from "./observations.ts"
import { overviewKey } from "./overview.ts"
import { showChanged, showUnchanged, type TriageAct } from "./triageChanges.ts"

export type TriageResult = Schema<"TriageResult">

/** One act of triage, as it is undone: as a whole, within ten minutes. */
export interface TriageOperation {
  readonly ids: ReadonlyArray<string>
  readonly action: TriageAct["action"]
  readonly results: ReadonlyArray<TriageResult>
  readonly undoUntil: string
}

/** The most that one call of the API changes, and the most that the app changes with one click. */
const callLimit = 1_000
export const actLimit = 10_000
const pageSize = 200
const settleMillis = 800

let operations: ReadonlyArray<TriageOperation> = []
let settling: ReturnType<typeof setTimeout> | undefined

/** Counts follow when the keys have come to rest. */
export const countAgain = (queryClient: QueryClient): void => {
  clearTimeout(settling)
  settling = setTimeout(() => {
    queryClient.invalidateQueries({ queryKey: facetsKey })
    queryClient.invalidateQueries({ queryKey: overviewKey })
  }, settleMillis)
}

const failedRefs = (results: ReadonlyArray<TriageResult>) =>
  results.filter(({ ok: done }) => !done).map(({ ref }) => ref)

/** Changes at most as many rows as one call may; they are shown as changed at once, and as they were where it fails. */
const change = async (act: TriageAct, rows: ReadonlyArray<Observation>) => {
  const refs = rows.map(({ ref }) => ref)
  showChanged(act, rows)
  try {
    const outcome = await ok(api.POST("/api/observations/bulk", { body: { ...act, refs } }))
    if (!("operation_id" in outcome)) throw new Error("The server returned a preview in place of an outcome.")
    showUnchanged(failedRefs(outcome.results))
    return outcome
  } catch (error) {
    showUnchanged(refs)
    throw error
  }
}

type Outcome = Awaited<ReturnType<typeof change>>

const remember = (action: TriageAct["action"], outcomes: ReadonlyArray<Outcome>): TriageOperation => {
  const operation = {
    ids: outcomes.map(({ operation_id }) => operation_id),
    action,
    results: outcomes.flatMap(({ results }) => results),
    undoUntil: outcomes[0]?.undo_until ?? new Date().toISOString()
  }
  operations = [...operations, operation]
  return operation
}

/** Rows by the thousand, so that each call takes as many as it may. */
async function* callsOf(rows: AsyncIterable<Observation> | Iterable<Observation>) {
  let call: Array<Observation> = []
  for await (const row of rows) {
    call.push(row)
    if (call.length < callLimit) continue
    yield call
    call = []
  }
  if (call.length > 0) yield call
}

const changeAll = async (
  queryClient: QueryClient,
  act: TriageAct,
  rows: AsyncIterable<Observation> | Iterable<Observation>,
  onProgress?: (changed: number) => void
) => {
  const outcomes: Array<Outcome> = []
  let changed = 0
  try {
    for await (const call of callsOf(rows)) {
      outcomes.push(await change(act, call))
      changed += call.length
      onProgress?.(changed)
    }
  } catch (error) {
    // What was changed before the failure can be undone nonetheless.
    if (outcomes.length > 0) remember(act.action, outcomes)
    throw error
  } finally {
    countAgain(queryClient)
  }
  return remember(act.action, outcomes)
}

export const triage = (queryClient: QueryClient, act: TriageAct, rows: ReadonlyArray<Observation>) =>
  changeAll(queryClient, act, rows)

async function* everyMatch(request: ListRequest) {
  let cursor: string | null = null
  for (let read = 0; read < actLimit; ) {
    const page: ObservationsPage = await readPage(request, { cursor, limit: pageSize })
    yield* page.data
    read += page.data.length
    cursor = page.next_cursor
    if (cursor === null) return
  }
}

/** As `triage`, for everything that a list holds, also what is not loaded yet. */
export const triageEvery = (
  queryClient: QueryClient,
  act: TriageAct,
  request: ListRequest,
  onProgress: (changed: number) => void
) => changeAll(queryClient, act, everyMatch(request), onProgress)

/** The last act that can still be undone. */
export const lastOperation = (): TriageOperation | undefined => {
  const now = new Date().toISOString()
  operations = operations.filter(({ undoUntil }) => undoUntil > now)
  return operations.at(-1)
}

const isListed = (queryClient: QueryClient, ref: string) =>
  queryClient
    .getQueriesData<{ pages: ReadonlyArray<ObservationsPage> }>({ queryKey: listKey })
    .some(([, list]) => list?.pages.some(({ data }) => data.some((row) => row.ref === ref)))

/** Puts back what an act changed; what others changed since stays, and its result says so. */
export const undo = async (
  queryClient: QueryClient,
  operation: TriageOperation
): Promise<ReadonlyArray<TriageResult>> => {
  operations = operations.filter((other) => other !== operation)
  const results: Array<TriageResult> = []
  try {
    for (const operation_id of operation.ids) {
      const outcome = await ok(
        api.POST("/api/observations/bulk/{operation_id}/undo", { params: { path: { operation_id } } })
      )
      results.push(...outcome.results)
    }
  } finally {
    const restored = results.filter(({ ok: done }) => done).map(({ ref }) => ref)
    showUnchanged(restored)
    // Rows that no list holds any more are read again; the others are shown where they were.
    if (restored.some((ref) => !isListed(queryClient, ref))) await queryClient.invalidateQueries({ queryKey: listKey })
    countAgain(queryClient)
  }
  return results
}

/** What an act is about: these observations, or all that match. */
export type TriageTarget =
  | { readonly refs: ReadonlyArray<string> }
  | { readonly filter: NonNullable<Schema<"BulkTriageRequest">["filter"]> }

export type TriagePreview = Schema<"TriagePreview">

const preview = async (
  action: TriageAct["action"],
  target: Pick<Schema<"BulkTriageRequest">, "refs" | "filter">
): Promise<TriagePreview> => {
  try {
    const outcome = await ok(api.POST("/api/observations/bulk", { body: { action, ...target, preview: true } }))
    if (!("count" in outcome)) throw new Error("The server returned an outcome in place of a preview.")
    return outcome
  } catch (error) {
    // More than one call may change: the app makes several, and the error has the count.
    const count = error instanceof ApiError && error.code === "too_many" ? error.details.count : undefined
    if (typeof count !== "number") throw error
    return { count, sample: [] }
  }
}

/** How many observations an act would be about, as the server counts them, and the most severe of them. */
export const triagePreviewQuery = (action: TriageAct["action"], target: TriageTarget) =>
  queryOptions({
    queryKey: ["observations", "preview", action, target] as const,
    queryFn: async (): Promise<TriagePreview> => {
      if ("filter" in target) return preview(action, target)
      const { refs } = target
      const calls = Array.from({ length: Math.ceil(refs.length / callLimit) }, (_, n) =>
        refs.slice(n * callLimit, (n + 1) * callLimit)
      )
      const parts = await Promise.all(calls.map((part) => preview(action, { refs: part })))
      return { count: parts.reduce((sum, { count }) => sum + count, 0), sample: parts[0]?.sample ?? [] }
    },
    gcTime: 0
  })
