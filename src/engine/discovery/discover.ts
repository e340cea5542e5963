import { Inventory } from "../core/files/Inventory.ts"
import { selected } from "../core/files/selection.ts"
import type { TreeSource } from "../core/source/TreeSource.ts"
import { RedactedPaths } from "../secrets/RedactedPaths.ts"
import { redactTexts } from "../secrets/redact.ts"
import { Check } from "./check.ts"
import { citationsOf, composed, draftOf } from "./compose.ts"
import type { DiscoveryResult } from "./DiscoveryResult.ts"
import { largePrograms } from "./largePrograms.ts"
import { type ObservationOptions, observe } from "./observe.ts"
import { type Commit, Survey } from "./Survey.ts"

export type DiscoveryStage = "inventory" | "observe" | "write"

export interface DiscoveryOptions extends Omit<ObservationOptions, "secrets"> {
  readonly history?: () => Promise<ReadonlyArray<Commit>>
  readonly onStage?: (stage: DiscoveryStage) => void
}

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
  const { entries: whole, large, terms } = await selected(source, inventory)
  const entries = [...whole, ...largePrograms(large, terms)]
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const known = [...byPath.keys(), ...inventory.skippedPaths()]
  const paths = new RedactedPaths(known)
  const history = options.history?.() ?? Promise.resolve([])
  options.onStage?.("observe")
  const { files, failures, reused } = await observe(source, { entries, terms }, inventory, {
    ...options,
    secrets: paths.secrets
  })
  options.onStage?.("write")
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
    reused_files: reused,
    cpu_seconds: (used.user + used.system) / 1e6,
    wall_ms: Math.round(performance.now() - started),
    peak_rss_bytes: process.resourceUsage().maxRSS * 1024
  }
}
