import { SqlClient } from "@effect/sql"
import { Effect, Layer, Ref, Schema } from "effect"
import { MissionJobsBelow } from "../../src/layers/Repos.ts"
import { ObservationId } from "../../src/schema/Ids.ts"
import { type Observation, ObservationNumberFromRef } from "../../src/schema/Observation.ts"
import { Cursors } from "../../src/services/access/Cursors.ts"
import { Features } from "../../src/services/access/Features.ts"
import { FeaturesRepo } from "../../src/services/access/FeaturesRepo.ts"
import { Spend } from "../../src/services/access/Spend.ts"
import { SpendRepo } from "../../src/services/access/SpendRepo.ts"
import { Discoveries } from "../../src/services/discovery/Discoveries.ts"
import { DiscoveriesRepo } from "../../src/services/discovery/DiscoveriesRepo.ts"
import { Fixes } from "../../src/services/fixes/Fixes.ts"
import { FixPrs } from "../../src/services/fixes/FixPrs.ts"
import { FixRecordsRepo } from "../../src/services/fixes/FixRecordsRepo.ts"
import { ObservationDetailRepo } from "../../src/services/fixes/ObservationDetailRepo.ts"
import { Forecasts } from "../../src/services/forecasts/Forecasts.ts"
import { ForecastsRepo } from "../../src/services/forecasts/ForecastsRepo.ts"
import { IdempotencyRepo } from "../../src/services/jobs/IdempotencyRepo.ts"
import { JobAdmissionRepo } from "../../src/services/jobs/JobAdmissionRepo.ts"
import { JobClaimsRepo } from "../../src/services/jobs/JobClaimsRepo.ts"
import { JobEventsRepo } from "../../src/services/jobs/JobEventsRepo.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../src/services/jobs/JobsRepo.ts"
import { Submissions } from "../../src/services/jobs/Submissions.ts"
import { BulkTriage } from "../../src/services/observations/BulkTriage.ts"
import { BulkTriageRepo } from "../../src/services/observations/BulkTriageRepo.ts"
import { Facets } from "../../src/services/observations/Facets.ts"
import { FacetsRepo } from "../../src/services/observations/FacetsRepo.ts"
import { ObservationCode } from "../../src/services/observations/ObservationCode.ts"
import { ObservationFiltersRepo } from "../../src/services/observations/ObservationFiltersRepo.ts"
import { ObservationListRepo } from "../../src/services/observations/ObservationListRepo.ts"
import { ObservationQueries } from "../../src/services/observations/ObservationQueries.ts"
import { ObservationStateRepo } from "../../src/services/observations/ObservationStateRepo.ts"
import { Observations } from "../../src/services/observations/Observations.ts"
import { ObservationsRepo } from "../../src/services/observations/ObservationsRepo.ts"
import { RecordingRepo } from "../../src/services/observations/RecordingRepo.ts"
import { RuleOutcomesRepo } from "../../src/services/observations/RuleOutcomesRepo.ts"
import { CodeHost, type CodeHostError, type RemoteHeads } from "../../src/services/ports/CodeHost.ts"
import type { Workflow } from "../../src/services/ports/Workflow.ts"
import { Workflows } from "../../src/services/ports/Workflows.ts"
import { RepositoryLifecycle } from "../../src/services/registration/RepositoryLifecycle.ts"
import { ResetRepo } from "../../src/services/registration/ResetRepo.ts"
import { KnownPathsRepo } from "../../src/services/repositories/KnownPathsRepo.ts"
import { Repositories } from "../../src/services/repositories/Repositories.ts"
import { RepositoriesRepo } from "../../src/services/repositories/RepositoriesRepo.ts"
import { newId } from "../../src/services/support/ids.ts"
import { ServerSecrets } from "../../src/services/support/ServerSecrets.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import { AuditLogLive } from "./auditLog.ts"
import { Database } from "./Database.ts"
import type { Tenant } from "./jobs.ts"

/** What every remote answers when it is asked for its branches. */
export class RemoteAnswer extends Effect.Service<RemoteAnswer>()("test/RemoteAnswer", {
  effect: Ref.make<Effect.Effect<RemoteHeads, CodeHostError>>(
    Effect.succeed({ default_branch: "main", heads: new Map([["main", "c0ffee"]]) })
  )
}) {}

const host = Layer.unwrapEffect(
  Effect.map(RemoteAnswer, (answer) => Layer.mock(CodeHost, { inspect: () => Effect.flatten(Ref.get(answer)) }))
)

/** What reads and changes observations. */
export const ObservationRepos = Layer.mergeAll(
  ObservationsRepo.Default,
  RuleOutcomesRepo.Default,
  ObservationListRepo.Default.pipe(Layer.provide(ObservationFiltersRepo.Default)),
  ObservationStateRepo.Default
)

