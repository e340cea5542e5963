import { compareText } from "../text/compareText.ts"
import { baseName, folderOf } from "../text/paths.ts"
import { similarity } from "./Fingerprint.ts"
import { isRenameOf, type Occurrence, renamedCode, symbolKey } from "./renamedSymbol.ts"

export type { Occurrence } from "./renamedSymbol.ts"

export interface KnownOccurrence extends Occurrence {
  readonly id: string
  /** A user dismissed it: only the very same code matches it. */
  readonly dismissed: boolean
  /** It was absent from the scan before: it is not what is renamed now. */
  readonly absent?: boolean
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
  /** Indexes into `current` that match nothing known. */
  readonly fresh: ReadonlyArray<number>
  /** Ids of known ones that were not seen. */
  readonly unseen: ReadonlyArray<string>
  /** Those of them that one of the fresh ones may be: they cannot be called absent yet. */
  readonly ambiguous: ReadonlySet<string>
}

/** What two anchors must share at least, by what else they share. */
const SAME_SYMBOL = 0.45
const SAME_FILE = 0.6
/** Of anchors that differ in nothing but names. */
const SAME_SHAPE = 0.7
const SOME_WORDS = 0.2
const CERTAINLY_EDITED = 0.8

/**
 * Pair what a scan found with what is known of the same repository. `renames` maps old paths to new ones, as git
 * reports them between the two commits. Each side is used at most once; the outcome does not depend on the order of rows.
 */
export const matchFingerprints = (
  previous: ReadonlyArray<KnownOccurrence>,
  current: ReadonlyArray<Occurrence>,
  renames: ReadonlyMap<string, string> = new Map()
): Matching => {
  const state = new State(
    [...previous].sort((a, b) => compareText(a.file_path, b.file_path) || compareText(a.id, b.id)),
    current,
    renames
  )
  bySignature(state)
  byRenamedFile(state)
  byUniquePrimary(state)
  byLikeness(state, ({ file_path, symbol }) => [file_path, symbol ?? ""], CERTAINLY_EDITED)
  byRenamedSymbol(state)
  bySameCode(state, ({ file_path }) => file_path)
  byMovedCode(state)
  bySameCode(state, ({ file_path }) => baseName(file_path))
  bySameCode(state, ({ file_path }) => folderOf(file_path))
  byLikeness(state, ({ file_path, symbol }) => [file_path, symbol ?? ""], SAME_SYMBOL)
  byLikeness(state, ({ file_path }) => [file_path], SAME_FILE, "left alone")
  return state.outcome()
}

class State {
  readonly known: ReadonlyArray<KnownOccurrence>
  readonly current: ReadonlyArray<Occurrence>
  private readonly renames: ReadonlyMap<string, string>
  private readonly matches: Array<Match> = []
  private readonly usedKnown = new Set<number>()
  private readonly usedCurrent = new Set<number>()

  constructor(
    known: ReadonlyArray<KnownOccurrence>,
    current: ReadonlyArray<Occurrence>,
    renames: ReadonlyMap<string, string>
  ) {
    this.known = known
    this.current = current
    this.renames = renames
  }

  /** Where the file of a known row is now. */
  pathNow(row: KnownOccurrence): string {
    return this.renames.get(row.file_path) ?? row.file_path
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
      unseen: this.openKnown().map((i) => this.known[i]!.id),
      ambiguous: this.ambiguous()
    }
  }

  private ambiguous(): ReadonlySet<string> {
    const fresh = this.openCurrent().map((c) => this.current[c]!)
    const files = new Set(fresh.map(({ rule_id, file_path }) => `${rule_id} ${file_path}`))
    const codes = new Set(fresh.map(({ signatures }) => signatures.moved))
    const open = this.openKnown().map((i) => this.known[i]!)
    return new Set(
      open
        .filter((row) => files.has(`${row.rule_id} ${this.pathNow(row)}`) || codes.has(row.signatures.moved))
        .map(({ id }) => id)
    )
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

/** Same file, symbol and code; then any location they have in common, when one of several was fixed. */
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
    const { file_path, signatures } = state.current[c]!
    const i = known.get(key(file_path, signatures.primary))?.shift()
    if (i !== undefined) state.pair(i, c, "renamed")
  }
}

/** Same symbol and code, in one file before and in one file now: a rename that git did not report. */
const byUniquePrimary = (state: State): void =>
  uniquePairs(
    state,
    ({ signatures }) => signatures.primary,
    // Without a symbol the code alone decides, and short code is found in many files.
    (row) => (row.symbol === null ? "moved" : "renamed")
  )

/**
 * A dismissed row whose function or class has another name now, in the same file: the code is the same, no other row and no
 * other finding can be meant, and neither name was or is beside the other.
 */
const byRenamedSymbol = (state: State): void => {
  const symbolsBefore = new Set(state.known.filter(isPresent).map(symbolKey))
  const symbolsNow = new Set(state.current.map(symbolKey))
  const known = groupBy(
    state.openKnown().filter((i) => isPresent(state.known[i]!)),
    (i) => renamedCode(state.known[i]!)
  )
  const current = groupBy(state.openCurrent(), (c) => renamedCode(state.current[c]!))
  for (const [code, rows] of known) {
    for (const [i, c] of renames(state, rows, current.get(code) ?? [])) {
      const [row, finding] = [state.known[i]!, state.current[c]!]
      const isRename = !symbolsNow.has(symbolKey(row)) && !symbolsBefore.has(symbolKey(finding))
      if (isRename && row.dismissed && row.file_path === state.pathNow(row)) state.pair(i, c, "renamed")
    }
  }
}

