import { createHash } from "node:crypto"
import { Clock, Effect, Option, Tracer } from "effect"
import { Trace } from "../../engine/index.ts"
import type { RunningJob, Stage } from "../ports/Workflow.ts"

type TracedJob = Pick<RunningJob, "id" | "traceparent">

const submissionOf = ({ traceparent }: TracedJob) => Option.fromNullable(Trace.parentOf(traceparent))

/**
 * IDs of the span of a job as a whole. They follow from the job, so that stages name it as their parent on any worker, long
 * before its end. A job that no traced request submitted is a trace of its own.
 */
const idsOf = (job: TracedJob) => ({
  traceId: Option.match(submissionOf(job), {
    onNone: () => job.id.replaceAll("-", ""),
    onSome: ({ traceId }) => traceId
  }),
  spanId: createHash("sha256").update(job.id).digest("hex").slice(0, 16)
})

const attributesOf = ({ id, workspace_id, workflow, run }: RunningJob) => ({
  "assay.job.id": id,
  "assay.job.workflow": workflow,
  "assay.job.run": run,
  "assay.workspace.id": workspace_id
})

/** Makes the effect a span of the job's trace. */
export const withStageSpan =
  (job: RunningJob, stage: Stage) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withSpan(effect, `stage ${stage.name}`, {
      parent: Option.match(submissionOf(job), {
        onNone: () => Tracer.externalSpan({ ...idsOf(job), context: Trace.unsampledYet }),
        onSome: ({ sampled }) => Tracer.externalSpan({ ...idsOf(job), sampled })
      }),
      kind: "internal",
      attributes: { ...attributesOf(job), "assay.job.stage": stage.name },
      captureStackTrace: false
    })

/** The span of the job, from its submission to its end, which is now. */
export const recordJob = (job: RunningJob, status: "completed" | "failed" | "cancelled") =>
  Effect.flatMap(Clock.currentTimeMillis, (end) =>
    Trace.recordSpan({
      name: `job ${job.workflow}`,
      kind: "consumer",
      ...idsOf(job),
      parent: submissionOf(job),
      start: Date.parse(job.queued_at),
      end,
      attributes: { ...attributesOf(job), "assay.job.status": status }
    })
  )
