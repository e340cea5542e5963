import type { Schema } from "./client.ts"
import type { Observation } from "./observations.ts"

/** What is done to observations, with the fields that the action takes. */
export type TriageAct = Omit<Schema<"BulkTriageRequest">, "refs" | "filter" | "preview">

interface Change {
  /** `updated_at` of the row that was changed: a row that was read later says by itself what became of it. */
  readonly base: string
  readonly fields: Partial<Observation>
}

export type Changes = ReadonlyMap<string, Change>

let changes: Changes = new Map()
const listeners = new Set<() => void>()

const replace = (next: Changes) => {
  changes = next
  for (const listener of listeners) listener()
}

export const allChanges = (): Changes => changes

export const onChanges = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const fieldsOf = (act: TriageAct, row: Observation, now: string): Partial<Observation> => {
  switch (act.action) {
    case "dismiss":
      return {
        status: "closed",
        close_reason: "dismissed",
        closed_at: now,
        dismissal_category: act.dismissal_category ?? null,
        dismissal_note: act.dismissal_note ?? null
      }
    case "complete":
      return { status: "closed", close_reason: "completed", closed_at: now, completion_note: act.note ?? null }
    case "acknowledge":
      return { acknowledged_at: row.acknowledged_at ?? now }
    case "reopen":
      return { status: "new", close_reason: null, closed_at: null, dismissal_category: null, dismissal_note: null }
  }
}

/** Whether the rules of triage let the action happen to a row; the server has the last word. */
export const isOpenTo = (action: TriageAct["action"], { status }: Pick<Observation, "status">): boolean =>
  action === "reopen" ? status === "closed" : status === "new"

/** Shows the rows as the act leaves them, before the server has answered. */
export const showChanged = (act: TriageAct, rows: ReadonlyArray<Observation>): void => {
  const now = new Date().toISOString()
  const next = new Map(changes)
  for (const row of rows) {
    if (!isOpenTo(act.action, row)) continue
    const earlier = next.get(row.ref)
    const kept = earlier?.base === row.updated_at ? earlier.fields : {}
    next.set(row.ref, { base: row.updated_at, fields: { ...kept, ...fieldsOf(act, row, now) } })
  }
  replace(next)
}

/** Shows the rows as they were read again. */
export const showUnchanged = (refs: ReadonlyArray<string>): void => {
  const next = new Map(changes)
  for (const ref of refs) next.delete(ref)
  replace(next)
}

export const withChange = (row: Observation, all: Changes): Observation => {
  const change = all.get(row.ref)
  return change === undefined || change.base !== row.updated_at ? row : { ...row, ...change.fields }
}
