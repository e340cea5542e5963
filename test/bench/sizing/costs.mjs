// What one unit costs, as measured; docs/sizing.md names the command and the load of each.

export const costs = {
  /** CPU seconds of a full audit: of a process and of each line; and of one with 1 % of the files changed. */
  auditStart: 0.87,
  auditLine: 47.3e-6,
  againLine: 5.5e-6,
  /** CPU seconds of a job's rows, stages and events. */
  jobWorker: 22.1e-3,
  jobDatabase: 13.3e-3,
  /** CPU seconds of a read over the REST API: three details to one list. */
  readServer: 0.6e-3,
  readDatabase: 0.46e-3,
  /** Bytes in the database with indexes; of an observation with its history. */
  observation: 3114,
  jobEvent: 150,
  /** Connections of one process: its pools, and one each for notifications and locks. */
  connections: 28
}

/** What teams do; to be replaced by an installation's own figures. */
export const habits = {
  /** Lines of a repository: the median, and the standard deviation of the logarithm. */
  medianLines: 20_000,
  spread: 1.2,
  /** Audits of a repository in a day, of which this share is full. */
  auditsPerDay: 3,
  fullShare: 0.05,
  /** Reads by people and agents for each audit. */
  readsPerAudit: 60,
  /** The busiest hour has this share of a day. */
  peakShare: 0.12,
  observationsPerThousandLines: 4,
  eventsPerAudit: 20
}
