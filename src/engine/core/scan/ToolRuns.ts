import { compareText } from "../text/compareText.ts"
import type { ToolDescription } from "../tool/AuditTool.ts"
import type { FileOutcome, ToolFailure } from "./Inspector.ts"
import type { ToolOutcome } from "./ScanResult.ts"

/** Which tools finished, failed or were degraded, on the files of a scan and in their cross-file passes. */
export class ToolRuns {
  private readonly failed: Array<ToolFailure> = []
  /** Files by the list of tools that apply to them, which many share. */
  private readonly ranOn = new Map<ReadonlyArray<string>, number>()
  private readonly passErrors = new Map<string, string>()
  /** Tools whose cross-file pass finished. */
  finished: ReadonlyArray<string> = []

  add({ failures, ran }: Pick<FileOutcome, "failures" | "ran">): void {
    this.fail(...failures)
    this.ranOn.set(ran, (this.ranOn.get(ran) ?? 0) + 1)
  }

  fail(...failures: ReadonlyArray<ToolFailure>): void {
    this.failed.push(...failures)
  }

  finish(finished: ReadonlyArray<string>, errors: ReadonlyArray<readonly [tool: string, message: string]>): void {
    this.finished = finished
    for (const [id, message] of errors) this.passErrors.set(id, message)
  }

  failuresOf(tools: ReadonlyArray<Pick<ToolDescription, "id">>): ReadonlyArray<ToolFailure> {
    const ids = new Set(tools.map(({ id }) => id))
    return this.failures.filter(({ tool }) => ids.has(tool))
  }

  private get failures(): ReadonlyArray<ToolFailure> {
    return [...this.failed].sort((a, b) => compareText(a.tool, b.tool) || compareText(a.path, b.path))
  }

  outcomeOf({ id, version, domain }: ToolDescription): ToolOutcome {
    const failed = this.failures.filter(({ tool }) => tool === id)
    const passError = this.passErrors.get(id)
    const base = { id, version, domain }
    if (passError !== undefined) return { ...base, status: "failed", error: passError }
    const [first] = failed
    if (first === undefined) return { ...base, status: "completed" }
    const ran = [...this.ranOn].reduce((sum, [tools, files]) => (tools.includes(id) ? sum + files : sum), 0)
    const error = `${failed.length} of ${ran} files, first ${first.path}: ${first.message}`
    return { ...base, status: failed.length >= ran ? "failed" : "degraded", error }
  }
}