const repos = Layer.mergeAll(
  RepositoriesRepo.Default,
  KnownPathsRepo.Default,
  ResetRepo.Default,
  JobsRepo.Default,
  JobClaimsRepo.Default,
  JobAdmissionRepo.Default,
  IdempotencyRepo.Default,
  ObservationRepos,
  BulkTriageRepo.Default,
  FacetsRepo.Default,
  FeaturesRepo.Default,
  RecordingRepo.Default,
  FixRecordsRepo.Default,
  ObservationDetailRepo.Default,
  DiscoveriesRepo.Default,
  ForecastsRepo.Default,
  SpendRepo.Default
).pipe(
  Layer.provideMerge(MissionJobsBelow),
  Layer.provideMerge(Layer.merge(JobEventsRepo.Default, ObservationFiltersRepo.Default))
)

/** Repositories, jobs and observations with these workflows, over a database, without interfaces or a job engine. */
export const servicesWith = (...workflows: ReadonlyArray<Workflow>) =>
  Layer.merge(Fixes.Default, RepositoryLifecycle.Default).pipe(
    Layer.provideMerge(Submissions.Default),
    Layer.provideMerge(
      Layer.mergeAll(
        Jobs.Default,
        Observations.Default,
        BulkTriage.Default,
        Facets.Default,
        ObservationCode.Default,
        FixPrs.Default,
        Discoveries.Default
      )
    ),
    Layer.provideMerge(ObservationQueries.Default),
    Layer.provideMerge(Forecasts.Default),
    Layer.provideMerge(Workflows.layer(...workflows)),
    Layer.provideMerge(Repositories.Default),
    Layer.provideMerge(host),
    Layer.provideMerge(Layer.mergeAll(Cursors.Default, Spend.Default, Features.Default, RemoteAnswer.Default)),
    Layer.provide(ServerSecrets.Default),
    Layer.provideMerge(AuditLogLive),
    Layer.provideMerge(repos),
    Layer.provideMerge(Database)
  )

export interface ObservationFields
  extends Partial<
    Pick<
      Observation,
      | "kind"
      | "status"
      | "priority"
      | "category"
      | "domain"
      | "confidence"
      | "effort"
      | "risk"
      | "close_reason"
      | "dismissal_category"
      | "closed_at"
      | "updated_at"
      | "fix_attempts"
      | "tool"
      | "rule_id"
      | "first_seen_at"
    >
  > {
  readonly file_path?: string
  readonly repository_id?: string
}

const someTime = "2026-01-01T00:00:00.000Z"

/** Puts observations into a tenant's repository, in one statement; their refs in the same order. */
export const observationsIn = (tenant: Tenant, rows: ReadonlyArray<ObservationFields>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { workspace_id } = tenant.caller
    const drawn = yield* sql<{ readonly first: number }>`
      UPDATE workspaces SET next_observation = next_observation + ${rows.length} WHERE id = ${workspace_id}
      RETURNING next_observation - ${rows.length} AS first`
    const first = drawn[0]!.first
    const filled = yield* Effect.forEach(rows, (row, index) =>
      Effect.map(newId(ObservationId), (id) => {
        const { file_path = "src/index.ts", close_reason = null } = row
        return {
          kind: "finding",
          priority: "P1",
          category: "security",
          domain: "security",
          confidence: 0.9,
          effort: "small",
          risk: "low",
          dismissal_category: close_reason === "dismissed" ? "wont_fix" : null,
          closed_at: close_reason === null ? null : someTime,
          updated_at: someTime,
          fix_attempts: 0,
          tool: "secret_detection",
          rule_id: "aws-key",
          first_seen_at: someTime,
          repository_id: tenant.repository_id,
          ...row,
          id,
          workspace_id,
          number: first + index,
          status: close_reason === null ? "new" : "closed",
          close_reason,
          file_path,
          locations: [{ file_path, symbol: null, line_start: 3, line_end: 4 }],
          signatures: { located: id }
        }
      })
    )
    yield* sql`
      INSERT INTO observations (id, workspace_id, repository_id, number, kind, status, priority, category, domain, tool,
        rule_id, title, description, confidence, effort, risk, evidence, locations, file_path, tool_version, signatures,
        anchor, close_reason, dismissal_category, closed_at, fix_attempts, first_seen_at, last_seen_at, created_at,
        updated_at)
      SELECT id, workspace_id, repository_id, number, kind, status, priority, category, domain, tool,
        rule_id, 'A key in the source', 'Anybody who reads it may use it.', confidence, effort, risk,
        '{"citation": null, "detection_query": null}', locations, file_path, 1, signatures, '', close_reason,
        dismissal_category, closed_at, fix_attempts, first_seen_at, ${someTime}, ${someTime}, updated_at
      FROM jsonb_to_recordset(${jsonb(filled)}) AS r (id uuid, workspace_id uuid, repository_id uuid, number int,
        kind text, status text, priority text, category text, domain text, confidence float8, effort text, risk text,
        locations jsonb, file_path text, signatures jsonb, close_reason text, dismissal_category text,
        closed_at timestamptz, fix_attempts int, updated_at timestamptz, tool text, rule_id text, first_seen_at timestamptz)`
    return rows.map((_, index) => `OBS-${first + index}`)
  }).pipe(Effect.orDie)

/** What the services take instead of a reference. */
export const numberOf = Schema.decodeSync(ObservationNumberFromRef)

export const anOpenFinding = (tenant: Tenant, fields: ObservationFields = {}) =>
  Effect.map(observationsIn(tenant, [fields]), (refs) => refs[0]!)
