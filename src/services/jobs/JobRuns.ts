import { Context, type Effect } from "effect"
import type { JobId, RepositoryId } from "../../schema/Ids.ts"

/** One execution of a job by the engine. */
export interface JobRun {
  readonly id: JobId
  readonly run: number
}

export interface RunOfRepository extends JobRun {
  readonly repository_id: RepositoryId
}

/** Sends a run to the worker that its repository's runs go to. Sending the same run again does nothing. */
export type SendRun = (run: RunOfRepository) => Effect.Effect<void>

/** The engine as the dispatcher sees it: a place to send runs to, on this or another machine. */
export class JobRuns extends Context.Tag("JobRuns")<
  JobRuns,
  {
    /** Sends the next runs, by what the workers do now. */
    readonly sender: Effect.Effect<SendRun>
    /** Has a worker read a run again that another one has read and lost; nothing where one is working on it. */
    readonly resend: (run: JobRun) => Effect.Effect<void>
    /** Whether the engine is done with a run, however it ended. */
    readonly hasEnded: (run: JobRun) => Effect.Effect<boolean>
    /** Forgets at most so many finished runs of jobs that ended before; how many. */
    readonly forget: (request: { readonly before: string; readonly most: number }) => Effect.Effect<number>
  }
>() {}
