import type { Observation } from "../../api/observations.ts"
import type { Grouping } from "./address.ts"

export type Item =
  | { readonly kind: "group"; readonly value: string; readonly count: number }
  | { readonly kind: "row"; readonly observation: Observation }

const valueOf: Readonly<Record<Grouping, (observation: Observation) => string>> = {
  priority: ({ priority }) => priority,
  rule: ({ rule_id }) => rule_id,
  file: ({ locations }) => locations?.[0]?.file_path ?? "No file",
  domain: ({ domain }) => domain,
  repository: ({ repo_name }) => repo_name
}

/** Rows under the heading of their group; groups stand in the order of their first row. */
export const arrange = (rows: ReadonlyArray<Observation>, grouping: Grouping | null): ReadonlyArray<Item> => {
  if (grouping === null) return rows.map((observation) => ({ kind: "row", observation }))
  const groups = new Map<string, Array<Item>>()
  for (const observation of rows) {
    const value = valueOf[grouping](observation)
    const group = groups.get(value)
    if (group === undefined) groups.set(value, [{ kind: "row", observation }])
    else group.push({ kind: "row", observation })
  }
  return [...groups].flatMap(
    ([value, group]): ReadonlyArray<Item> => [{ kind: "group", value, count: group.length }, ...group]
  )
}

/** The row that is reached from an item by so many rows, up or down; the end of the list ends the way. */
export const moved = (items: ReadonlyArray<Item>, from: number, step: number): number => {
  const isRow = (index: number) => items[index]?.kind === "row"
  const direction = step < 0 ? -1 : 1
  let left = Math.abs(step)
  let reached = from
  for (let index = from + direction; left > 0 && index >= 0 && index < items.length; index += direction) {
    if (!isRow(index)) continue
    reached = index
    left--
  }
  return reached
}

/** The row at an index, or else the next one below, or else the last one above. */
export const nearestRow = (items: ReadonlyArray<Item>, index: number): number => {
  for (let below = Math.max(index, 0); below < items.length; below++) if (items[below]?.kind === "row") return below
  for (let above = Math.min(index, items.length) - 1; above >= 0; above--)
    if (items[above]?.kind === "row") return above
  return -1
}
