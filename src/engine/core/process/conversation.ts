import { basename } from "node:path"
import { redactCredentials } from "../../secrets/redact.ts"
import { gitObjects } from "../source/gitObjects.ts"
import { plainFolder } from "../source/plainFolder.ts"
import { SourceError, type TreeSource } from "../source/TreeSource.ts"
import { workingTree } from "../source/workingTree.ts"
import { childSpans } from "../trace/childSpans.ts"
import { isDiskFull } from "./diskFull.ts"
import { type Bounds, decodeSource, type ScanErrorReason, type SourceRequest } from "./requests/scanRequest.ts"

/** The child's side of what `ScanProcess` starts: one request on standard input, messages on standard output, the end. */
const WATCH_EVERY_MS = 250
const COST_EVERY_MS = 2000
const PROGRESS_EVERY_MS = 200

export const write = (message: unknown): Promise<void> =>
  new Promise((resolve) => process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve()))

const spans = childSpans(process.env.TRACEPARENT, basename(process.argv[1] ?? "").replace(/\.c?js$/, ""))

export const reportStage = (stage: string): void => {
  spans?.stage(stage)
  void write({ type: "stage", stage })
}

const reportSpans = async (): Promise<void> => {
  if (spans !== null) await write({ type: "spans", spans: spans.end() })
}

const readInput = async (): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

const open = (source: SourceRequest): TreeSource => {
  switch (source.kind) {
    case "git":
      return gitObjects(source.gitDir, source.commit)
    case "worktree":
      return workingTree(source.root)
    case "folder":
      return plainFolder(source.root)
  }
}

/** The source that the request will most likely name, by the process's argument: its files are listed meanwhile. */
const openAhead = (argument: string | undefined): ((request: SourceRequest) => TreeSource) => {
  if (argument === undefined) return open
  const likely = open(decodeSource(JSON.parse(argument)))
  // Where this fails, it fails again for the one who asks.
  likely.list().catch(() => undefined)
  return (request) => (JSON.stringify(request) === argument ? likely : open(request))
}

const fail = async (reason: ScanErrorReason, message: string): Promise<never> => {
  await reportSpans()
  await write({ type: "error", reason, message })
  process.exit(1)
}

const reasonOf = (error: unknown): ScanErrorReason => {
  if (isDiskFull(error)) return "disk_full"
  return error instanceof SourceError ? "repo_unavailable" : "internal"
}

const watch = ({ maxRssBytes = Number.POSITIVE_INFINITY, costEveryMs = COST_EVERY_MS }: Bounds): void => {
  const watchMemory = () => {
    if (process.memoryUsage.rss() > maxRssBytes) {
      void fail("resource_limit", `The scan needed more than ${Math.round(maxRssBytes / 1e6)} MB of memory.`)
    }
  }
  watchMemory()
  setInterval(watchMemory, WATCH_EVERY_MS).unref()
  const before = process.cpuUsage()
  const reportCost = () => {
    const { user, system } = process.cpuUsage(before)
    void write({ type: "cost", cpu_seconds: (user + system) / 1e6 })
  }
  setInterval(reportCost, costEveryMs).unref()
}

/** Throttles progress, since the reader has other things to do; the last step is always reported. */
export const throttled = (report: (done: number, total: number) => void) => {
  let last = 0
  return (done: number, total: number): void => {
    const now = performance.now()
    if (done < total && now - last < PROGRESS_EVERY_MS) return
    last = now
    report(done, total)
  }
}

/** Serves the one request and ends the process. */
export const converse = <R extends Bounds & { readonly source: SourceRequest }>(
  decode: (text: string) => R,
  serve: (source: TreeSource, request: R) => Promise<unknown>
): void => {
  const openSource = openAhead(process.argv[2])
  const main = async (): Promise<void> => {
    const request = decode(await readInput())
    watch(request)
    const source = openSource(request.source)
    try {
      const result = await serve(source, request)
      await reportSpans()
      await write({ type: "result", result })
    } finally {
      await source.close()
    }
  }
  // A parent that died reads no more; there is no one left to work for.
  process.stdout.on("error", () => process.exit(1))
  main().then(
    () => process.exit(0),
    (error: unknown) => fail(reasonOf(error), redactCredentials(error instanceof Error ? error.message : String(error)))
  )
}
