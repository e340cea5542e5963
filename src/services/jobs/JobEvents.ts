import { Chunk, Effect, identity, Option, Ref, Stream } from "effect"
import { type JobId } from "../../schema/Ids.ts"
import { type Job, JobNotFound, type JobStatus } from "../../schema/Job.ts"
import { readJobEvents } from "../../schema/operations/jobs.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { OpenStreams } from "../access/OpenStreams.ts"
import { reachOfCaller } from "../access/Reach.ts"
import { Notifications } from "../ports/Notifications.ts"
import { channels, JobEventsRepo, type NumberedEvent } from "./JobEventsRepo.ts"
import { JobsRepo } from "./JobsRepo.ts"

const streamPage = 200
// Notifications wake the stream, and a lost connection of theirs does; this is what another loss costs.
const poll = "15 seconds"

/**
 * The events that a read of a stream finds, with `None` after the last that there will be; and where it is to be read again
 * at once, whether the job is known to have ended.
 */
type Step = readonly [Chunk.Chunk<Option.Option<NumberedEvent>>, Option.Option<boolean>]

const over: Step = [Chunk.of(Option.none()), Option.none()]

const stepOf = (events: ReadonlyArray<NumberedEvent>): Step => {
  const found = events.map((event) => Option.some(event))
  if (events.length === streamPage) return [Chunk.fromIterable(found), Option.some(false)]
  const isOver = events.at(-1)?.isOfEnded === true
  return [Chunk.fromIterable(isOver ? [...found, Option.none()] : found), Option.none()]
}

const isFinal = (status: JobStatus) => status === "completed" || status === "failed" || status === "cancelled"

/** What happened to a job, as a list and as a stream that goes on until the job has ended. */
export class JobEvents extends Effect.Service<JobEvents>()("JobEvents", {
  effect: Effect.gen(function* () {
    const repo = yield* JobEventsRepo
    const jobs = yield* JobsRepo
    const cursors = yield* Cursors
    const notifications = yield* Notifications
    const streams = yield* OpenStreams

    const find = Effect.fn("JobEvents.find")(function* (id: JobId) {
      const { workspace_id } = yield* Caller
      const job = yield* jobs.find({ workspace_id, id })
      if (Option.isNone(job)) return yield* new JobNotFound({ message: `There is no job ${id}.` })
      return job.value
    })

    /** Oldest first. */
    const list = Effect.fn("JobEvents.list")(function* (id: JobId, { cursor, limit = defaultPageSize }: PageRequest) {
      const { workspace_id } = yield* Caller
      const filters = { job_id: id }
      yield* find(id)
      const position = yield* cursors.open("job_events", filters, cursor)
      const rows = yield* repo.list({ workspace_id, job_id: id, after: Number(position?.[0] ?? 0), limit: limit + 1 })
      const page = yield* cursors.page("job_events", filters, limit, rows, ({ seq }) => [seq])
      return { ...page, data: page.data.map(({ event }) => event) }
    })

    /** Ticks when the job may have changed. */
    const pulsesOf = (id: JobId) =>
      Stream.merge(notifications.watch(channels.events, id).pipe(Stream.as(undefined)), Stream.tick(poll)).pipe(
        Stream.buffer({ capacity: 1, strategy: "sliding" })
      )

    /** The job, once its status or stage is another than now; unchanged after that time, or if it has ended. */
    const awaitChange = Effect.fn("JobEvents.awaitChange")(function* (id: JobId, seconds: number) {
      const job = yield* find(id)
      if (seconds === 0 || isFinal(job.status)) return job
      const isOther = (later: Job) => later.status !== job.status || later.progress?.stage !== job.progress?.stage
      const later = yield* pulsesOf(id).pipe(
        Stream.mapEffect(() => find(id)),
        Stream.filter(isOther),
        Stream.runHead,
        Effect.timeoutTo({ duration: `${seconds} seconds`, onTimeout: Option.none, onSuccess: identity })
      )
      return Option.isSome(later) ? later.value : yield* find(id)
    })

    /**
     * Every event numbered above `lastEventId`, each once and in order, live; ends with the job, or once the caller may not
     * read it. The stream belongs to the scope in which it is made.
     */
    const stream = Effect.fn("JobEvents.stream")(function* (id: JobId, lastEventId = 0) {
      const { workspace_id } = yield* Caller
      yield* find(id)
      const seeing = yield* reachOfCaller
      const whileAdmitted = yield* streams.admit(readJobEvents.scopes)
      const last = yield* Ref.make(toSequence(lastEventId))
      const hasEnded = Effect.map(seeing(jobs.find({ workspace_id, id })), (job) =>
        Option.match(job, { onNone: () => true, onSome: ({ status }) => isFinal(status) })
      )

      const read = Effect.gen(function* () {
        const after = yield* Ref.get(last)
        const events = yield* seeing(repo.list({ workspace_id, job_id: id, after, limit: streamPage }))
        yield* Ref.set(last, events.at(-1)?.seq ?? after)
        return events
      })

      // Of a job that has ended, the last events may have come after the first look.
      const step = (isKnownToHaveEnded: boolean): Effect.Effect<Step> =>
        Effect.flatMap(read, (events) => {
          if (events.length > 0) return Effect.succeed(stepOf(events))
          if (isKnownToHaveEnded) return Effect.succeed(over)
          return Effect.map(hasEnded, (ended): Step => [Chunk.empty(), ended ? Option.some(true) : Option.none()])
        })

      return pulsesOf(id).pipe(
        Stream.flatMap(() => Stream.paginateChunkEffect(false, step)),
        Stream.filterMapWhile((event) => event),
        whileAdmitted
      )
    })

    return { awaitChange, list, stream }
  })
}) {}

/** A client's number as the column takes it. */
const toSequence = (n: number) => (n > 0 ? Math.min(Math.trunc(n), 2 ** 31 - 1) : 0)
