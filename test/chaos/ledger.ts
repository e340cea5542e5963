/** What a client asked for. A mark is a text that no other call sends and that the change keeps. */
export interface Entry {
  readonly kind: "issue" | "note" | "entry" | "entry_change" | "triage" | "job"
  readonly mark: string
  /** `open`: no response, or one that leaves open what became of the call. */
  readonly outcome: "acknowledged" | "rejected" | "open"
  /** The acknowledged job. */
  readonly job_id?: string
}

/** A job as the database holds it in the end. */
export interface KeptJob {
  readonly id: string
  readonly workflow: string
  readonly status: string
  readonly failure_kind: string | null
  readonly error: string | null
  /** Events that say that it has ended. */
  readonly ends: number
  /** Stages with more than one event of their completion. */
  readonly repeated_stages: number
  /** Whether its events are numbered without a gap. */
  readonly is_gapless: boolean
  readonly reserves: number
  readonly releases: number
  readonly settles: number
  /** What was settled less what the job cost, in US dollars. */
  readonly difference_usd: number
}

export interface Kept {
  /** Marks of the changes in the database, each as often as it is there. */
  readonly marks: ReadonlyArray<{ readonly kind: Entry["kind"]; readonly mark: string; readonly job_id: string | null }>
  readonly jobs: ReadonlyArray<KeptJob>
  /** Changes and their records in the audit log, by kind. */
  readonly recorded: ReadonlyArray<{ readonly kind: string; readonly changes: number; readonly records: number }>
}

/** What was lost, doubled, or is there without having been asked for; empty when all is well. */
export interface Comparison {
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
  readonly unexplained: ReadonlyArray<string>
}

const nameOf = ({ kind, mark }: Pick<Entry, "kind" | "mark">) => `${kind} ${mark}`

/** A triage of an observation, say, that is kept twice. */
const duplicatesAmong = (kept: Kept) => {
  const counts = new Map<string, number>()
  for (const change of kept.marks) counts.set(nameOf(change), (counts.get(nameOf(change)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > 1).map(([name, count]) => `${name} is there ${count} times.`)
}

const doubledParts = (job: KeptJob): ReadonlyArray<string> => {
  const name = `${job.workflow} ${job.id}`
  return [
    job.ends > 1 ? `${name} ended ${job.ends} times.` : "",
    job.repeated_stages > 0 ? `${job.repeated_stages} stages of ${name} ended twice.` : "",
    Math.max(job.reserves, job.releases, job.settles) > 1 ? `${name} was charged twice.` : ""
  ].filter((text) => text !== "")
}

const lostParts = (job: KeptJob): ReadonlyArray<string> => {
  const name = `${job.workflow} ${job.id}`
  const isOver = job.status === "completed" || job.status === "failed" || job.status === "cancelled"
  if (!isOver) return [`${name} is ${job.status} for ever.`]
  return [
    job.ends === 0 ? `${name} has no event of its end.` : "",
    job.is_gapless ? "" : `The events of ${name} have a gap.`,
    job.reserves === 1 && job.releases === 1 && job.settles === 1 ? "" : `The ledger of ${name} is not complete.`,
    Math.abs(job.difference_usd) < 0.005 ? "" : `${name} was settled with ${job.difference_usd} USD too much.`
  ].filter((text) => text !== "")
}

/** Compares what was acknowledged to clients with what the database holds. */
export const compared = (ledger: ReadonlyArray<Entry>, kept: Kept): Comparison => {
  const entries = new Map(ledger.map((entry) => [nameOf(entry), entry]))
  const byName = new Map(kept.marks.map((change) => [nameOf(change), change]))
  const jobs = new Set(kept.jobs.map(({ id }) => id))
  const acknowledged = ledger.filter(({ outcome }) => outcome === "acknowledged")
  const lost = acknowledged.flatMap((entry) => {
    if (entry.kind !== "job") return byName.has(nameOf(entry)) ? [] : [`${nameOf(entry)} was acknowledged and is gone.`]
    return jobs.has(entry.job_id ?? "") ? [] : [`The job ${entry.job_id} was acknowledged and is gone.`]
  })
  const unexplained = kept.marks.flatMap((change) => {
    const entry = entries.get(nameOf(change))
    if (entry === undefined) return [`${nameOf(change)} belongs to no call.`]
    if (entry.outcome === "rejected") return [`${nameOf(change)} was rejected and is there.`]
    const isSame = entry.job_id === undefined || change.job_id === null || entry.job_id === change.job_id
    return isSame ? [] : [`${nameOf(change)} was acknowledged as ${entry.job_id} and is ${change.job_id}.`]
  })
  const unrecorded = kept.recorded
    .filter(({ changes, records }) => changes !== records)
    .map(({ kind, changes, records }) => `${changes} changes (${kind}) have ${records} records in the audit log.`)
  return {
    lost: [...lost, ...kept.jobs.flatMap(lostParts)],
    doubled: [...duplicatesAmong(kept), ...kept.jobs.flatMap(doubledParts)],
    unexplained: [...unexplained, ...unrecorded]
  }
}