const isPresent = ({ absent }: KnownOccurrence): boolean => absent !== true

/** Rows and findings of the same code that can only be each other. */
const renames = (
  state: State,
  rows: ReadonlyArray<number>,
  found: ReadonlyArray<number>
): ReadonlyArray<readonly [known: number, current: number]> => {
  const named = rows.filter((i) => state.known[i]!.symbol !== null)
  const candidates = found.filter((c) => state.current[c]!.symbol !== null)
  if (rows.length === 1 && found.length === 1) return named.flatMap((i) => candidates.map((c) => [i, c] as const))
  const pairs = named.flatMap((i) =>
    candidates.filter((c) => isRenameOf(state.known[i]!, state.current[c]!)).map((c) => [i, c] as const)
  )
  return pairs.filter(([i, c]) => pairs.every(([j, d]) => (i === j) === (c === d)))
}

/** Same code under another symbol, in one file before and in one file now. */
const byMovedCode = (state: State): void =>
  uniquePairs(
    state,
    ({ signatures }) => signatures.moved,
    () => "moved"
  )

const uniquePairs = (
  state: State,
  key: (occurrence: Occurrence) => string,
  by: (row: KnownOccurrence) => MatchedBy
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

type Scope = Pick<Occurrence, "file_path" | "symbol">

/** Candidates that share a scope, each with how alike they are; the most alike go first. */
const pairAlike = (
  state: State,
  by: MatchedBy,
  key: (occurrence: Occurrence, scope: Scope) => string,
  alike: (row: Occurrence, found: Occurrence) => number,
  { atLeast, ties }: { readonly atLeast: number; readonly ties: "in order" | "left alone" }
): void => {
  const nowOf = (row: KnownOccurrence): Scope => ({ file_path: state.pathNow(row), symbol: row.symbol })
  const known = groupBy(
    state.openKnown().filter((i) => !state.known[i]!.dismissed),
    (i) => key(state.known[i]!, nowOf(state.known[i]!))
  )
  const candidates: Array<{ readonly i: number; readonly c: number; readonly score: number }> = []
  for (const c of state.openCurrent()) {
    const found = state.current[c]!
    for (const i of known.get(key(found, found)) ?? []) {
      const score = alike(state.known[i]!, found)
      if (score >= atLeast) candidates.push({ i, c, score })
    }
  }
  candidates.sort((a, b) => b.score - a.score || a.i - b.i || a.c - b.c)
  /** Those of which two are equally the best. */
  const tiedOn = (of: (candidate: (typeof candidates)[number]) => number) => {
    const tied = new Set<number>()
    const scores = new Map<number, number>()
    for (const candidate of candidates) {
      const known = scores.get(of(candidate))
      if (known === undefined) scores.set(of(candidate), candidate.score)
      else if (known === candidate.score) tied.add(of(candidate))
    }
    return tied
  }
  const [tiedKnown, tiedFound] = ties === "in order" ? [] : [tiedOn(({ i }) => i), tiedOn(({ c }) => c)]
  for (const { i, c } of candidates) if (!tiedKnown?.has(i) && !tiedFound?.has(c)) state.pair(i, c, by)
}

/** Same rule in the same scope, with code that was edited. */
const byLikeness = (
  state: State,
  scopeOf: (scope: Scope) => ReadonlyArray<string>,
  atLeast: number,
  ties: "in order" | "left alone" = "in order"
): void =>
  pairAlike(
    state,
    "similar",
    ({ rule_id }, scope) => [rule_id, ...scopeOf(scope)].join("\u0000"),
    (row, found) => likeness(row.anchor, found.anchor),
    { atLeast, ties }
  )

/** Same code in the same scope under another symbol; of several, those whose symbols are alike, where that decides. */
const bySameCode = (state: State, scopeOf: (scope: Scope) => string): void =>
  pairAlike(
    state,
    "moved",
    ({ signatures }, scope) => [signatures.moved, scopeOf(scope)].join("\u0000"),
    (row, found) => similarity(spelled(row.symbol), spelled(found.symbol)),
    { atLeast: 0, ties: "left alone" }
  )

const spelled = (symbol: string | null): string => [...(symbol ?? "")].join(" ")

const likeness = (a: string, b: string): number => {
  const score = similarity(a, b)
  // A lone name has the shape of every other.
  const isOpen = score < SAME_SHAPE && score >= SOME_WORDS
  return isOpen && shapeOf(a) === shapeOf(b) ? SAME_SHAPE : score
}

/** The code with its names numbered as they come. */
const shapeOf = (anchor: string): string => {
  const numbers = new Map<string, number>()
  return anchor
    .split(" ")
    .map((word) => {
      if (!/^[\p{L}_$]/u.test(word)) return word
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return `$${number}`
    })
    .join(" ")
}
