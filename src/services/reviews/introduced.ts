import { Order } from "effect"
import { type Finding, matchFingerprints, type ScanResult } from "../../engine/index.ts"
import { isPresent, occurrenceOf } from "../observations/ObservationRecorder.ts"
import { type ChangedFile, type ChangedLines, noLines, touches } from "../ports/Comparison.ts"

/**
 * What ties a finding to a change: it is on a changed line; its flow passes one; it is in, or its flow passes, a changed
 * file; or it is in a file that did not change itself.
 */
export type Reach = "changed_line" | "flow" | "changed_file" | "elsewhere"

export interface Introduced {
  readonly finding: Finding
  readonly reach: Reach
}

export interface Reviewed {
  readonly introduced: ReadonlyArray<Introduced>
  readonly resolved: ReadonlyArray<Finding>
  /** New, but not certainly of the change: the same was not looked for, or not to the end, before it. */
  readonly unattributed: number
}

export type Scanned = Pick<ScanResult, "findings" | "tools" | "also_present" | "skipped" | "silenced">

/** What a change introduces, and what it fixes, from the scans before and after it. */
export const review = (base: Scanned, head: Scanned, files: ReadonlyArray<ChangedFile>): Reviewed => {
  const renames = renamesIn(files)
  const known = base.findings.map((finding, index) => ({
    ...occurrenceOf(finding),
    id: String(index),
    dismissed: false
  }))
  const matching = matchFingerprints(known, head.findings.map(occurrenceOf), renames)
  const before = seenBy(base)
  const after = seenBy(head)
  const changes = new Map(files.map(({ path, lines }) => [path, lines]))
  const formerNames = new Map([...renames].map(([from, to]) => [to, from]))
  const introduced: Array<Introduced> = []
  let unattributed = 0
  for (const index of matching.fresh) {
    const finding = head.findings[index]!
    if (isPresent(finding, before.present)) continue
    const reach = reachOf(finding, changes)
    const path = finding.locations[0].file_path
    const wasLookedFor = before.ran(finding.tool) && before.read(formerNames.get(path) ?? path)
    if (reach === "changed_line" || wasLookedFor) introduced.push({ finding, reach })
    else unattributed++
  }
  const resolved = matching.unseen
    .filter((id) => !matching.ambiguous.has(id))
    .map((id) => base.findings[Number(id)]!)
    .filter((finding) => {
      const path = finding.locations[0].file_path
      const now = renames.get(path) ?? path
      const isGone = !isPresent(finding, after.present) && !after.silences(finding.rule_id, now)
      return isGone && after.ran(finding.tool) && after.read(now)
    })
  return { introduced: introduced.sort(byWeight), resolved, unattributed }
}

/** Old path to new path. */
export const renamesIn = (files: ReadonlyArray<ChangedFile>): ReadonlyMap<string, string> =>
  new Map(files.flatMap(({ path, previous_path }) => (previous_path === null ? [] : [[previous_path, path]])))

/** What a scan can vouch for. */
const seenBy = ({ tools, also_present, skipped, silenced }: Scanned) => {
  const completed = new Set(tools.filter(({ status }) => status === "completed").map(({ id }) => id))
  const unread = new Set(skipped.map(({ path }) => path))
  const silences = new Set(silenced.map(({ rule, path }) => `${rule} ${path}`))
  return {
    present: new Set(also_present),
    ran: (tool: string) => completed.has(tool),
    read: (path: string) => !unread.has(path),
    /** What a comment or a mark silences is still there. */
    silences: (rule: string, path: string) => silences.has(`${rule} ${path}`)
  }
}

const reachOf = ({ locations, steps }: Finding, changes: ReadonlyMap<string, ChangedLines>): Reach => {
  const isTouched = (path: string, start: number, end: number) => touches(changes.get(path) ?? noLines, start, end)
  if (locations.some(({ file_path, line_start, line_end }) => isTouched(file_path, line_start, line_end)))
    return "changed_line"
  if (steps.some(({ file_path, line }) => line !== null && isTouched(file_path, line, line))) return "flow"
  return [...locations, ...steps].some(({ file_path }) => changes.has(file_path)) ? "changed_file" : "elsewhere"
}

const byWeight = ({ finding: a }: Introduced, { finding: b }: Introduced): number =>
  Order.string(a.priority, b.priority) ||
  b.confidence - a.confidence ||
  Order.string(a.locations[0].file_path, b.locations[0].file_path) ||
  a.locations[0].line_start - b.locations[0].line_start ||
  Order.string(a.rule_id, b.rule_id)
