import type { ChangedPaths } from "../../../changes/ChangeDescription.ts"
import { decodeFields, text } from "../../scan/ScanSettings.ts"
import { type Bounds, boundFields, decodeSource, isRecord, type SourceRequest } from "./scanRequest.ts"

/** What the process reads that describes a change. */
export interface ChangeRequest extends Bounds {
  /** The commit after the change. */
  readonly source: Extract<SourceRequest, { kind: "git" }>
  /** The commit before it. */
  readonly base: string
  readonly changes: ReadonlyArray<ChangedPaths>
}

const isPath = (value: unknown): value is string | null => value === null || typeof value === "string"

const decodeChange = (value: unknown): ChangedPaths => {
  const { base, head } = isRecord(value) ? value : {}
  if (!isPath(base) || !isPath(head))
    throw new TypeError('Every one of "changes" must have a path at the base and the head.')
  return { base, head }
}

export const decodeChangeRequest = (input: string): ChangeRequest => {
  const value: unknown = JSON.parse(input)
  if (!isRecord(value)) throw new TypeError("The request must be an object.")
  const source = decodeSource(value.source)
  const { base } = decodeFields({ base: text }, value)
  if (source.kind !== "git" || base === undefined || !Array.isArray(value.changes)) {
    throw new TypeError('"source", "base" and "changes" must name two commits and files of them.')
  }
  return { source, base, changes: value.changes.map(decodeChange), ...decodeFields(boundFields, value) }
}
