import { Schema } from "effect"
import { DiscoveryOutput } from "../../schema/Discovery.ts"
import { LeftOutKind } from "../core/scan/ScanResult.ts"

/** What a discovery says, as it crosses from its process. */
export const DiscoveryResult = Schema.Struct({
  output: DiscoveryOutput,
  skipped: Schema.Record({ key: Schema.String, value: Schema.Int }),
  /** By reason, with what was done instead and the first files. */
  left_out: Schema.Array(LeftOutKind),
  /** Files that could not be observed, with the reason. */
  failures: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
  /** Files whose observations the discovery before left in the cache. */
  reused_files: Schema.Int,
  cpu_seconds: Schema.Number,
  wall_ms: Schema.Int,
  peak_rss_bytes: Schema.Int
})
export type DiscoveryResult = typeof DiscoveryResult.Type
