import type { AuditTool } from "../tool/AuditTool.ts"
import type { ProgressHooks } from "./Progress.ts"
import type { ScanSettings } from "./ScanSettings.ts"

export interface ScanOptions extends ScanSettings, ProgressHooks {
  /** Called with the number of files to be analysed, before any thread starts. */
  readonly beforeReading?: (files: number) => void
  /** Other tools than the catalogue's; a module when they have to run in threads. For tests of the engine. */
  readonly tools?: ReadonlyArray<AuditTool>
  readonly toolsModule?: string
  readonly stuckAfterCpuMs?: number
}
