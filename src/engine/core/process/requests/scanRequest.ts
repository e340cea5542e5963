import type { ScanProgress, ScanStage } from "../../scan/Progress.ts"
import type { ScanResult } from "../../scan/ScanResult.ts"
import { type Decoded, decodeFields, decodeSettings, positive, type ScanSettings } from "../../scan/ScanSettings.ts"

export type SourceRequest =
  | { readonly kind: "git"; readonly gitDir: string; readonly commit: string }
  | { readonly kind: "worktree"; readonly root: string }
  /** A folder as it lies there, whether it is in a git repository or not. */
  | { readonly kind: "folder"; readonly root: string }

/** What the process watches over while it works. */
export const boundFields = {
  maxRssBytes: positive,
  /** How often to report the CPU time so far. */
  costEveryMs: positive
}

export type Bounds = Decoded<typeof boundFields>

/** What the scanning process reads, once, on standard input. */
export interface ScanRequest extends ScanSettings, Bounds {
  readonly source: SourceRequest
}

export type ScanErrorReason = "repo_unavailable" | "resource_limit" | "disk_full" | "timeout" | "internal"

/** What it writes, one JSON value a line, on standard output. */
export type ScanMessage =
  | { readonly type: "stage"; readonly stage: ScanStage }
  | ({ readonly type: "progress"; readonly rssBytes: number } & ScanProgress)
  | { readonly type: "cost"; readonly cpu_seconds: number }
  | { readonly type: "result"; readonly result: ScanResult }
  | { readonly type: "error"; readonly reason: ScanErrorReason; readonly message: string }

export const decodeRequest = (text: string): ScanRequest => {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) throw new TypeError("The request must be an object.")
  const { source } = value
  return { source: decodeSource(source), ...decodeSettings(value), ...decodeFields(boundFields, value) }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export const decodeSource = (value: unknown): SourceRequest => {
  const { kind, gitDir, commit, root } = isRecord(value) ? value : {}
  if (kind === "git" && typeof gitDir === "string" && typeof commit === "string") return { kind, gitDir, commit }
  if ((kind === "worktree" || kind === "folder") && typeof root === "string") return { kind, root }
  throw new TypeError('"source" must name a commit of a git folder, or a working tree.')
}
