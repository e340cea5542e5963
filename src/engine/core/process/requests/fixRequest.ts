import type { FindingReference, FixSettings, FixStatus, FixTarget } from "../../fix/FixRequest.ts"
import { decodeFields, text } from "../../scan/ScanSettings.ts"
import { type Bounds, boundFields, decodeSource, isRecord, type SourceRequest } from "./scanRequest.ts"

/** What the fixing process reads, once, on standard input. */
export interface FixProcessRequest extends FixSettings, Bounds {
  readonly source: SourceRequest
  /** Fixed one after the other, each in the tree that the ones before it left. */
  readonly targets: ReadonlyArray<FixTarget>
}

/** A file as it crosses from the process. */
export interface ProposedFile {
  readonly path: string
  /** Base64; null for a file that is removed. */
  readonly content: string | null
  /** Unified, with secrets redacted. */
  readonly diff: string
}

/** What it writes as its result. */
export interface FixProcessResult {
  readonly outcomes: ReadonlyArray<FixStatus>
  readonly files: ReadonlyArray<ProposedFile>
}

const fixFields = { salt: text, advisories: text }

const names = ["primary", "located", "moved"] as const

const isFinding = (value: unknown): value is FindingReference => {
  const { signatures, locations } = isRecord(value) ? value : {}
  const isLocation = (one: unknown) =>
    isRecord(one) && typeof one.file_path === "string" && typeof one.line_start === "number"
  return (
    isRecord(signatures) &&
    names.every((name) => typeof signatures[name] === "string") &&
    Array.isArray(locations) &&
    locations.length > 0 &&
    locations.every(isLocation)
  )
}

const isTarget = (value: unknown): value is FixTarget =>
  isRecord(value) && typeof value.rule_id === "string" && isFinding(value.finding)

export const decodeFixRequest = (input: string): FixProcessRequest => {
  const value: unknown = JSON.parse(input)
  const { source, targets } = isRecord(value) ? value : {}
  if (!isRecord(value) || !Array.isArray(targets) || !targets.every(isTarget)) {
    throw new TypeError('"targets" must be rules with their findings.')
  }
  return { source: decodeSource(source), targets, ...decodeFields({ ...boundFields, ...fixFields }, value) }
}
