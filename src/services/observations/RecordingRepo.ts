import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Finding, Signatures } from "../../engine/index.ts"
import type { CloseReason, DismissalCategory, ObservationStatus } from "../../schema/Observation.ts"
import { jsonb } from "../support/statements.ts"

/** What an audit needs of a stored observation to know it again. */
export interface KnownRow {
  readonly id: string
  readonly number: number
  readonly status: ObservationStatus
  readonly close_reason: CloseReason | null
  readonly dismissal_category: DismissalCategory | null
  readonly kind: string
  readonly tool: string
  readonly tool_version: number
  readonly rule_id: string
  readonly file_path: string
  readonly symbol: string | null
  readonly signatures: Signatures
  readonly anchor: string
  readonly last_seen_job_id: string | null
}

/**
 * The columns that a finding decides, with what it stores in each. Inserting and refreshing share this list, so a new
 * column is one line here.
 */
const columnsOf = (sql: SqlClient.SqlClient, finding: Finding) => ({
  kind: finding.kind,
  priority: finding.priority,
  category: finding.category,
  domain: finding.domain,
  tool: finding.tool,
  tool_version: finding.tool_version,
  rule_id: finding.rule_id,
  title: finding.title,
  description: finding.description,
  cwe: sql`${[...finding.cwe]}::int[]`,
  confidence: finding.confidence,
  effort: finding.effort,
  risk: finding.risk,
  evidence: jsonb(finding.evidence),
  locations: jsonb(finding.locations),
  steps: jsonb(finding.steps),
  file_path: finding.locations[0].file_path,
  symbol: finding.locations[0].symbol,
  snippet: finding.snippet,
  suggested_change: finding.suggested_change,
  signatures: jsonb(finding.signatures),
  anchor: finding.anchor
})

/** A finding of a scan, with the observation that it is. */
interface Occurrence {
  readonly finding: Finding
  readonly id: string
  readonly job_id: string
  readonly at: string
}

interface NewOccurrence extends Occurrence {
  readonly workspace_id: string
  readonly repository_id: string
  readonly number: number
}

export class RecordingRepo extends Effect.Service<RecordingRepo>()("RecordingRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const run = <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.asVoid(Effect.orDie(statement))

    /**
     * Two recordings of one repository take turns, so that neither makes twins of what the other found. Not FOR UPDATE:
     * foreign keys of whoever holds one of its observations would wait for the recording, which waits for them.
     */
    const lockRepository = (repositoryId: string) =>
      run(sql`SELECT 1 FROM repositories WHERE id = ${repositoryId} FOR NO KEY UPDATE`)

    const known = (repositoryId: string) =>
      Effect.orDie(
        sql<KnownRow>`SELECT id, number, status, close_reason, dismissal_category, kind, tool, tool_version, rule_id,
            file_path, symbol, signatures, anchor, last_seen_job_id
          FROM observations WHERE repository_id = ${repositoryId} ORDER BY number`
      )

    /** Draws `count` numbers; the first of them. */
    const drawNumbers = (request: { readonly workspace_id: string; readonly count: number }) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly first: number }>`UPDATE workspaces SET next_observation = next_observation + ${request.count}
            WHERE id = ${request.workspace_id} RETURNING next_observation - ${request.count} AS first`
        ),
        (rows) => rows[0]!.first
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
    const refresh = ({ finding, id, job_id, at }: Occurrence) => {
      const columns = columnsOf(sql, finding)
      const { title, description, priority, locations, steps } = columns
      return run(sql`
        UPDATE observations SET
          ${sql.csv(Object.entries(columns).map(([name, value]) => sql`${sql.literal(name)} = ${value}`))},
          last_seen_at = ${at}, last_seen_job_id = ${job_id}, times_seen = times_seen + 1,
          updated_at = CASE WHEN (title, description, priority, locations, steps)
            IS DISTINCT FROM (${title}::text, ${description}::text, ${priority}::text, ${locations}, ${steps})
            THEN ${at}::timestamptz ELSE updated_at END
        WHERE id = ${id}`)
    }

    const markAudited = (request: { readonly repository_id: string; readonly commit: string; readonly at: string }) =>
      run(sql`UPDATE repositories SET last_audit_at = ${request.at}, last_audit_sha = ${request.commit},
        head_sha = ${request.commit} WHERE id = ${request.repository_id}`)

    const lastAuditedCommit = (repositoryId: string) =>
      Effect.map(
        Effect.orDie(
          sql<{
            readonly sha: string | null
          }>`SELECT last_audit_sha AS sha FROM repositories WHERE id = ${repositoryId}`
        ),
        (rows) => rows[0]?.sha ?? null
      )

    /** What the newest audit looked for; null when there was none. */
    const lastSuite = (repositoryId: string) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly suite: "standard" | "full" }>`
            SELECT CASE workflow WHEN 'audit' THEN 'full' ELSE 'standard' END AS suite FROM jobs
            WHERE repository_id = ${repositoryId} AND workflow IN ('audit', 'standard_audit') AND status = 'completed'
            ORDER BY finished_at DESC LIMIT 1`
        ),
        (rows) => rows[0]?.suite ?? null
      )

    /** Files that open observations are about. */
    const openPaths = (repositoryId: string) =>
      Effect.map(
        Effect.orDie(
          sql<{ readonly file_path: string }>`SELECT DISTINCT file_path FROM observations
            WHERE repository_id = ${repositoryId} AND status = 'new' ORDER BY file_path`
        ),
        (rows) => rows.map((row) => row.file_path)
      )

    return {
      lockRepository,
      known,
      drawNumbers,
      insert,
      refresh,
      markAudited,
      lastAuditedCommit,
      lastSuite,
      openPaths
    }
  })
}) {}
