import { scan } from "../scan/Engine.ts"
import { tuneCompiler } from "./compiler.ts"
import { converse, seldom, write } from "./conversation.ts"
import { parseRequest } from "./scanRequest.ts"

/** Entry of the scanning process. */
converse(parseRequest, (source, { source: _, maxRssBytes: __, costEveryMs: ___, ...options }) => {
  let lines = 0
  let stage: string = "inventory"
  const report = seldom(
    (done, total) => void write({ type: "progress", stage, done, total, lines, rssBytes: process.memoryUsage.rss() })
  )
  return scan(source, {
    ...options,
    beforeReading: tuneCompiler,
    onStage: (next) => void write({ type: "stage", stage: next }),
    onProgress: (progress) => {
      lines = progress.lines
      stage = progress.stage
      report(progress.done, progress.total)
    }
  })
})
