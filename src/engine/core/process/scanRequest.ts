import type { ScanProgress, ScanStage, Suite } from "../scan/Engine.ts"
import type { ScanResult } from "../scan/ScanResult.ts"

export type SourceRequest =
  | { readonly kind: "git"; readonly gitDir: string; readonly commit: string }
  | { readonly kind: "worktree"; readonly root: string }

/** What the scanning process reads, once, on standard input. */
export interface ScanRequest {
  readonly source: SourceRequest
  readonly suite: Suite
  readonly workers?: number
  /** Mixed into the digests of secrets, so that they cannot be looked up: one value per installation. */
  readonly salt?: string
  readonly suggestions?: boolean
  /** Folder for what the next scan of the same repository need not find out again. */
  readonly cache?: string
  readonly spareCache?: boolean
  /** Files whose findings no cap of a rule hides. */
  readonly focus?: ReadonlyArray<string>
  readonly maxRssBytes?: number
  /** Files whose fate the result must tell. */
  readonly watch?: ReadonlyArray<string>
  /** Folder of imported advisories; without it there is the built-in list. */
  readonly advisories?: string
  /** How often to tell the CPU time so far. */
  readonly costEveryMs?: number
}

export type ScanErrorReason = "repo_unavailable" | "resource_limit" | "timeout" | "internal"

/** What it writes, one JSON value a line, on standard output. */
export type ScanMessage =
  | { readonly type: "stage"; readonly stage: ScanStage }
  | ({ readonly type: "progress"; readonly rssBytes: number } & ScanProgress)
  | { readonly type: "cost"; readonly cpu_seconds: number }
  | { readonly type: "result"; readonly result: ScanResult }
  | { readonly type: "error"; readonly reason: ScanErrorReason; readonly message: string }

/** By hand: the scanning process starts in a third of the time when it loads no schema library. */
export const parseRequest = (text: string): ScanRequest => {
  const value: unknown = JSON.parse(text)
  if (typeof value !== "object" || value === null) throw new TypeError("The request is not an object.")
  const record = value as Record<string, unknown>
  const { source, suite, workers, salt, suggestions, cache, maxRssBytes, watch, advisories, costEveryMs } = record
  const { spareCache, focus } = record
  if (suite !== "standard" && suite !== "full") throw new TypeError('"suite" is "standard" or "full".')
  return {
    source: parseSource(source),
    suite,
    ...(typeof workers === "number" && Number.isInteger(workers) && workers > 0 ? { workers } : {}),
    ...(typeof salt === "string" ? { salt } : {}),
    ...(suggestions === true ? { suggestions } : {}),
    ...(typeof cache === "string" ? { cache } : {}),
    ...(spareCache === true ? { spareCache } : {}),
    ...(Array.isArray(focus) ? { focus: focus.filter((path) => typeof path === "string") } : {}),
    ...(typeof maxRssBytes === "number" && maxRssBytes > 0 ? { maxRssBytes } : {}),
    ...(typeof costEveryMs === "number" && costEveryMs > 0 ? { costEveryMs } : {}),
    ...(typeof advisories === "string" ? { advisories } : {}),
    ...(Array.isArray(watch) ? { watch: watch.filter((path) => typeof path === "string") } : {})
  }
}

const parseSource = (value: unknown): SourceRequest => {
  const { kind, gitDir, commit, root } = (value ?? {}) as Record<string, unknown>
  if (kind === "git" && typeof gitDir === "string" && typeof commit === "string") return { kind, gitDir, commit }
  if (kind === "worktree" && typeof root === "string") return { kind, root }
  throw new TypeError('"source" names neither a commit of a git folder nor a working tree.')
}
