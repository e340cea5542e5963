import { availableParallelism } from "node:os"
import { Inventory } from "../core/files/Inventory.ts"
import { type Selection, selected } from "../core/files/selection.ts"
import { builtFile } from "../core/process/builtFile.ts"
import { openPool } from "../core/process/Pool.ts"
import { Batches } from "../core/scan/Batches.ts"
import type { FileOutcome } from "../core/scan/Inspector.ts"
import type { TreeSource } from "../core/source/TreeSource.ts"
import { compareText } from "../core/text/compareText.ts"
import { RedactedPaths } from "../secrets/RedactedPaths.ts"
import { redactTexts } from "../secrets/redact.ts"
import { Check } from "./check.ts"
import { citationsOf, composed, draftOf } from "./compose.ts"
import type { DiscoveryResult } from "./DiscoveryResult.ts"
import { ObservedFiles } from "./Observed.ts"
import { type Commit, Survey } from "./Survey.ts"

export type DiscoveryStage = "inventory" | "observe" | "write"

export interface DiscoveryOptions {
  readonly workers?: number
  readonly history?: () => Promise<ReadonlyArray<Commit>>
  readonly onStage?: (stage: DiscoveryStage) => void
  readonly onProgress?: (done: number, total: number) => void
}

const MAX_WORKERS = 4
const MAX_FAILURES = 50

/**
 * What is known of a tree without running or loading anything from it. It depends on the commit and its history only:
 * not on time, order or the number of workers.
 */
export const discover = async (source: TreeSource, options: DiscoveryOptions = {}): Promise<DiscoveryResult> => {
  const started = performance.now()
  const cpu = process.cpuUsage()
  const inventory = new Inventory()
  options.onStage?.("inventory")
  const { entries, terms } = await selected(source, inventory)
  const history = options.history?.() ?? Promise.resolve([])
  options.onStage?.("observe")
  const { files, failures } = await observe(source, { entries, terms }, inventory, options)
  options.onStage?.("write")
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const known = [...byPath.keys(), ...inventory.skippedPaths()]
  const paths = new RedactedPaths(known)
  const survey = new Survey(files, known, await history)
  const draft = draftOf(survey)
  const check = new Check(survey)
  await check.read(source, byPath, citationsOf(draft))
  const output = redactTexts(paths.redactIn(composed(survey, draft, check)))
  const used = process.cpuUsage(cpu)
  return {
    output,
    skipped: inventory.skippedCounts(),
    left_out: paths.redactIn(inventory.summaryOfLeftOut()),
    failures: failures.slice(0, MAX_FAILURES),
    cpu_seconds: (used.user + used.system) / 1e6,
    wall_ms: Math.round(performance.now() - started),
    peak_rss_bytes: process.resourceUsage().maxRSS * 1024
  }
}

const observe = async (
  source: TreeSource,
  { entries, terms }: Selection,
  inventory: Inventory,
  options: DiscoveryOptions
) => {
  const files = new ObservedFiles()
  const failures: Array<{ readonly path: string; readonly message: string }> = []
  const take = (outcome: FileOutcome): void => {
    if (outcome.skipped !== null) inventory.skip(outcome.path, outcome.skipped)
    if (outcome.skipped === "binary") return
    files.add(outcome, outcome.facts[0]?.json ?? "{}")
    failures.push(...outcome.failures.map(({ path, message }) => ({ path, message })))
  }
  let done = 0
  const module = builtFile(import.meta.url.replace(/\/discovery\/(?=[^/]*$)/, "/core/process/"), "observers")
  const pool = openPool({
    size: Math.max(1, Math.min(options.workers ?? Math.min(availableParallelism(), MAX_WORKERS), 16)),
    worker: { suite: "full", suggestions: true, salt: "", toolsModule: module?.href ?? null },
    inThread: module === null ? (await import("../core/process/observers.ts")).tools : null,
    onOutcome: (outcome) => {
      if (outcome.type !== "inspect") return
      for (const file of outcome.files) take(file)
      done += outcome.files.length
      options.onProgress?.(done, entries.length)
    },
    onStuck: (batch, index, reason) => {
      if (batch.type === "inspect") inventory.skip(batch.files[index]!.path, reason)
    }
  })
  try {
    const batches = new Batches(source, pool)
    await batches.runFiles(
      entries,
      terms,
      (input) => input,
      (id, files) => ({ type: "inspect", id, files })
    )
  } finally {
    await pool.close()
  }
  failures.sort((a, b) => compareText(a.path, b.path))
  return { files: files.inOrder, failures }
}
