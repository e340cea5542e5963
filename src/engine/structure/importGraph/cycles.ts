/** A directed graph as rows: the edges of node n are `offsets[n] … offsets[n + 1]`, of which some may not count. */
export interface Rows {
  readonly size: number
  readonly offsets: Int32Array
  readonly targets: Int32Array
  readonly counts: (edge: number) => boolean
}

/** Tarjan's algorithm without recursion: depth is no limit. */
class ComponentSearch {
  readonly component: Int32Array
  private readonly rows: Rows
  private readonly index: Int32Array
  private readonly low: Int32Array
  private readonly next: Int32Array
  private readonly open: Array<number> = []
  private clock = 0
  private components = 0

  constructor(rows: Rows) {
    this.rows = rows
    this.component = new Int32Array(rows.size).fill(-1)
    this.index = new Int32Array(rows.size).fill(-1)
    this.low = new Int32Array(rows.size)
    this.next = Int32Array.from(rows.offsets.subarray(0, rows.size))
  }

  isSeen(node: number): boolean {
    return this.index[node] !== -1
  }

  visitFrom(root: number): void {
    const path = [root]
    while (path.length > 0) {
      const node = path[path.length - 1]!
      if (!this.isSeen(node)) this.enter(node)
      const child = this.nextUnseen(node)
      if (child >= 0) {
        path.push(child)
        continue
      }
      path.pop()
      const parent = path[path.length - 1]
      if (parent !== undefined) this.low[parent] = Math.min(this.low[parent]!, this.low[node]!)
      if (this.low[node] === this.index[node]) this.closeComponentOf(node)
    }
  }

  private enter(node: number): void {
    this.index[node] = this.low[node] = this.clock++
    this.open.push(node)
  }

  /** The next target that was not visited, or -1; edges back into an open component are noted on the way. */
  private nextUnseen(node: number): number {
    const { offsets, targets, counts } = this.rows
    while (this.next[node]! < offsets[node + 1]!) {
      const edge = this.next[node]!++
      if (!counts(edge)) continue
      const target = targets[edge]!
      if (!this.isSeen(target)) return target
      if (this.component[target] === -1) this.low[node] = Math.min(this.low[node]!, this.index[target]!)
    }
    return -1
  }

  private closeComponentOf(root: number): void {
    for (let member = -1; member !== root; ) {
      member = this.open.pop()!
      this.component[member] = this.components
    }
    this.components++
  }
}

/** Number of each node's strongly connected component. */
export const componentsOf = (rows: Rows): Int32Array => {
  const search = new ComponentSearch(rows)
  for (let root = 0; root < rows.size; root++) if (!search.isSeen(root)) search.visitFrom(root)
  return search.component
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
