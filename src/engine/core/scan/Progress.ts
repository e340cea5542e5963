export type ScanStage = "inventory" | "scan" | "verify"

export interface ScanProgress {
  readonly stage: ScanStage
  readonly done: number
  readonly total: number
  readonly lines: number
}

export interface ProgressHooks {
  readonly onStage?: (stage: ScanStage) => void
  readonly onProgress?: (progress: ScanProgress) => void
}

/** How far a scan has come, and the most memory it has used. */
export class Progress {
  private readonly hooks: ProgressHooks
  private readonly lines: () => number
  private stage: ScanStage = "inventory"
  private done = 0
  private total = 0
  private peakRss = 0

  constructor(hooks: ProgressHooks, lines: () => number) {
    this.hooks = hooks
    this.lines = lines
  }

  enter(stage: ScanStage, total: number): void {
    this.stage = stage
    this.done = 0
    this.total = total
    this.hooks.onStage?.(stage)
    this.advance(0)
  }

  advance(files: number): void {
    this.done += files
    this.peakRssBytes()
    const { stage, done, total } = this
    this.hooks.onProgress?.({ stage, done, total, lines: this.lines() })
  }

  peakRssBytes(): number {
    this.peakRss = Math.max(this.peakRss, process.memoryUsage.rss())
    return this.peakRss
  }
}
