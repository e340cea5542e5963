import { hash } from "node:crypto"
import { lowerBound } from "../../languages/tree/FlatTree.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { REDACTED } from "../../secrets/redact.ts"
import type { SourceFile } from "../files/SourceFile.ts"

const FINGERPRINT_VERSION = 1

/**
 * Ways to know a finding again. All are hexadecimal digests and none contains a line number.
 *
 * - `located` is bound to the path and unique within one scan: the key to store.
 * - `primary` is not bound to the path, so it survives a renamed file. Equal code in two files shares it.
 * - `moved` is the code alone, without its symbol.
 * - `sites` are the `located` signatures of the further places of a grouped finding.
 */
export interface Signatures {
  readonly version: number
  readonly primary: string
  readonly located: string
  readonly moved: string
  readonly sites: ReadonlyArray<string>
}

export interface Anchor {
  /** Tokens of the flagged code on one line, cut to a length fit for comparison; secrets are not in it. */
  readonly text: string
  /** Digest of all tokens; secrets take part as a salted digest. */
  readonly hash: string
}

export const MAX_ANCHOR_TEXT = 1_500
const separator = "\u0000"

export const digest = (...parts: ReadonlyArray<string>): string =>
  hash("sha256", parts.join(separator), "hex").slice(0, 40)

/** Leaves of the tree in the range, without comments; without a tree, words and marks. */
const tokensIn = (file: SourceFile, start: number, end: number): ReadonlyArray<Range> => {
  const tree = file.tree
  const tokens: Array<Range> = []
  if (tree === null) {
    const pattern = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu
    pattern.lastIndex = start
    for (let match = pattern.exec(file.text); match !== null && match.index < end; match = pattern.exec(file.text)) {
      tokens.push([match.index, match.index + match[0].length])
    }
    return tokens
  }
  for (let n = lowerBound(tree.starts, start); n < tree.size && tree.starts[n]! < end; n++) {
    if (tree.isComment(n)) {
      n = tree.lastDescendant(n)
      continue
    }
    const isLeaf = n + 1 >= tree.size || tree.parents[n + 1] !== n
    if (isLeaf && tree.ends[n]! > tree.starts[n]! && tree.ends[n]! <= end) tokens.push([tree.starts[n]!, tree.ends[n]!])
  }
  return tokens
}

/** Marks that formatters add, remove or exchange do not make code different. */
const normalised = (tokens: ReadonlyArray<string>): ReadonlyArray<string> =>
  tokens
    .filter((token, i) => token !== ";" && !(token === "," && /^[)\]}]$/.test(tokens[i + 1] ?? "")))
    .map((token) => (token === "'" || token === "`" ? '"' : token))

const overlaps = (ranges: ReadonlyArray<Range>, [start, end]: Range): boolean =>
  ranges.some(([from, to]) => from < end && start < to)

/** `secrets` are ranges of the file whose text must not be kept in any readable form. */
export const anchorOf = (
  file: SourceFile,
  [start, end]: Range,
  secrets: ReadonlyArray<Range>,
  salt: string
): Anchor => {
  const words: Array<string> = []
  const hashed: Array<string> = []
  const push = (word: string, hash = word): void => {
    words.push(word)
    hashed.push(hash)
  }
  for (const token of tokensIn(file, start, end)) {
    const text = file.text.slice(token[0], token[1]).replace(/\s+/g, " ").trim()
    if (text === "") continue
    if (overlaps(secrets, token)) push(REDACTED, digest(salt, text))
    else push(text)
  }
  const kept = normalised(words)
  const digestInput = normalised(hashed)
  return { text: kept.join(" ").slice(0, MAX_ANCHOR_TEXT), hash: digest(...digestInput) }
}

/** The anchor of a thing that has a name of its own, whatever code it stands in. */
export const namedAnchor = (name: string): Anchor => ({
  text: name.slice(0, MAX_ANCHOR_TEXT),
  hash: digest("named", name)
})

export interface Identity {
  /** `tool.rule` */
  readonly rule_id: string
  /** The rule that stands for it where several rules report one thing by its urgency. */
  readonly identified_as?: string
  readonly file_path: string
  readonly symbol: string | null
  readonly anchor: Pick<Anchor, "hash">
  /** Position among findings equal in rule, path, symbol and code. */
  readonly ordinal: number
}

const VERSION_MARK = `v${FINGERPRINT_VERSION}`

const ruleOf = ({ rule_id, identified_as }: Pick<Identity, "rule_id" | "identified_as">): string =>
  identified_as ?? rule_id

export const locatedSignature = (identity: Identity): string => {
  const { file_path, symbol, anchor, ordinal } = identity
  return digest(VERSION_MARK, "located", ruleOf(identity), file_path, symbol ?? "", anchor.hash, String(ordinal))
}

export const signaturesOf = (identity: Identity): Signatures => {
  const { symbol, anchor, ordinal } = identity
  const rule = ruleOf(identity)
  return {
    version: FINGERPRINT_VERSION,
    primary: digest(VERSION_MARK, rule, symbol ?? "", anchor.hash, String(ordinal)),
    located: locatedSignature(identity),
    moved: digest(VERSION_MARK, "moved", rule, anchor.hash),
    sites: []
  }
}

/** Ordinals for findings in document order. */
export const withOrdinals = <A extends Omit<Identity, "ordinal">>(
  items: ReadonlyArray<A>
): ReadonlyArray<A & { readonly ordinal: number }> => {
  const seen = new Map<string, number>()
  return items.map((item) => {
    const key = [ruleOf(item), item.file_path, item.symbol ?? "", item.anchor.hash].join(separator)
    const ordinal = seen.get(key) ?? 0
    seen.set(key, ordinal + 1)
    return { ...item, ordinal }
  })
}

/** 0..1: how much of two anchors' words and pairs of words is shared (Dice, with multiplicity). */
export const similarity = (a: string, b: string): number => {
  if (a === b) return 1
  const left = gramsOf(a)
  const right = gramsOf(b)
  let shared = 0
  for (const [gram, count] of left.counts) shared += Math.min(count, right.counts.get(gram) ?? 0)
  const total = left.total + right.total
  return total === 0 ? 1 : (2 * shared) / total
}

const gramsOf = (anchor: string): { readonly counts: ReadonlyMap<string, number>; readonly total: number } => {
  const words = anchor === "" ? [] : anchor.split(" ")
  const counts = new Map<string, number>()
  let total = 0
  words.forEach((word, i) => {
    for (const gram of i === 0 ? [word] : [word, `${words[i - 1]} ${word}`]) {
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
      total++
    }
  })
  return { counts, total }
}
