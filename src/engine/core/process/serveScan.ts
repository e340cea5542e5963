import { scan } from "../scan/Engine.ts"
import type { ScanStage } from "../scan/Progress.ts"
import { tuneCompiler } from "./compiler.ts"
import { converse, reportStage, throttled, write } from "./conversation.ts"
import { decodeRequest } from "./requests/scanRequest.ts"

/** Serves the one scan of the scanning process. */
export const serveScan = (): void =>
  converse(decodeRequest, (source, request) => {
    let lines = 0
    let stage: ScanStage = "inventory"
    const report = throttled(
      (done, total) => void write({ type: "progress", stage, done, total, lines, rssBytes: process.memoryUsage.rss() })
    )
    return scan(source, {
      ...request,
      beforeReading: tuneCompiler,
      onStage: reportStage,
      onProgress: (progress) => {
        lines = progress.lines
        stage = progress.stage
        report(progress.done, progress.total)
      }
    })
  })
