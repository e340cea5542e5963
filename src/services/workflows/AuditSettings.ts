import { Context } from "effect"
import type { ScanLimits } from "../../engine/index.ts"

export class AuditSettings extends Context.Tag("AuditSettings")<
  AuditSettings,
  {
    readonly limits: Partial<ScanLimits>
    readonly workers: number | undefined
    readonly cpuSecondUsd: number
    /** Mixed into the digests of secrets: one value per installation. */
    readonly salt: string
    /** Folder of imported advisories. */
    readonly advisories: string | null
  }
>() {}
