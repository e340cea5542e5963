import { Context, type Effect } from "effect"
import type { JobId, WorkspaceId } from "../../schema/Ids.ts"
import type { InternalWorkflow } from "../../schema/Job.ts"

export type MissionWorkflow = Extract<InternalWorkflow, "mission_step" | "mission_pull_request">

/** A job of a mission that ends, and how. */
export interface EndedMissionJob {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly workflow: MissionWorkflow
  readonly status: "completed" | "failed" | "cancelled"
  readonly error: string | null
}

/**
 * What a job means to the mission that started it. Jobs know nothing of missions: the area of missions, which stands above
 * this one, implements it.
 */
export class MissionJobs extends Context.Tag("MissionJobs")<
  MissionJobs,
  {
    /** However a job ends, this is called once, in the transaction of its end, while its row is locked. */
    readonly ended: (job: EndedMissionJob) => Effect.Effect<void>
  }
>() {}
