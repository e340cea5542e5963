import { Data, type Effect, type Option, type Schema } from "effect"
import type { Feature } from "../../schema/Feature.ts"
import { type JobId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import {
  type ArtifactContentType,
  type FailureKind,
  failureKinds,
  type JobEventMetadata,
  type SubmissionInvalid,
  type Workflow as WorkflowName
} from "../../schema/Job.ts"
import type { JsonObject } from "../../schema/Text.ts"

/** What a stage hands to the next stages and, the last one, to the job's `result`. */
export type StageOutput = JsonObject

/** The stage cannot do its work; the job fails with this. The message is for the person who asked for the job. */
export class StageFailed extends Data.TaggedError("StageFailed")<{
  readonly failure_kind: FailureKind
  readonly message: string
}> {
  /** Whether running the job again may help without a change elsewhere. */
  get retryable(): boolean {
    return failureKinds[this.failure_kind]
  }
}

/** The job ended while the stage was at work: nothing of the stage may be written any more. */
export class JobCancelled extends Data.TaggedError("JobCancelled") {}

/** Another execution of the same stage took over. */
export class Superseded extends Data.TaggedError("Superseded") {}

export type StageStopped = JobCancelled | Superseded

/** The job as its stages see it. */
export interface RunningJob {
  readonly id: JobId
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
  readonly workflow: WorkflowName
  readonly params: JsonObject
  /** The commit that was current at submit; `null` when the remote could not say. */
  readonly commit_sha: string | null
  readonly attempt: number
  readonly run: number
  readonly queued_at: string
  /** W3C trace context of the request that submitted the job; null where it was not traced. */
  readonly traceparent: string | null
}

export interface StageContext {
  readonly job: RunningJob
  /** Checkpointed output of an earlier stage. */
  readonly outputOf: (stage: string) => Effect.Effect<StageOutput>
  /** What is too large for an output: compressed, kept with the job, the newest of a namespace wins. */
  readonly artifact: {
    readonly write: (namespace: string, content: unknown) => Effect.Effect<void, StageStopped>
    readonly read: (namespace: string) => Effect.Effect<Option.Option<unknown>>
    /**
     * For people: kept as long as the job, and served as a file of this name. What is larger than an artifact may be is
     * cut off, with a line that says so. Its namespace is that of no other artifact.
     */
    readonly publish: (
      namespace: string,
      name: string,
      contentType: ArtifactContentType,
      content: Uint8Array | string
    ) => Effect.Effect<void, StageStopped>
  }
  /**
   * Names what the stage is at now, as a stage of its own in the events and the progress, though not a checkpoint; the
   * phase before is completed by it. `null`: the last phase is done.
   */
  readonly phase: (name: string | null) => Effect.Effect<void>
  /** Cheap to call often: written at most twice a second, and when done. */
  readonly progress: (done: number, total: number) => Effect.Effect<void>
  /** A line in the job's events. */
  readonly log: (detail: string, data?: JobEventMetadata) => Effect.Effect<void>
  /** Reports a gate in the job's events, as a stage of its own name. */
  readonly gate: (gate: {
    readonly name: string
    readonly result: "passed" | "failed" | "warned" | "skipped"
    readonly reason: string
  }) => Effect.Effect<void, StageStopped>
  /**
   * Runs the effect in one transaction that first makes sure that the job still runs and that this execution still owns
   * the stage. Every write of a stage to the product's tables goes through here.
   */
  readonly commit: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StageStopped, R>
  /** Fails, once the cost is recorded, when the job costs more than one job may. Cheap to call often: few calls write an event. */
  readonly recordCost: (usd: number) => Effect.Effect<void, StageFailed | StageStopped>
}

/**
 * One checkpointed step. It may run more than once (a worker died, or fell silent and came back), never twice after its
 * end; it is interrupted when the job is cancelled. Its name is the checkpoint's key: never give a name a new meaning.
 */
export interface Stage {
  readonly name: string
  readonly run: (context: StageContext) => Effect.Effect<StageOutput, StageFailed | StageStopped>
}

export const stage = (name: string, run: Stage["run"]): Stage => ({ name, run })

/** What a running job does: a straight sequence of stages. The output of the last one becomes the job's `result`. */
export interface Workflow {
  readonly name: WorkflowName
  /** Feature that the workspace must have switched on, on a plan that has it. */
  readonly beta?: Feature
  /** Closed: a submission with params it refuses is not accepted. */
  // biome-ignore lint/suspicious/noExplicitAny: params of different workflows have nothing in common; Jobs only decodes.
  readonly params: Schema.Schema<any, any>
  readonly stages: ReadonlyArray<Stage>
  /** The commit a job is about when that is not the branch's own; `null` when it cannot be known before the job runs. */
  readonly commitOf?: (params: JsonObject) => string | null
  /** What there is to be said against a submission beyond its params. */
  readonly admits?: (request: {
    readonly workspace_id: WorkspaceId
    readonly repository_id: RepositoryId
    readonly params: JsonObject
  }) => Effect.Effect<void, SubmissionInvalid>
}
