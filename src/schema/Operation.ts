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
  /** Its service reserves the forecast, and rejects the call exactly when that does not fit. */
  readonly reserves?: true
  readonly bucket?: Bucket
  /** `session`: signed-in people only; `key`: API keys only; `anyone`: no credentials needed. */
  readonly only?: "session" | "key" | "anyone"
  /** Feature that the workspace must have switched on. */
  readonly beta?: string
}

export const operation = <const O extends Operation>(o: O): O & Operation => o
