import { REDACTED } from "../../secrets/redact.ts"
import { MAX_ANCHOR_TEXT, type Signatures } from "./Fingerprint.ts"

/** What identity is decided from: plain data, whether it comes from a scan or from stored rows. */
export interface Occurrence {
  readonly rule_id: string
  readonly file_path: string
  readonly symbol: string | null
  readonly signatures: Signatures
  readonly anchor: string
}

const separator = "\u0000"

const segmentsOf = (symbol: string | null): ReadonlyArray<string> => (symbol ?? "").split(".")

export const symbolKey = ({ file_path, symbol }: Pick<Occurrence, "file_path" | "symbol">): string =>
  `${file_path}${separator}${symbol ?? ""}`

/**
 * The rule, the file and the code, in which the names of the enclosing symbols do not count: a finding about a function's
 * head contains its name. Redacted and truncated code is compared by its digest.
 */
export const renamedCode = ({ rule_id, file_path, symbol, anchor, signatures }: Occurrence): string => {
  const isWhole = anchor !== "" && anchor.length < MAX_ANCHOR_TEXT && !anchor.includes(REDACTED)
  const names = new Set(segmentsOf(symbol))
  const code = isWhole
    ? anchor
        .split(" ")
        .map((word) => (names.has(word) ? "$" : word))
        .join(" ")
    : signatures.moved
  return [rule_id, file_path, code].join(separator)
}

/** One of the enclosing names is another, and the others are the same. */
export const isRenameOf = (before: Pick<Occurrence, "symbol">, now: Pick<Occurrence, "symbol">): boolean => {
  const [old, current] = [segmentsOf(before.symbol), segmentsOf(now.symbol)]
  return old.length === current.length && old.filter((name, i) => name !== current[i]).length === 1
}
