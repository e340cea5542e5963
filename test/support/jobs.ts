import { SqlClient } from "@effect/sql"
import { DateTime, Effect, Layer, Option, Ref, Schema, Stream } from "effect"
import { MissionJobsBelow } from "../../src/layers/Repos.ts"
import { closed } from "../../src/schema/closed.ts"
import { type JobId, KeyId, RepositoryId, WorkspaceId } from "../../src/schema/Ids.ts"
import type { Job, Workflow as WorkflowName } from "../../src/schema/Job.ts"
import { type Scope, scopes } from "../../src/schema/Key.ts"
import { type Repository, RepositoryNotFound, type RepositoryPath } from "../../src/schema/Repository.ts"
import { Caller, type CallerInfo } from "../../src/services/access/Caller.ts"
import { Cursors } from "../../src/services/access/Cursors.ts"
import { LiveCallersRepo } from "../../src/services/access/LiveCallersRepo.ts"
import { OpenStreams } from "../../src/services/access/OpenStreams.ts"
import { Spend } from "../../src/services/access/Spend.ts"
import { SpendRepo } from "../../src/services/access/SpendRepo.ts"
import { Forecasts } from "../../src/services/forecasts/Forecasts.ts"
import { ForecastsRepo } from "../../src/services/forecasts/ForecastsRepo.ts"
import { IdempotencyRepo } from "../../src/services/jobs/IdempotencyRepo.ts"
import { JobAdmissionRepo } from "../../src/services/jobs/JobAdmissionRepo.ts"
import { JobClaimsRepo } from "../../src/services/jobs/JobClaimsRepo.ts"
import { JobEvents } from "../../src/services/jobs/JobEvents.ts"
import { channels, JobEventsRepo } from "../../src/services/jobs/JobEventsRepo.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../src/services/jobs/JobsRepo.ts"
import { StagesRepo } from "../../src/services/jobs/StagesRepo.ts"
import { Submissions } from "../../src/services/jobs/Submissions.ts"
import { Notifications } from "../../src/services/ports/Notifications.ts"
import { type Stage, stage, type Workflow } from "../../src/services/ports/Workflow.ts"
import { Workflows } from "../../src/services/ports/Workflows.ts"
import { Repositories } from "../../src/services/repositories/Repositories.ts"
import { newId } from "../../src/services/support/ids.ts"
import { ServerSecrets } from "../../src/services/support/ServerSecrets.ts"
import { AuditLogLive } from "./auditLog.ts"
import { keyCredential } from "./credential.ts"
import { Database } from "./Database.ts"
import { NotificationsLive } from "./notifications.ts"

/** What the remote answers when asked for the branch's commit. */
export class RemoteHead extends Effect.Service<RemoteHead>()("test/RemoteHead", {
  effect: Ref.make<string | null>("c0ffee")
}) {}

const fromTable = Layer.unwrapEffect(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const head = yield* RemoteHead
    return Layer.mock(Repositories, {
      _tag: "Repositories",
      find: (path: RepositoryPath) =>
        Effect.gen(function* () {
          const { workspace_id } = yield* Caller
          const rows = yield* Effect.orDie(sql<Repository>`
            SELECT id, repo_name, head_sha FROM repositories
            WHERE workspace_id = ${workspace_id} AND github_repo = ${path.github_repo} AND deleted_at IS NULL`)
          return rows[0] ?? (yield* new RepositoryNotFound({ message: "No such repository." }))
        }),
      refreshHead: () => Ref.get(head)
    })
  })
)

const noStages: ReadonlyArray<Stage> = [stage("only", () => Effect.succeed({}))]

export const aWorkflow = (name: WorkflowName, stages: ReadonlyArray<Stage> = noStages): Workflow => ({
  name,
  params: closed({ depth: Schema.optionalWith(Schema.Int, { default: () => 1 }) }),
  stages
})

export const someWorkflows = Workflows.layer(aWorkflow("standard_audit"), aWorkflow("audit"), aWorkflow("fix"))

