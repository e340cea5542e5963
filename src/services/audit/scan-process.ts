import { tuneCompiler } from "./compiler.ts"
import { scan } from "./Engine.ts"
import { parseRequest, type ScanErrorReason, type ScanMessage, type SourceRequest } from "./scanRequest.ts"
import { gitObjects } from "./source/gitObjects.ts"
import { SourceError, type TreeSource } from "./source/TreeSource.ts"
import { workingTree } from "./source/workingTree.ts"

/** Entry of the scanning process: one request on standard input, messages on standard output, then it ends. */
const PROGRESS_EVERY_MS = 200
const WATCH_EVERY_MS = 250
const COST_EVERY_MS = 2000

const write = (message: ScanMessage): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()))

const readInput = async (): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const open = (source: SourceRequest): TreeSource =>
  source.kind === "git" ? gitObjects(source.gitDir, source.commit) : workingTree(source.root)

const fail = async (reason: ScanErrorReason, message: string): Promise<never> => {
  await write({ type: "error", reason, message })
  process.exit(1)
}

const main = async (): Promise<void> => {
  const request = parseRequest(await readInput())
  const { maxRssBytes = Number.POSITIVE_INFINITY } = request
  const watchMemory = () => {
    if (process.memoryUsage.rss() > maxRssBytes) {
      void fail("resource_limit", `The scan needed more than ${Math.round(maxRssBytes / 1e6)} MB of memory.`)
    }
  }
  watchMemory()
  setInterval(watchMemory, WATCH_EVERY_MS).unref()
  const before = process.cpuUsage()
  const tellCost = () => {
    const { user, system } = process.cpuUsage(before)
    void write({ type: "cost", cpu_seconds: (user + system) / 1e6 })
  }
  setInterval(tellCost, request.costEveryMs ?? COST_EVERY_MS).unref()
  const source = open(request.source)
  let lastReport = 0
  try {
    const result = await scan(source, {
      suite: request.suite,
      ...(request.workers === undefined ? {} : { workers: request.workers }),
      ...(request.salt === undefined ? {} : { salt: request.salt }),
      ...(request.watch === undefined ? {} : { watch: request.watch }),
      ...(request.suggestions === undefined ? {} : { suggestions: request.suggestions }),
      ...(request.cache === undefined ? {} : { cache: request.cache }),
      ...(request.spareCache === undefined ? {} : { spareCache: request.spareCache }),
      ...(request.focus === undefined ? {} : { focus: request.focus }),
      ...(request.advisories === undefined ? {} : { advisories: request.advisories }),
      beforeReading: tuneCompiler,
      onStage: (stage) => void write({ type: "stage", stage }),
      onProgress: (progress) => {
        const now = performance.now()
        if (progress.done < progress.total && now - lastReport < PROGRESS_EVERY_MS) return
        lastReport = now
        void write({ type: "progress", ...progress, rssBytes: process.memoryUsage.rss() })
      }
    })
    await write({ type: "result", result })
  } finally {
    await source.close()
  }
}

// A parent that died reads no more; there is nobody left to scan for.
process.stdout.on("error", () => process.exit(1))
main().then(
  () => process.exit(0),
  (error: unknown) =>
    error instanceof SourceError
      ? fail("repo_unavailable", error.message)
      : fail("internal", error instanceof Error ? error.message : String(error))
)
