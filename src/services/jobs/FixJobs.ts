import { Context, type Effect } from "effect"
import type { JobId, WorkspaceId } from "../../schema/Ids.ts"
import type { Job, JobNotRetryable } from "../../schema/Job.ts"

/** A fix job that ends, and how. */
export interface EndedFixJob {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly status: "completed" | "failed" | "cancelled"
  readonly error: string | null
}

/**
 * What a fix job means to the attempt that it works on. Jobs know nothing of attempts: the area of fixes, which stands
 * above this one, implements it. Both run in the transaction of the job's own change.
 */
export class FixJobs extends Context.Tag("FixJobs")<
  FixJobs,
  {
    /** However a job ends, this is called once, while its row is locked. */
    readonly ended: (jobs: ReadonlyArray<EndedFixJob>) => Effect.Effect<void>
    /** A fix job runs again; its error rolls the new job back. */
    readonly retried: (retry: {
      readonly workspace_id: WorkspaceId
      readonly parent: Job
      readonly job: Job
    }) => Effect.Effect<void, JobNotRetryable>
  }
>() {}
