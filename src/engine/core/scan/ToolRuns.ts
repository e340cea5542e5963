import { compareText } from "../text/compareText.ts"
import type { ToolDescription } from "../tool/AuditTool.ts"
import type { FileOutcome, ToolFailure } from "./Inspector.ts"
import type { ToolOutcome } from "./ScanResult.ts"

/** How the tools got on with the files of a scan, and with all of them together. */
export class ToolRuns {
  private readonly failed: Array<ToolFailure> = []
  private readonly ranOn = new Map<string, number>()
  private readonly concludeErrors = new Map<string, string>()
  /** Tools whose rules over all files came to an end. */
  finished: ReadonlyArray<string> = []

  add({ failures, ran }: Pick<FileOutcome, "failures" | "ran">): void {
    this.fail(...failures)
    for (const id of ran) this.ranOn.set(id, (this.ranOn.get(id) ?? 0) + 1)
  }

  fail(...failures: ReadonlyArray<ToolFailure>): void {
    this.failed.push(...failures)
  }

  conclude(finished: ReadonlyArray<string>, errors: ReadonlyArray<readonly [tool: string, message: string]>): void {
    this.finished = finished
    for (const [id, message] of errors) this.concludeErrors.set(id, message)
  }

  get failures(): ReadonlyArray<ToolFailure> {
    return [...this.failed].sort((a, b) => compareText(a.tool, b.tool) || compareText(a.path, b.path))
  }

  outcomeOf({ id, version, domain }: ToolDescription): ToolOutcome {
    const failed = this.failures.filter(({ tool }) => tool === id)
    const concludeError = this.concludeErrors.get(id)
    const base = { id, version, domain }
    if (concludeError !== undefined) return { ...base, status: "failed", error: concludeError }
    const [first] = failed
    if (first === undefined) return { ...base, status: "completed" }
    const ran = this.ranOn.get(id) ?? 0
    const error = `${failed.length} of ${ran} files, first ${first.path}: ${first.message}`
    return { ...base, status: failed.length >= ran ? "failed" : "degraded", error }
  }
}
