import { gunzip } from "node:zlib"
import { Effect, Option } from "effect"
import type { ArtifactId, JobId } from "../../schema/Ids.ts"
import { ArtifactNotFound, type JobArtifact } from "../../schema/Job.ts"
import { defaultPageSize, type PageRequest } from "../../schema/Page.ts"
import { Caller } from "../access/Caller.ts"
import { Cursors } from "../access/Cursors.ts"
import { JobArtifactsRepo } from "./JobArtifactsRepo.ts"
import { Jobs } from "./Jobs.ts"

/** An artifact with its content. */
export interface ArtifactFile extends JobArtifact {
  readonly content: Uint8Array
}

/** What jobs have written for people. */
export class JobArtifacts extends Effect.Service<JobArtifacts>()("JobArtifacts", {
  effect: Effect.gen(function* () {
    const repo = yield* JobArtifactsRepo
    const jobs = yield* Jobs
    const cursors = yield* Cursors

    const list = Effect.fn("JobArtifacts.list")(function* (
      job_id: JobId,
      { cursor, limit = defaultPageSize }: PageRequest
    ) {
      const { workspace_id } = yield* Caller
      yield* jobs.get(job_id)
      const after = yield* cursors.open("job_artifacts", { job_id }, cursor)
      const found = yield* repo.list({ workspace_id, job_id, after, limit })
      return yield* cursors.page("job_artifacts", { job_id }, limit, found, ({ id }) => [id])
    })

    const read = Effect.fn("JobArtifacts.read")(function* (job_id: JobId, id: ArtifactId) {
      const { workspace_id } = yield* Caller
      yield* jobs.get(job_id)
      const found = yield* repo.find({ workspace_id, job_id, id })
      if (Option.isNone(found)) return yield* new ArtifactNotFound({ message: `Job ${job_id} has no artifact ${id}.` })
      const content = yield* unpacked(found.value.content)
      return { ...found.value, content } satisfies ArtifactFile
    })

    return { list, read }
  })
}) {}

const unpacked = (content: Uint8Array) =>
  Effect.async<Uint8Array>((resume) =>
    gunzip(content, (error, whole) => resume(error === null ? Effect.succeed(whole) : Effect.die(error)))
  )
