import type { IssueId } from "../../schema/Ids.ts"

/** One relation, from an issue to another. */
export interface Edge {
  readonly from_id: IssueId
  readonly to_id: IssueId
}

/** The issues on a shortest way from one to another along the edges, both included; null where there is none. */
export const pathBetween = (edges: Iterable<Edge>, from: IssueId, to: IssueId): ReadonlyArray<IssueId> | null => {
  const next = new Map<IssueId, Array<IssueId>>()
  for (const { from_id, to_id } of edges) {
    const known = next.get(from_id)
    if (known === undefined) next.set(from_id, [to_id])
    else known.push(to_id)
  }
  const previous = new Map<IssueId, IssueId | null>([[from, null]])
  // A map's keys are visited in the order in which they were added, and those that are added meanwhile, too.
  for (const id of previous.keys()) {
    if (id === to) return wayBack(previous, to)
    for (const neighbour of next.get(id) ?? []) if (!previous.has(neighbour)) previous.set(neighbour, id)
  }
  return null
}

const wayBack = (previous: ReadonlyMap<IssueId, IssueId | null>, to: IssueId): ReadonlyArray<IssueId> => {
  const path: Array<IssueId> = []
  for (let id: IssueId | null = to; id !== null; id = previous.get(id) ?? null) path.unshift(id)
  return path
}