const repos = Layer.mergeAll(
  JobsRepo.Default,
  JobClaimsRepo.Default,
  JobAdmissionRepo.Default,
  StagesRepo.Default,
  IdempotencyRepo.Default,
  ForecastsRepo.Default,
  SpendRepo.Default
).pipe(Layer.provideMerge(MissionJobsBelow), Layer.provideMerge(JobEventsRepo.Default))

/** Jobs and their repos, without an engine. */
const jobs = Submissions.Default.pipe(
  Layer.provideMerge(Jobs.Default),
  Layer.provideMerge(Layer.merge(Forecasts.Default, Spend.Default)),
  Layer.provide(fromTable),
  Layer.provideMerge(RemoteHead.Default),
  Layer.provideMerge(Cursors.Default),
  Layer.provide(ServerSecrets.Default),
  Layer.provideMerge(AuditLogLive),
  Layer.provideMerge(repos)
)

/** The same with events. */
export const jobsWithEvents = JobEvents.Default.pipe(
  Layer.provide(OpenStreams.Default.pipe(Layer.provide(LiveCallersRepo.Default))),
  Layer.provideMerge(jobs),
  Layer.provideMerge(NotificationsLive)
)

export const JobsOverDatabase = jobs.pipe(Layer.provideMerge(someWorkflows), Layer.provideMerge(Database))

export const JobEventsOverDatabase = jobsWithEvents.pipe(
  Layer.provideMerge(someWorkflows),
  Layer.provideMerge(Database)
)

export interface Tenant {
  readonly caller: CallerInfo
  readonly path: RepositoryPath
  readonly repository_id: RepositoryId
}

/** A workspace with one repository, and a caller who may do everything there. */
export const aTenant = (permissions: ReadonlyArray<Scope> = scopes) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [workspace_id, repository_id] = [yield* newId(WorkspaceId), yield* newId(RepositoryId)]
    const path = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
    yield* sql`INSERT INTO workspaces (id, name, created_at) VALUES (${workspace_id}, 'Acme', '2026-01-01T00:00:00Z')`
    yield* sql`
      INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url,
        head_sha, created_at)
      VALUES (${repository_id}, ${workspace_id}, 'acme', 'api', 'main', 'anonymous', 'https://example.org/acme/api',
        'c0ffee', '2026-01-01T00:00:00Z')`
    const caller: CallerInfo = {
      workspace_id,
      actor: { kind: "api_key", label: "ci", api_key_id: yield* newId(KeyId), user_id: null },
      permissions: new Set(permissions),
      hidden_repositories: [],
      credential: keyCredential(yield* newId(KeyId))
    }
    return { caller, path, repository_id } satisfies Tenant
  }).pipe(Effect.orDie)

export const as =
  ({ caller }: Pick<Tenant, "caller">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, Caller, caller)

export const submitted = (tenant: Tenant, workflow: WorkflowName = "standard_audit", params?: Job["params"]) =>
  Effect.flatMap(Submissions, (submissions) => submissions.submit({ path: tenant.path, workflow, params })).pipe(
    Effect.map(({ job }) => job),
    as(tenant)
  )

/** Claims and ends a job as the engine would. */
export const ended = (id: JobId, status: "completed" | "failed") =>
  Effect.gen(function* () {
    const repo = yield* JobsRepo
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* sql`UPDATE jobs SET status = 'running', started_at = ${at} WHERE id = ${id}`
    yield* status === "completed"
      ? repo.complete({ id, run: 1, last_stage: null, at })
      : repo.fail({ id, run: 1, failure_kind: "timeout", error: "Too slow.", at })
  })

/** Waits for a moment at which the condition holds, checking again whenever the job reports an event. */
export const until = <A, E, R>(look: Effect.Effect<A, E, R>, holds: (a: A) => boolean) =>
  Effect.gen(function* () {
    const { watch } = yield* Notifications
    return yield* Stream.merge(watch(channels.events), Stream.tick("200 millis")).pipe(
      Stream.mapEffect(() => look),
      Stream.filter(holds),
      Stream.runHead,
      Effect.map(Option.getOrThrow)
    )
  })
