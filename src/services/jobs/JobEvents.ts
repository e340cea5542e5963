import { Effect, identity, Option, Queue, Stream } from "effect"
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
import * as SharedReads from "./SharedReads.ts"

const streamPage = 200
// Notifications wake the stream, and a lost connection of theirs does; this is what another loss costs.
const pollInterval = "15 seconds"

const over = Effect.fail(Option.none())

const isFinal = (status: JobStatus) => status === "completed" || status === "failed" || status === "cancelled"

/** What happened to a job, as a list and as a stream that goes on until the job has ended. */
export class JobEvents extends Effect.Service<JobEvents>()("JobEvents", {
  scoped: Effect.gen(function* () {
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
      Stream.merge(notifications.watch(channels.events, id).pipe(Stream.as(undefined)), Stream.tick(pollInterval)).pipe(
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

    const reads = yield* SharedReads.make<ReadonlyArray<NumberedEvent>>()

    /**
     * Every event numbered above `lastEventId`, each once and in order, live, several at a time; none where there was none for
     * 15 seconds. Ends with the job, or once the caller may not read it. The stream belongs to the scope in which it is made.
     */
    const stream = Effect.fn("JobEvents.stream")(function* (id: JobId, lastEventId = 0) {
      const { workspace_id, hidden_repositories } = yield* Caller
      yield* find(id)
      const seeing = yield* reachOfCaller
      const inbox = yield* notifications.subscribe(channels.events, id)
      // Where the inbox is full, the stream is about to wake up.
      const wake = () => inbox.unsafeOffer(Option.none())
      let [after, isOver, isDue, mayWait] = [toSequence(lastEventId), false, false, false]
      yield* streams.admit(readJobEvents.scopes, () => {
        isOver = true
        wake()
      })
      const poll = Effect.sync(() => {
        isDue = true
        wake()
      })
      yield* Effect.forkScoped(Effect.forever(Effect.delay(poll, pollInterval)))

      const read = Effect.suspend(() =>
        reads.once(
          [workspace_id, ...hidden_repositories, id, after].join("/"),
          seeing(repo.list({ workspace_id, job_id: id, after, limit: streamPage }))
        )
      )
      const hasEnded = Effect.map(seeing(jobs.find({ workspace_id, id })), (job) =>
        Option.match(job, { onNone: () => true, onSome: ({ status }) => isFinal(status) })
      )

      const found = (events: ReadonlyArray<NumberedEvent>) => {
        after = events.at(-1)?.seq ?? after
        mayWait = events.length < streamPage
        isOver ||= mayWait && events.at(-1)?.isOfEnded === true
        return Effect.succeed(events)
      }

      const nothing: Effect.Effect<ReadonlyArray<NumberedEvent>, Option.Option<never>> = Effect.flatMap(
        hasEnded,
        (ended) => {
          // Of a job that has ended, the last events may have come after the first look.
          if (ended) return Effect.flatMap(read, (events) => (events.length === 0 ? over : found(events)))
          mayWait = true
          if (!isDue) return next
          isDue = false
          return Effect.succeed([])
        }
      )

      const next: typeof nothing = Effect.suspend(() => {
        if (isOver) return over
        return Effect.zipRight(
          mayWait ? Queue.take(inbox) : Effect.void,
          Effect.suspend(() =>
            isOver ? over : Effect.flatMap(read, (events) => (events.length === 0 ? nothing : found(events)))
          )
        )
      })

      return Stream.repeatEffectOption(next)
    })

    return { awaitChange, list, stream }
  })
}) {}

/** A client's number as the column takes it. */
const toSequence = (n: number) => (n > 0 ? Math.min(Math.trunc(n), 2 ** 31 - 1) : 0)
