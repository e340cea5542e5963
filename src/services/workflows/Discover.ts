import { Effect, Option, Schema } from "effect"
import { DiscoveryResult } from "../../engine/index.ts"
import { closed } from "../../schema/closed.ts"
import { Discoveries } from "../discovery/Discoveries.ts"
import { stage, type Workflow } from "../ports/Workflow.ts"
import { preparedOf, Scanning } from "./Scanning.ts"

const artifact = "discovery"

/** `discover`: fetch the repository, look at all of it in a process of its own, store what it reports. */
export class DiscoverWorkflow extends Effect.Service<DiscoverWorkflow>()("DiscoverWorkflow", {
  effect: Effect.gen(function* () {
    const discoveries = yield* Discoveries
    const scanning = yield* Scanning

    const observe = stage("observe", (context) =>
      Effect.gen(function* () {
        const { commit } = yield* preparedOf(context)
        const { gitDir } = yield* scanning.mirrorOf(context.job)
        const result = yield* scanning.observe(context, { gitDir, commit })
        yield* scanning.recordPaths(context, { gitDir, commit })
        yield* context.artifact.write(artifact, yield* Effect.orDie(Schema.encode(DiscoveryResult)(result)))
        return summaryOf(result)
      })
    )

    const record = stage("record", (context) =>
      Effect.gen(function* () {
        const { workspace_id, repository_id, id } = context.job
        const { commit } = yield* preparedOf(context)
        const written = yield* context.artifact.read(artifact)
        const { output } = yield* Effect.orDie(Schema.decodeUnknown(DiscoveryResult)(Option.getOrNull(written)))
        yield* context.commit(discoveries.record({ workspace_id, repository_id, job_id: id, commit, output }))
        return { commit_sha: commit, ...(yield* context.outputOf("observe")) }
      })
    )

    const workflow: Workflow = { name: "discover", params: closed({}), stages: [scanning.prepare, observe, record] }
    return workflow
  })
}) {}

/** What the job's result says; files that could not be observed are named. */
const summaryOf = ({ output, skipped, left_out, failures, reused_files, ...usage }: DiscoveryResult) => ({
  discovery: {
    guides: output.guides.map(({ slug }) => slug),
    skills: output.skills.map(({ name }) => name),
    unverified: Object.values(output.unverified_symbols_skipped_time).reduce((total, { length }) => total + length, 0)
  },
  stage_metrics: output.stage_metrics,
  skipped,
  left_out,
  failures,
  reused_files,
  usage
})
