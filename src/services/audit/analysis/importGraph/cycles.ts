/** A directed graph as rows: the edges of node n are `offsets[n] … offsets[n + 1]`, of which some may not count. */
export interface Rows {
  readonly size: number
  readonly offsets: Int32Array
  readonly targets: Int32Array
  readonly counts: (edge: number) => boolean
}

/** Number of each node's strongly connected component. Tarjan's algorithm without recursion: depth is no limit. */
export const componentsOf = ({ size, offsets, targets, counts }: Rows): Int32Array => {
  const component = new Int32Array(size).fill(-1)
  const index = new Int32Array(size).fill(-1)
  const low = new Int32Array(size)
  const next = Int32Array.from(offsets.subarray(0, size))
  const stack: Array<number> = []
  const path: Array<number> = []
  let clock = 0
  let components = 0
  for (let root = 0; root < size; root++) {
    if (index[root] !== -1) continue
    path.push(root)
    while (path.length > 0) {
      const node = path[path.length - 1]!
      if (index[node] === -1) {
        index[node] = low[node] = clock++
        stack.push(node)
      }
      let child = -1
      while (next[node]! < offsets[node + 1]! && child < 0) {
        const edge = next[node]!++
        if (!counts(edge)) continue
        const target = targets[edge]!
        if (index[target] === -1) child = target
        else if (component[target] === -1) low[node] = Math.min(low[node]!, index[target]!)
      }
      if (child >= 0) {
        path.push(child)
        continue
      }
      path.pop()
      const parent = path[path.length - 1]
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!)
      if (low[node] !== index[node]) continue
      for (let member = -1; member !== node; ) {
        member = stack.pop()!
        component[member] = components
      }
      components++
    }
  }
  return component
}

/** Shortest way from a node back to itself inside its component, as edges; empty when there is none. */
const shortestFrom = (
  rows: Rows,
  component: Int32Array,
  start: number,
  limit: number,
  budget: { steps: number }
): ReadonlyArray<number> => {
  const { offsets, targets, counts } = rows
  const via = new Map<number, number>()
  const origin = new Map<number, number>()
  let frontier = [start]
  for (let depth = 1; frontier.length > 0 && depth < limit; depth++) {
    const following: Array<number> = []
    for (const node of frontier) {
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const target = targets[edge]!
        budget.steps--
        if (!counts(edge) || component[target] !== component[start]) continue
        if (target === start) {
          const way = [edge]
          for (let at = node; at !== start; at = origin.get(at)!) way.push(via.get(at)!)
          return way.reverse()
        }
        if (via.has(target)) continue
        via.set(target, edge)
        origin.set(target, node)
        following.push(target)
      }
    }
    frontier = following
  }
  return []
}

export interface Cycle {
  /** Node at which the shown cycle starts. */
  readonly start: number
  /** Edges of the shortest cycle found, in order. */
  readonly edges: ReadonlyArray<number>
  /** Nodes of the whole knot. */
  readonly members: ReadonlyArray<number>
}

/** Edges looked at before the shortest cycle found so far is short enough; the first search always ends. */
const MAX_STEPS = 1_000_000

/** One cycle per knot of nodes that all reach each other, in the order of their first nodes. */
export const cyclesOf = (rows: Rows): ReadonlyArray<Cycle> => {
  const component = componentsOf(rows)
  const members = new Map<number, Array<number>>()
  for (let node = 0; node < rows.size; node++) {
    const known = members.get(component[node]!)
    if (known === undefined) members.set(component[node]!, [node])
    else known.push(node)
  }
  const cycles: Array<Cycle> = []
  for (const nodes of members.values()) {
    if (nodes.length < 2) continue
    let best: ReadonlyArray<number> = []
    let start = nodes[0]!
    const budget = { steps: MAX_STEPS }
    for (const node of nodes) {
      if (budget.steps < 0) break
      const found = shortestFrom(rows, component, node, best.length === 0 ? nodes.length + 1 : best.length, budget)
      if (found.length > 0 && (best.length === 0 || found.length < best.length)) {
        best = found
        start = node
      }
      if (best.length === 2) break
    }
    cycles.push({ start, edges: best, members: nodes })
  }
  return cycles.sort((a, b) => a.members[0]! - b.members[0]!)
}
