import { gunzip, gzip } from "node:zlib"
import { Clock, Effect, Option } from "effect"
import { ArtifactId } from "../../schema/Ids.ts"
import { maxArtifactBytes } from "../../schema/Job.ts"
import {
  JobCancelled,
  type RunningJob,
  type StageContext,
  StageFailed,
  type StageStopped,
  Superseded
} from "../ports/Workflow.ts"
import { ignoringDatabaseLoss, survivingDatabaseLoss } from "../support/databaseLoss.ts"
import { newId, sha256Hex } from "../support/ids.ts"
import { now } from "../support/now.ts"
import type { transactional } from "../support/transactional.ts"
import type { JobEventsRepo, NewEvent } from "./JobEventsRepo.ts"
import type { StageState, StagesRepo } from "./StagesRepo.ts"

const millisBetweenProgress = 500
// Cost is recorded every few seconds, which is more than a reader of the events wants to see.
const millisBetweenCosts = 30_000

/** Whether the holder of `fence` may still write. */
export const ownership = (
  state: Option.Option<StageState>,
  job: RunningJob,
  fence: number
): Effect.Effect<void, StageStopped> =>
  Option.isNone(state) || state.value.status !== "running" || state.value.run !== job.run
    ? Effect.fail(new JobCancelled())
    : state.value.fence !== fence
      ? Effect.fail(new Superseded())
      : Effect.void

const squeeze = (content: string | Uint8Array) =>
  Effect.async<Buffer>((resume) =>
    gzip(content, (error, packed) => resume(error === null ? Effect.succeed(packed) : Effect.die(error)))
  )

const cutOff = "\n… cut off: the rest is larger than an artifact may be.\n"

/** As much of an artifact as is kept. */
const keptContent = (content: Uint8Array | string): Buffer => {
  const whole = Buffer.from(content)
  if (whole.length <= maxArtifactBytes) return whole
  return Buffer.concat([whole.subarray(0, maxArtifactBytes - Buffer.byteLength(cutOff)), Buffer.from(cutOff)])
}

const unsqueeze = (packed: Uint8Array) =>
  Effect.async<unknown>((resume) =>
    gunzip(packed, (error, json) =>
      resume(error === null ? Effect.sync(() => JSON.parse(json.toString())) : Effect.die(error))
    )
  )

export interface StageTools {
  readonly inTransaction: ReturnType<typeof transactional>
  readonly stages: StagesRepo
  readonly events: JobEventsRepo
}

/** Millionths of a dollar, as events show them. */
const roundedUsd = (usd: number) => Math.round(usd * 1e6) / 1e6

export interface OwnedStage {
  readonly context: StageContext
  /** Writes the event of the cost that none has, where there is some: part of the transaction that ends the stage. */
  readonly costToReport: () => Option.Option<Effect.Effect<void>>
}

