import type { Grammar } from "./Grammar.ts"

/** Beyond this many kinds a selection is sifted, not merged. */
const MAX_MERGED_KINDS = 4

/** No such node. Node indexes are preorder positions, so the root is 0. */
export const NONE = -1

interface Selection {
  readonly kinds: ReadonlyArray<string>
  readonly nodes: Int32Array
}

/** Names of kinds are constants of the program, so that comparing them is comparing pointers. */
const isSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/**
 * A syntax tree as columns: node n is row n, in document order, so the descendants of a node are the rows that follow
 * it. Offsets are UTF-16, fit for `text.slice`. Tools ask for the kinds they care about and touch nothing else.
 */
export class FlatTree {
  readonly text: string
  readonly grammar: Grammar
  readonly size: number
  readonly hasError: boolean
  readonly kinds: Uint16Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly parents: Int32Array
  /** Next sibling, or 0 where there is none (the root has no siblings). */
  readonly nexts: Int32Array
  readonly fields: Uint8Array
  private byKind: { readonly offsets: Int32Array; readonly order: Int32Array } | undefined
  /** Selections so far, by the first of their kinds. */
  private readonly selections = new Map<string, Array<Selection>>()

  constructor(columns: {
    readonly text: string
    readonly grammar: Grammar
    readonly hasError: boolean
    readonly kinds: Uint16Array
    readonly starts: Int32Array
    readonly ends: Int32Array
    readonly parents: Int32Array
    readonly nexts: Int32Array
    readonly fields: Uint8Array
  }) {
    this.text = columns.text
    this.grammar = columns.grammar
    this.hasError = columns.hasError
    this.kinds = columns.kinds
    this.starts = columns.starts
    this.ends = columns.ends
    this.parents = columns.parents
    this.nexts = columns.nexts
    this.fields = columns.fields
    this.size = columns.kinds.length
  }

  kind(n: number): string {
    return n < 0 ? "" : this.grammar.kindNames[this.kinds[n]!]!
  }

  is(n: number, ...kinds: ReadonlyArray<string>): boolean {
    if (n < 0) return false
    const kind = this.grammar.kindNames[this.kinds[n]!]!
    for (let i = 0; i < kinds.length; i++) if (kinds[i] === kind) return true
    return false
  }

  isNamed(n: number): boolean {
    return n >= 0 && this.grammar.namedKinds[this.kinds[n]!] === 1
  }

  start(n: number): number {
    return this.starts[n]!
  }

  end(n: number): number {
    return this.ends[n]!
  }

  textOf(n: number): string {
    return n < 0 ? "" : this.text.slice(this.starts[n]!, this.ends[n]!)
  }

  /** Parent, or NONE for the root. */
  parent(n: number): number {
    return n <= 0 ? NONE : this.parents[n]!
  }

  firstChild(n: number): number {
    return n >= 0 && n + 1 < this.size && this.parents[n + 1] === n ? n + 1 : NONE
  }

  nextSibling(n: number): number {
    return n < 0 ? NONE : this.nexts[n]! || NONE
  }

  previousSibling(n: number): number {
    if (n <= 0) return NONE
    let before = NONE
    for (let c = this.firstChild(this.parents[n]!); c !== n && c !== NONE; c = this.nextSibling(c)) before = c
    return before
  }

  /** First child under a field name, or NONE. */
  child(n: number, field: string): number {
    const id = this.grammar.fieldIds.get(field)
    if (id === undefined) return NONE
    for (let c = this.firstChild(n); c !== NONE; c = this.nextSibling(c)) if (this.fields[c] === id) return c
    return NONE
  }

  childrenOfField(n: number, field: string): Array<number> {
    const id = this.grammar.fieldIds.get(field)
    const found: Array<number> = []
    if (id === undefined) return found
    for (let c = this.firstChild(n); c !== NONE; c = this.nextSibling(c)) if (this.fields[c] === id) found.push(c)
    return found
  }

  /** First direct child of one of these kinds, or NONE. */
  childOfKind(n: number, ...kinds: ReadonlyArray<string>): number {
    for (let c = this.firstChild(n); c !== NONE; c = this.nextSibling(c)) if (this.is(c, ...kinds)) return c
    return NONE
  }

  children(n: number): Array<number> {
    const found: Array<number> = []
    for (let c = this.firstChild(n); c !== NONE; c = this.nextSibling(c)) found.push(c)
    return found
  }

  /** Comments are named in every grammar, but no caller ever wants them among arguments or statements. */
  namedChildren(n: number): Array<number> {
    const found: Array<number> = []
    for (let c = this.firstChild(n); c !== NONE; c = this.nextSibling(c)) {
      if (this.isNamed(c) && !this.isComment(c)) found.push(c)
    }
    return found
  }

