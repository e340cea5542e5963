import { HttpServerResponse } from "@effect/platform"
import { Effect, Schema, Stream } from "effect"
import { InvalidPayload } from "../schema/Errors.ts"
import { Job, JobEvent } from "../schema/Job.ts"
import { type ArtifactFile, JobArtifacts } from "../services/jobs/JobArtifacts.ts"
import { JobEvents } from "../services/jobs/JobEvents.ts"
import type { NumberedEvent } from "../services/jobs/JobEventsRepo.ts"
import { Jobs } from "../services/jobs/Jobs.ts"
import { Submissions } from "../services/jobs/Submissions.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { created, printed } from "./wire.ts"

export const JobsHandlers = group(
  Api,
  "jobs",
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    const submissions = yield* Submissions
    const events = yield* JobEvents
    const artifacts = yield* JobArtifacts
    return handlers
      .handle("submit", ({ path, payload, headers, urlParams }) =>
        Effect.flatMap(
          submissions.submit({
            path,
            workflow: payload.workflow,
            params: payload.params,
            idempotencyKey: headers["idempotency-key"],
            force: urlParams.force
          }),
          ({ job, created: isNew }) => created(Job, isNew)(job)
        )
      )
      .handle("listOfRepository", ({ path, urlParams }) => jobs.listOfRepository({ path, ...urlParams }))
      .handle("list", ({ urlParams }) => jobs.list(urlParams))
      .handle("listActive", ({ urlParams }) => jobs.listActive(urlParams))
      .handle("get", ({ path }) => Effect.map(jobs.printed(path.job_id), printed))
      .handle("cancel", ({ path }) => jobs.cancel(path.job_id))
      .handle("retry", ({ path }) =>
        Effect.flatMap(submissions.retry(path.job_id), ({ job, created: isNew }) => created(Job, isNew)(job))
      )
      .handle("artifacts", ({ path, urlParams }) => artifacts.list(path.job_id, urlParams))
      .handle("artifact", ({ path }) => Effect.map(artifacts.read(path.job_id, path.artifact_id), fileOf))
      .handle("events", ({ path, headers, urlParams }) =>
        headers.accept?.includes("text/event-stream") === true
          ? Effect.flatMap(lastEventId(headers["last-event-id"]), (last) =>
              Effect.map(events.stream(path.job_id, last), eventStream)
            )
          : events.list(path.job_id, urlParams)
      )
  })
)

const lastEventId = (header: string | undefined): Effect.Effect<number, InvalidPayload> =>
  header === undefined || /^\d{1,9}$/.test(header)
    ? Effect.succeed(Number(header ?? 0))
    : Effect.fail(
        new InvalidPayload({ message: "Last-Event-ID must be a number this stream sent.", param: "Last-Event-ID" })
      )

const encodeEvent = Schema.encodeSync(JobEvent)
const encoder = new TextEncoder()
// Proxies close connections that stay silent; a comment is no event to a client.
const stillHere = encoder.encode(": still here\n\n")

/** Streams of one job are given the same events: each is printed once. */
const printedEvents = new WeakMap<NumberedEvent, Uint8Array>()

const bytesOf = (numbered: NumberedEvent): Uint8Array => {
  const known = printedEvents.get(numbered)
  if (known !== undefined) return known
  const { seq, event } = numbered
  const text = `id: ${seq}\nevent: ${event.type}\ndata: ${JSON.stringify(encodeEvent(event))}\n\n`
  const bytes = encoder.encode(text)
  printedEvents.set(numbered, bytes)
  return bytes
}

const eventStream = (stream: Stream.Stream<ReadonlyArray<NumberedEvent>>) =>
  HttpServerResponse.stream(
    Stream.mapConcat(stream, (events) => (events.length === 0 ? [stillHere] : events.map(bytesOf))),
    { contentType: "text/event-stream", headers: { "cache-control": "no-store", "x-accel-buffering": "no" } }
  )

/** To be saved, never shown as a page: what is in it comes from repositories. */
const fileOf = ({ name, content_type, content }: ArtifactFile) =>
  HttpServerResponse.uint8Array(content, {
    contentType: content_type,
    headers: {
      "cache-control": "no-store",
      "content-disposition": `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
      "x-content-type-options": "nosniff"
    }
  })