/** What a stage may do, as the holder of `fence`. */
export const stageContext = (
  { inTransaction, stages, events }: StageTools,
  job: RunningJob,
  stage: string,
  fence: number
): OwnedStage => {
  const key = { job_id: job.id, stage }
  let unreportedUsd = 0
  let costReportedAt: number | null = null
  let lastProgress = Number.NEGATIVE_INFINITY
  let phase: string | null = null

  const commit = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    stages.lock(key).pipe(
      Effect.flatMap((state) => ownership(state, job, fence)),
      Effect.zipRight(effect),
      inTransaction
    ) as Effect.Effect<A, E | StageStopped, R> // a database's failure is a defect already

  type StageEvent = Pick<NewEvent, "type" | "detail" | "data"> & { readonly stage?: string }
  const append = (event: StageEvent, write: (event: NewEvent) => Effect.Effect<unknown> = events.append) =>
    Effect.flatMap(now, (at) => commit(Effect.asVoid(write({ ...key, ...event, at }))))

  const writeProgress = (done: number, total: number) => {
    const progress = { stage: phase ?? stage, done, total }
    return append({ stage: progress.stage, type: "stage_progress", detail: "", data: { done, total } }, (event) =>
      events.progress(event, progress)
    ).pipe(ignoringDatabaseLoss, Effect.ignore)
  }

  const writePhase = (name: string, type: "stage_started" | "stage_completed") =>
    append({ stage: name, type, detail: "", data: null }).pipe(ignoringDatabaseLoss, Effect.ignore)

  const writeCost = (usd: number) =>
    Effect.flatMap(now, (at) =>
      events.append({
        ...key,
        type: "cost_recorded",
        detail: `Cost ${usd.toFixed(6)} USD more.`,
        data: { cost_usd: usd },
        at
      })
    )

  const costToReport = () => {
    const usd = roundedUsd(unreportedUsd)
    return usd > 0 ? Option.some(Effect.asVoid(writeCost(usd))) : Option.none()
  }

  const context: StageContext = {
    job,
    commit,
    outputOf: (earlier) =>
      Effect.flatMap(
        survivingDatabaseLoss(stages.output({ job_id: job.id, stage: earlier })),
        Option.match({
          onNone: () =>
            Effect.dieMessage(`Stage ${stage} asks for the output of ${earlier}, which did not run before.`),
          onSome: Effect.succeed
        })
      ),
    artifact: {
      write: Effect.fn("StageContext.writeArtifact")(function* (namespace: string, content: unknown) {
        const packed = yield* squeeze(JSON.stringify(content) ?? "null")
        const content_hash = sha256Hex(packed)
        const at = yield* now
        yield* commit(
          Effect.zipRight(
            stages.writeArtifact({ job_id: job.id, namespace, content: packed, content_hash, at }),
            append({ type: "artifact_written", detail: "", data: { artifact_namespace: namespace, content_hash } })
          )
        )
      }, survivingDatabaseLoss),
      publish: Effect.fn("StageContext.publishArtifact")(function* (namespace, name, content_type, content) {
        const kept = keptContent(content)
        const artifact = {
          job_id: job.id,
          namespace,
          name,
          content_type,
          content: yield* squeeze(kept),
          size: kept.length,
          content_hash: sha256Hex(kept)
        }
        const [id, at] = [yield* newId(ArtifactId), yield* now]
        const data = { artifact_namespace: namespace, content_hash: artifact.content_hash }
        yield* commit(
          Effect.zipRight(
            stages.publishArtifact({ ...artifact, id, at }),
            append({ type: "artifact_written", detail: name, data })
          )
        )
      }, survivingDatabaseLoss),
      read: (namespace) =>
        Effect.flatMap(
          survivingDatabaseLoss(stages.readArtifact({ job_id: job.id, namespace })),
          Option.match({ onNone: () => Effect.succeedNone, onSome: (packed) => Effect.asSome(unsqueeze(packed)) })
        )
    },
    phase: Effect.fn("StageContext.phase")(function* (name: string | null) {
      const before = phase
      phase = name
      if (before !== null) yield* writePhase(before, "stage_completed")
      if (name !== null) yield* writePhase(name, "stage_started")
    }),
    progress: Effect.fn("StageContext.progress")(function* (done: number, total: number) {
      const millis = yield* Clock.currentTimeMillis
      if (done < total && millis - lastProgress < millisBetweenProgress) return
      lastProgress = millis
      yield* writeProgress(done, total)
    }),
    log: (detail, data) => Effect.ignore(ignoringDatabaseLoss(append({ type: "log", detail, data: data ?? null }))),
    gate: ({ name, result, reason }) =>
      survivingDatabaseLoss(
        append({
          stage: name,
          detail: reason,
          ...(result === "skipped"
            ? { type: "stage_skipped", data: null }
            : { type: "gate_evaluated", data: { gate_result: result, gate_reason: reason } })
        })
      ),
    recordCost: Effect.fn("StageContext.recordCost")(function* (usd: number) {
      const millis = yield* Clock.currentTimeMillis
      costReportedAt ??= millis
      const reportedUsd = millis - costReportedAt < millisBetweenCosts ? 0 : roundedUsd(unreportedUsd + usd)
      const report = reportedUsd > 0 ? writeCost(reportedUsd) : Effect.void
      const over = yield* commit(Effect.zipLeft(events.addCost(key, usd), report))
      unreportedUsd += usd - reportedUsd
      if (reportedUsd > 0) costReportedAt = millis
      if (Option.isNone(over)) return
      return yield* new StageFailed({
        failure_kind: "budget_exceeded",
        message: `The job cost more than the ${over.value} USD that one job may cost here.`
      })
    })
  }
  return { context, costToReport }
}
