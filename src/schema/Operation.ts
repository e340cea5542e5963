import type { Feature } from "./Feature.ts"
import type { Scope } from "./Key.ts"

/** Calls per minute of one counter; operations naming the same bucket share it. */
export interface Bucket {
  readonly name: string
  readonly rpm: number
}

/** One thing a caller may do. Plain data: the guard enforces it; the REST API, the MCP server and the documents name it. */
export interface Operation {
  /** `area.verb` */
  readonly name: string
  /** One sentence, a verb first, under 120 characters. */
  readonly summary: string
  /** All are needed. */
  readonly scopes: ReadonlyArray<Scope>
  /** `spend` draws on the hourly ceiling. */
  readonly access: "read" | "write" | "spend"
  /** A write that replaces or takes away what was there; without it a write only adds. */
  readonly destructive?: true
  /** A write that has no further effect when it is repeated with the same input. Reads never have one. */
  readonly idempotent?: true
  /** Reaches systems beyond this service: a git remote, a code host, a ticket tracker. */
  readonly openWorld?: true
  /** Its service reserves the forecast, and rejects the call exactly when that does not fit. */
  readonly reserves?: true
  readonly bucket?: Bucket
  /** `session`: signed-in people only; `key`: API keys only; `anyone`: no credentials needed. */
  readonly only?: "session" | "key" | "anyone"
  /** People may do it while their workspace is suspended. */
  readonly whileSuspended?: true
  /** Feature that the workspace must have switched on, on a plan that has it. */
  readonly beta?: Feature
}

export const operation = <const O extends Operation>(o: O): O & Operation => o