  isComment(n: number): boolean {
    return n >= 0 && this.grammar.commentKinds[this.kinds[n]!] === 1
  }

  /** Name of the field under which the node hangs from its parent, or null. */
  fieldOf(n: number): string | null {
    return n < 0 ? null : (this.grammar.fieldNames[this.fields[n]!] ?? null)
  }

  /** From the parent up to the root. */
  ancestors(n: number): Array<number> {
    const found: Array<number> = []
    for (let up = this.parent(n); up !== NONE; up = this.parent(up)) found.push(up)
    return found
  }

  /** Nearest ancestor (not the node itself) of one of these kinds, or NONE. */
  enclosing(n: number, ...kinds: ReadonlyArray<string>): number {
    for (let up = this.parent(n); up !== NONE; up = this.parent(up)) if (this.is(up, ...kinds)) return up
    return NONE
  }

  /** Index of the last row below this node; the node itself when it is a leaf. */
  lastDescendant(n: number): number {
    let at = n
    while (at > 0 && this.nexts[at] === 0) at = this.parents[at]!
    return at <= 0 ? this.size - 1 : this.nexts[at]! - 1
  }

  contains(outer: number, inner: number): boolean {
    return inner >= outer && inner <= this.lastDescendant(outer)
  }

  /** All nodes of these kinds, in document order. */
  of(...kinds: ReadonlyArray<string>): Int32Array {
    const first = kinds[0] ?? ""
    const selections = this.selections.get(first) ?? []
    if (selections.length === 0) this.selections.set(first, selections)
    for (const known of selections) if (isSame(known.kinds, kinds)) return known.nodes
    const nodes = this.select(kinds)
    selections.push({ kinds, nodes })
    return nodes
  }

  /** Nodes of these kinds below (or equal to) a node, in document order. */
  within(n: number, ...kinds: ReadonlyArray<string>): Int32Array {
    const all = this.of(...kinds)
    const from = lowerBound(all, n)
    return all.subarray(from, lowerBound(all, this.lastDescendant(n) + 1))
  }

  /** Smallest node that covers the range [start, end). */
  covering(start: number, end: number): number {
    let at = 0
    for (;;) {
      let next = NONE
      for (let c = this.firstChild(at); c !== NONE && this.starts[c]! <= start; c = this.nextSibling(c)) {
        if (this.ends[c]! >= end && (this.ends[c]! > start || start === end)) {
          next = c
          break
        }
      }
      if (next === NONE) return at
      at = next
    }
  }

  private select(kinds: ReadonlyArray<string>): Int32Array {
    if (kinds.length > MAX_MERGED_KINDS) return this.sift(kinds)
    this.byKind ??= this.countingSort()
    const { offsets, order } = this.byKind
    const runs: Array<Int32Array> = []
    for (const kind of kinds) {
      for (const id of this.grammar.idsOf.get(kind) ?? []) {
        if (offsets[id + 1]! > offsets[id]!) runs.push(order.subarray(offsets[id], offsets[id + 1]))
      }
    }
    if (runs.length === 1) return runs[0]!
    const merged = new Int32Array(runs.reduce((total, run) => total + run.length, 0))
    let at = 0
    for (const run of runs) {
      merged.set(run, at)
      at += run.length
    }
    return merged.sort()
  }

  /** Many kinds at once: one pass over all nodes is cheaper than putting their lists in order. */
  private sift(kinds: ReadonlyArray<string>): Int32Array {
    const isOfKind = new Uint8Array(this.grammar.kindNames.length)
    for (const kind of kinds) for (const id of this.grammar.idsOf.get(kind) ?? []) isOfKind[id] = 1
    const found = new Int32Array(this.size)
    let count = 0
    for (let n = 0; n < this.size; n++) if (isOfKind[this.kinds[n]!] === 1) found[count++] = n
    return found.slice(0, count)
  }

  private countingSort() {
    const count = this.grammar.kindNames.length
    const offsets = new Int32Array(count + 1)
    for (let n = 0; n < this.size; n++) offsets[this.kinds[n]! + 1]!++
    for (let k = 0; k < count; k++) offsets[k + 1]! += offsets[k]!
    const next = offsets.slice(0, count)
    const order = new Int32Array(this.size)
    for (let n = 0; n < this.size; n++) order[next[this.kinds[n]!]!++] = n
    return { offsets, order }
  }
}

export const lowerBound = (sorted: Int32Array, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
