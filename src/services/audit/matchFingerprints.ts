import { type Signatures, similarity } from "./Fingerprint.ts"

/** What identity is decided from: plain data, whether it comes from a scan or from stored rows. */
export interface Sighting {
  /** `tool.rule` */
  readonly rule: string
  readonly path: string
  readonly symbol: string | null
  readonly signatures: Signatures
  readonly anchor: string
}

export interface KnownSighting extends Sighting {
  readonly id: string
  /** Someone said no to it. Only the very same code may end up in it. */
  readonly dismissed: boolean
}

/** `exact` and `renamed` are certain; `similar` and `moved` are not, and never meet a dismissed row. */
export type MatchedBy = "exact" | "renamed" | "similar" | "moved"

export interface Match {
  readonly id: string
  /** Index into `current`. */
  readonly index: number
  readonly by: MatchedBy
}

export interface Matching {
  readonly matches: ReadonlyArray<Match>
  /** Indexes into `current` that nothing known fits. */
  readonly fresh: ReadonlyArray<number>
  /** Ids of known ones that were not seen. */
  readonly unseen: ReadonlyArray<string>
}

const MIN_SIMILARITY = 0.8

/**
 * Pair what a scan found with what is known of the same repository. `renames` maps old paths to new ones, as git
 * tells between the two commits. Each side is used at most once; the outcome does not depend on the order of rows.
 */
export const matchFingerprints = (
  previous: ReadonlyArray<KnownSighting>,
  current: ReadonlyArray<Sighting>,
  renames: ReadonlyMap<string, string> = new Map()
): Matching => {
  const state = new State(
    [...previous].sort((a, b) => compare(a.path, b.path) || compare(a.id, b.id)),
    current,
    renames
  )
  bySignature(state)
  byRenamedFile(state)
  byUniquePrimary(state)
  bySimilarity(state)
  byMovedCode(state)
  return state.outcome()
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

class State {
  readonly known: ReadonlyArray<KnownSighting>
  readonly current: ReadonlyArray<Sighting>
  private readonly renames: ReadonlyMap<string, string>
  private readonly matches: Array<Match> = []
  private readonly usedKnown = new Set<number>()
  private readonly usedCurrent = new Set<number>()

  constructor(
    known: ReadonlyArray<KnownSighting>,
    current: ReadonlyArray<Sighting>,
    renames: ReadonlyMap<string, string>
  ) {
    this.known = known
    this.current = current
    this.renames = renames
  }

  /** Where the file of a known row is now. */
  pathNow(row: KnownSighting): string {
    return this.renames.get(row.path) ?? row.path
  }

  openKnown(): Array<number> {
    return this.known.flatMap((_, i) => (this.usedKnown.has(i) ? [] : [i]))
  }

  openCurrent(): Array<number> {
    return this.current.flatMap((_, i) => (this.usedCurrent.has(i) ? [] : [i]))
  }

  pair(known: number, index: number, by: MatchedBy): void {
    if (this.usedKnown.has(known) || this.usedCurrent.has(index)) return
    this.usedKnown.add(known)
    this.usedCurrent.add(index)
    this.matches.push({ id: this.known[known]!.id, index, by })
  }

  outcome(): Matching {
    return {
      matches: this.matches.sort((a, b) => a.index - b.index),
      fresh: this.openCurrent(),
      unseen: this.openKnown().map((i) => this.known[i]!.id)
    }
  }
}

const groupBy = (indexes: ReadonlyArray<number>, key: (index: number) => string): Map<string, Array<number>> => {
  const groups = new Map<string, Array<number>>()
  for (const index of indexes) {
    const group = groups.get(key(index))
    if (group === undefined) groups.set(key(index), [index])
    else group.push(index)
  }
  return groups
}

/** Same file, symbol and code; then any place they have in common, when one of several was mended. */
const bySignature = (state: State): void => {
  const located = new Map<string, number>()
  for (const i of state.openKnown()) located.set(state.known[i]!.signatures.located, i)
  for (const c of state.openCurrent()) {
    const i = located.get(state.current[c]!.signatures.located)
    if (i !== undefined) state.pair(i, c, "exact")
  }
  const sites = new Map<string, number>()
  for (const i of state.openKnown()) {
    const { signatures } = state.known[i]!
    for (const site of [signatures.located, ...signatures.sites]) if (!sites.has(site)) sites.set(site, i)
  }
  for (const c of state.openCurrent()) {
    const { signatures } = state.current[c]!
    const shared = [signatures.located, ...signatures.sites].find((site) => sites.has(site))
    if (shared !== undefined) state.pair(sites.get(shared)!, c, "exact")
  }
}

/** Same symbol and code in the file's new name. */
const byRenamedFile = (state: State): void => {
  const key = (path: string, primary: string) => `${path}\u0000${primary}`
  const known = groupBy(state.openKnown(), (i) =>
    key(state.pathNow(state.known[i]!), state.known[i]!.signatures.primary)
  )
  for (const c of state.openCurrent()) {
    const { path, signatures } = state.current[c]!
    const i = known.get(key(path, signatures.primary))?.shift()
    if (i !== undefined) state.pair(i, c, "renamed")
  }
}

/** Same symbol and code, in one place before and in one place now: a rename that git did not tell. */
const byUniquePrimary = (state: State): void =>
  uniquePairs(
    state,
    ({ signatures }) => signatures.primary,
    // Without a symbol the code alone decides, and short code is found in many files.
    (row) => (row.symbol === null ? "moved" : "renamed")
  )

/** Same code under another symbol, in one place before and in one place now. */
const byMovedCode = (state: State): void =>
  uniquePairs(
    state,
    ({ signatures }) => signatures.moved,
    () => "moved"
  )

const uniquePairs = (
  state: State,
  key: (sighting: Sighting) => string,
  by: (row: KnownSighting) => MatchedBy
): void => {
  const known = groupBy(state.openKnown(), (i) => key(state.known[i]!))
  const current = groupBy(state.openCurrent(), (c) => key(state.current[c]!))
  for (const [signature, rows] of known) {
    const found = current.get(signature)
    if (rows.length !== 1 || found?.length !== 1) continue
    const row = state.known[rows[0]!]!
    const kind = by(row)
    if (kind === "renamed" || !row.dismissed) state.pair(rows[0]!, found[0]!, kind)
  }
}

/** Same rule and symbol in the same file, with code that was edited. The most similar pairs go first. */
const bySimilarity = (state: State): void => {
  const key = (rule: string, path: string, symbol: string | null) => [rule, path, symbol ?? ""].join("\u0000")
  const known = groupBy(
    state.openKnown().filter((i) => !state.known[i]!.dismissed),
    (i) => key(state.known[i]!.rule, state.pathNow(state.known[i]!), state.known[i]!.symbol)
  )
  const candidates: Array<{ readonly i: number; readonly c: number; readonly score: number }> = []
  for (const c of state.openCurrent()) {
    const { rule, path, symbol, anchor } = state.current[c]!
    for (const i of known.get(key(rule, path, symbol)) ?? []) {
      const score = similarity(state.known[i]!.anchor, anchor)
      if (score >= MIN_SIMILARITY) candidates.push({ i, c, score })
    }
  }
  candidates.sort((a, b) => b.score - a.score || a.i - b.i || a.c - b.c)
  for (const { i, c } of candidates) state.pair(i, c, "similar")
}
