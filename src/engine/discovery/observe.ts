import { availableParallelism } from "node:os"
import { ruleSetHash } from "../core/cache/ruleSet.ts"
import { ScanCache } from "../core/cache/ScanCache.ts"
import { termsKey } from "../core/files/FileTerms.ts"
import type { Inventory } from "../core/files/Inventory.ts"
import type { Selection } from "../core/files/selection.ts"
import { builtFile } from "../core/process/builtFile.ts"
import { openPool } from "../core/process/Pool.ts"
import { Batches } from "../core/scan/Batches.ts"
import type { FileOutcome } from "../core/scan/Inspector.ts"
import type { TreeEntry, TreeSource } from "../core/source/TreeSource.ts"
import { compareText } from "../core/text/compareText.ts"
import type { AuditTool } from "../core/tool/AuditTool.ts"
import { headOf } from "./largePrograms.ts"
import { type ObservedFile, ObservedFiles } from "./Observed.ts"

export interface ObservationOptions {
  readonly workers?: number
  /** Observe with these, in this thread. For tests of what is observed. */
  readonly observers?: ReadonlyArray<AuditTool>
  /** Folder in which one discovery of this repository leaves what the next one need not observe again. */
  readonly cache?: string
  /** Parts of paths that look like credentials: what holds one is not kept. */
  readonly secrets: ReadonlyArray<string>
  readonly onProgress?: (done: number, total: number) => void
}

export interface Observation {
  readonly files: ReadonlyArray<ObservedFile>
  readonly failures: ReadonlyArray<{ readonly path: string; readonly message: string }>
  /** Files that were not observed again, since neither they nor the observers have changed. */
  readonly reused: number
}

const MAX_WORKERS = 4
/** Fewer files than these take less processor time than the start of another thread. */
const FILES_OF_WORKER = 300

/** What the observers report of each selected file. It is the same whether it comes from the cache or not. */
export const observe = async (
  source: TreeSource,
  { entries, terms }: Pick<Selection, "entries" | "terms">,
  inventory: Inventory,
  options: ObservationOptions
): Promise<Observation> => {
  const files = new ObservedFiles()
  const failures: Array<Observation["failures"][number]> = []
  const cache =
    options.cache === undefined ? null : new ScanCache(options.cache, "discovery", observersKey(), { keepsPart: true })
  const keyOf = (path: string, blob: string): string => `${blob} ${termsKey(terms.of(path))}`
  let done = 0
  const take = (outcome: FileOutcome): void => {
    done++
    if (outcome.skipped !== null) inventory.skip(outcome.path, outcome.skipped)
    if (outcome.skipped === "binary") return
    files.add(outcome, outcome.facts[0]?.json ?? "{}")
    failures.push(...outcome.failures.map(({ path, message }) => ({ path, message })))
  }
  const changed: Array<TreeEntry> = []
  cache?.begin(options.secrets)
  for (const entry of entries) {
    const key = cache === null ? "" : keyOf(entry.path, entry.blob)
    const outcome = cache?.outcome(entry.path, key) ?? null
    if (outcome === null) changed.push(entry)
    else {
      cache?.keepKnown(entry.path, key)
      take(outcome)
    }
  }
  cache?.release()
  const reused = done
  const module = builtFile(import.meta.url.replace(/\/discovery\/(?=[^/]*$)/, "/core/process/"), "observers")
  const pool = openPool({
    size: workersFor(changed.length, options.workers),
    worker: { suite: "full", suggestions: true, only: null, salt: "", toolsModule: module?.href ?? null },
    inThread: options.observers ?? (module === null ? (await import("../core/process/observers.ts")).tools : null),
    onOutcome: (outcome, batch) => {
      if (outcome.type !== "inspect" || batch.type !== "inspect") return
      const blobs = new Map(batch.files.map(({ path, blob }) => [path, blob]))
      for (const file of outcome.files) {
        cache?.keepOutcome(keyOf(file.path, blobs.get(file.path)!), file)
        take(file)
      }
      options.onProgress?.(done, entries.length)
    },
    onStuck: (batch, index, reason) => {
      if (batch.type === "inspect") inventory.skip(batch.files[index]!.path, reason)
    }
  })
  try {
    const batches = new Batches(source, pool)
    await batches.runFiles(changed, terms, headOf, (id, files) => ({ type: "inspect", id, files }))
    cache?.finish()
  } finally {
    cache?.abandon()
    await pool.close()
  }
  failures.sort((a, b) => compareText(a.path, b.path))
  return { files: files.inOrder, failures, reused }
}

const workersFor = (files: number, asked = Math.min(availableParallelism(), MAX_WORKERS)): number =>
  Math.max(1, Math.min(asked, 16, Math.ceil(files / FILES_OF_WORKER)))

const observersKey = (): string => ruleSetHash({ salt: "", tools: "observers" })
