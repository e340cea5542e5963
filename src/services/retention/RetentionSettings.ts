import { Context, Duration } from "effect"

/** For how long rows of each kind are kept; null is for ever. */
export interface KeptFor {
  /** Events of a job, after its end. */
  readonly events: Duration.Duration | null
  /** Artifacts of a job for people, after its end. */
  readonly artifacts: Duration.Duration | null
  /** E-mails that were sent or given up. */
  readonly outbox: Duration.Duration | null
  readonly auditLog: Duration.Duration | null
}

export class RetentionSettings extends Context.Reference<RetentionSettings>()("RetentionSettings", {
  defaultValue: (): KeptFor => ({
    events: Duration.days(180),
    artifacts: Duration.days(180),
    outbox: Duration.days(90),
    auditLog: null
  })
}) {}
