import { SqlClient } from "@effect/sql"
import { Effect, Option, Schema } from "effect"
import type { Finding, Signatures } from "../../engine/index.ts"
import { JobId, ObservationId, RepositoryId, WorkspaceId } from "../../schema/Ids.ts"
import { CloseReason, DismissalCategory, ObservationNumber, ObservationStatus } from "../../schema/Observation.ts"
import { Count } from "../../schema/Text.ts"
import { firstRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

// The engine's own type: a signature that it adds must be added here to be read back.
const SignaturesColumn: Schema.Schema<Signatures> = Schema.Struct({
  version: Count,
  primary: Schema.String,
  located: Schema.String,
  moved: Schema.String,
  sites: Schema.Array(Schema.String)
})

/** What an audit needs of a stored observation to re-identify it. */
export const KnownRow = Schema.Struct({
  id: ObservationId,
  number: ObservationNumber,
  status: ObservationStatus,
  close_reason: Schema.NullOr(CloseReason),
  dismissal_category: Schema.NullOr(DismissalCategory),
  kind: Schema.String,
  tool: Schema.String,
  tool_version: Count,
  rule_id: Schema.String,
  file_path: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  signatures: SignaturesColumn,
  anchor: Schema.String,
  last_seen_job_id: Schema.NullOr(JobId)
})
export type KnownRow = typeof KnownRow.Type

/**
 * The columns that a finding decides, with what it stores in each, for inserting and refreshing. A field of a finding is a
 * column of the same name; those named here are stored in another way, or not at all.
 */
const columnsOf = (
  sql: SqlClient.SqlClient,
  { identifiers: _, region: __, cwe, evidence, locations, steps, signatures, ...columns }: Finding
) => ({
  ...columns,
  cwe: sql`${[...cwe]}::int[]`,
  evidence: jsonb(evidence),
  locations: jsonb(locations),
  steps: jsonb(steps),
  file_path: locations[0].file_path,
  symbol: locations[0].symbol,
  signatures: jsonb(signatures)
})

interface Location {
  readonly workspace_id: WorkspaceId
  readonly repository_id: RepositoryId
}

/** A finding of a scan, with the observation that it is. */
interface Occurrence {
  readonly workspace_id: WorkspaceId
  readonly finding: Finding
  readonly id: ObservationId
  readonly job_id: JobId
  readonly at: string
}

interface NewOccurrence extends Occurrence {
  readonly repository_id: RepositoryId
  readonly number: ObservationNumber
}

const ById = Schema.Struct({ id: ObservationId })
const Drawn = Schema.Struct({ first: ObservationNumber })
const LastCommit = Schema.Struct({ sha: Schema.NullOr(Schema.String) })
const LastSuite = Schema.Struct({ suite: Schema.Literal("standard", "full") })
const OpenPath = Schema.Struct({ file_path: Schema.String })

export class RecordingRepo extends Effect.Service<RecordingRepo>()("RecordingRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /**
     * Two recordings of one repository take turns, so that neither makes duplicates of what the other found. Not FOR UPDATE:
     * foreign keys of a transaction that holds one of its observations would wait for the recording, which waits for them.
     */
    const lockRepository = ({ workspace_id, repository_id }: Location) =>
      run(
        sql`SELECT 1 FROM repositories WHERE workspace_id = ${workspace_id} AND id = ${repository_id} FOR NO KEY UPDATE`
      )

    const knownColumns = sql.literal(`id, number, status, close_reason, dismissal_category, kind, tool, tool_version,
      rule_id, file_path, symbol, signatures, anchor, last_seen_job_id`)

    const known = ({ workspace_id, repository_id }: Location) =>
      rows(
        KnownRow,
        sql`SELECT ${knownColumns} FROM observations WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} ORDER BY number`
      )

    /** Those that a rule reported, as `known`. */
    const knownOfRule = ({ workspace_id, repository_id, rule_id }: Location & { readonly rule_id: string }) =>
      rows(
        KnownRow,
        sql`SELECT ${knownColumns} FROM observations
          WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND rule_id = ${rule_id}
          ORDER BY number`
      )

    /** Observations that were fixed after the job started: the fix may not be in the commit that the job works on. */
    const fixedSinceStart = ({ workspace_id, repository_id, job_id }: Location & { readonly job_id: JobId }) =>
      Effect.map(
        rows(
          ById,
          sql`SELECT id FROM observations WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
              AND close_reason = 'fixed' AND closed_at > (SELECT started_at FROM jobs WHERE id = ${job_id})`
        ),
        (found) => new Set(found.map(({ id }) => id))
      )

    /** Draws `count` numbers; the first of them. */
    const drawNumbers = (request: { readonly workspace_id: WorkspaceId; readonly count: number }) =>
      Effect.map(
        onlyRow(
          Drawn,
          sql`UPDATE workspaces SET next_observation = next_observation + ${request.count}
            WHERE id = ${request.workspace_id} RETURNING next_observation - ${request.count} AS first`
        ),
        ({ first }) => first
      )

    const insert = ({ finding, ...row }: NewOccurrence) => {
      const columns = columnsOf(sql, finding)
      return run(sql`
        INSERT INTO observations (${sql.literal(Object.keys(columns).join(", "))}, id, workspace_id, repository_id, number,
          first_seen_at, last_seen_at, first_seen_job_id, last_seen_job_id, created_at, updated_at)
        VALUES (${sql.csv(Object.values(columns).map((value) => sql`${value}`))}, ${row.id}, ${row.workspace_id},
          ${row.repository_id}, ${row.number}, ${row.at}, ${row.at}, ${row.job_id}, ${row.job_id}, ${row.at}, ${row.at})`)
    }

    /** The newest finding replaces what was stored; `updated_at` moves only when a reader would notice. */
    const refresh = ({ workspace_id, finding, id, job_id, at }: Occurrence) => {
      const columns = columnsOf(sql, finding)
      const { title, description, priority, locations, steps } = columns
      return run(sql`
        UPDATE observations SET
          ${sql.csv(Object.entries(columns).map(([name, value]) => sql`${sql.literal(name)} = ${value}`))},
          last_seen_at = ${at}, last_seen_job_id = ${job_id}, times_seen = times_seen + 1,
          updated_at = CASE WHEN (title, description, priority, locations, steps)
            IS DISTINCT FROM (${title}::text, ${description}::text, ${priority}::text, ${locations}, ${steps})
            THEN ${at}::timestamptz ELSE updated_at END
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)
    }

    /**
     * Adds the counts of the repository's observations up, of which every change has left some. Under `lockRepository`, so
     * that no two do it at once; what others append meanwhile stays.
     */
    const addCountsUp = ({ workspace_id, repository_id }: Location) => {
      const combination =
        sql.literal(`workspace_id, repository_id, status, open_fix_pr, kind, priority, category, domain,
        tool, rule_id`)
      return run(sql`
        WITH separate AS (
          DELETE FROM observation_counts WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id}
          RETURNING *
        )
        INSERT INTO observation_counts (${combination}, count)
          SELECT ${combination}, sum(count) FROM separate GROUP BY ${combination} HAVING sum(count) <> 0`)
    }

    const markAudited = (
      request: Location & { readonly commit: string; readonly at: string; readonly lines: number | null }
    ) =>
      run(sql`UPDATE repositories SET last_audit_at = ${request.at}, last_audit_sha = ${request.commit},
        head_sha = ${request.commit}, lines = coalesce(${request.lines}::bigint, lines)
        WHERE workspace_id = ${request.workspace_id} AND id = ${request.repository_id}`)

    const lastAuditedCommit = ({ workspace_id, repository_id }: Location) =>
      Effect.map(
        firstRow(
          LastCommit,
          sql`SELECT last_audit_sha AS sha FROM repositories WHERE workspace_id = ${workspace_id} AND id = ${repository_id}`
        ),
        Option.flatMapNullable((row) => row.sha)
      )

    /** What the newest audit looked for, if there was one. */
    const lastSuite = ({ workspace_id, repository_id }: Location) =>
      Effect.map(
        firstRow(
          LastSuite,
          sql`
            SELECT CASE workflow WHEN 'audit' THEN 'full' ELSE 'standard' END AS suite FROM jobs
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND workflow IN ('audit', 'standard_audit') AND status = 'completed'
            ORDER BY finished_at DESC LIMIT 1`
        ),
        Option.map((row) => row.suite)
      )

    /** Files that open observations are about. */
    const openPaths = ({ workspace_id, repository_id }: Location) =>
      Effect.map(
        rows(
          OpenPath,
          sql`SELECT DISTINCT file_path FROM observations
            WHERE workspace_id = ${workspace_id} AND repository_id = ${repository_id} AND status = 'new' ORDER BY file_path`
        ),
        (rows) => rows.map((row) => row.file_path)
      )

    return {
      lockRepository,
      known,
      fixedSinceStart,
      knownOfRule,
      drawNumbers,
      insert,
      refresh,
      addCountsUp,
      markAudited,
      lastAuditedCommit,
      lastSuite,
      openPaths
    }
  })
}) {}
