import { Context, type Effect } from "effect"
import type { MissionKey } from "./MissionsRepo.ts"

/**
 * What carries a mission on. The records and decisions of missions know nothing of jobs, branches and pull requests: the
 * run, which stands above them, implements this. Both are called in the transaction of the change that is the reason.
 */
export class MissionRun extends Context.Tag("MissionRun")<
  MissionRun,
  {
    /** The mission runs (again): its next step begins, or what is in its way is written to the mission. */
    readonly advance: (key: MissionKey) => Effect.Effect<void>
    /** The mission was cancelled: the job of the step under way is cancelled, too. */
    readonly stop: (key: MissionKey) => Effect.Effect<void>
  }
>() {}
