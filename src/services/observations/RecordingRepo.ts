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

/** The columns that a finding decides. */
export interface FindingColumns {
  readonly kind: string
  readonly priority: string
  readonly category: string
  readonly domain: string
  readonly tool: string
  readonly tool_version: number
  readonly rule_id: string
  readonly title: string
  readonly description: string
  readonly cwe: ReadonlyArray<number>
  readonly confidence: number
  readonly effort: string
  readonly risk: string
  readonly evidence: unknown
  readonly locations: ReadonlyArray<unknown>
  readonly file_path: string
  readonly symbol: string | null
  readonly snippet: string
  readonly suggested_change: string | null
  readonly signatures: Signatures
  readonly anchor: string
}

export const columnsOf = (finding: Finding): FindingColumns => ({
  kind: finding.kind,
  priority: finding.priority,
  category: finding.category,
  domain: finding.domain,
  tool: finding.tool,
  tool_version: finding.tool_version,
  rule_id: finding.rule_id,
  title: finding.title,
  description: finding.description,
  cwe: finding.cwe,
  confidence: finding.confidence,
  effort: finding.effort,
  risk: finding.risk,
  evidence: { citation: finding.evidence.citation, detection_query: finding.evidence.detection },
  locations: finding.locations,
  file_path: finding.locations[0].file_path,
  symbol: finding.locations[0].symbol,
  snippet: finding.snippet,
  suggested_change: finding.suggested_change,
  signatures: finding.signatures,
  anchor: finding.anchor
})

interface Sighting {
  readonly id: string
  readonly job_id: string
  readonly at: string
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

    const insert = (
      row: FindingColumns &
        Sighting & { readonly workspace_id: string; readonly repository_id: string; readonly number: number }
    ) =>
      run(sql`
        INSERT INTO observations (id, workspace_id, repository_id, number, kind, priority, category, domain, tool,
          tool_version, rule_id, title, description, cwe, confidence, effort, risk, evidence, locations, file_path, symbol,
          snippet, suggested_change, signatures, anchor, first_seen_at, last_seen_at, first_seen_job_id,
          last_seen_job_id, created_at, updated_at)
        VALUES (${row.id}, ${row.workspace_id}, ${row.repository_id}, ${row.number}, ${row.kind}, ${row.priority},
          ${row.category}, ${row.domain}, ${row.tool}, ${row.tool_version}, ${row.rule_id}, ${row.title},
          ${row.description}, ${[...row.cwe]}::int[], ${row.confidence}, ${row.effort}, ${row.risk},
          ${jsonb(row.evidence)}, ${jsonb(row.locations)}, ${row.file_path}, ${row.symbol}, ${row.snippet},
          ${row.suggested_change}, ${jsonb(row.signatures)}, ${row.anchor}, ${row.at}, ${row.at}, ${row.job_id},
          ${row.job_id}, ${row.at}, ${row.at})`)

    /** What the newest sighting says replaces what the one before said; `updated_at` moves only when a reader would notice. */
    const refresh = (row: FindingColumns & Sighting) =>
      run(sql`
        UPDATE observations SET kind = ${row.kind}, priority = ${row.priority}, category = ${row.category},
          domain = ${row.domain}, tool_version = ${row.tool_version}, title = ${row.title},
          description = ${row.description}, cwe = ${[...row.cwe]}::int[], confidence = ${row.confidence},
          effort = ${row.effort}, risk = ${row.risk}, evidence = ${jsonb(row.evidence)},
          locations = ${jsonb(row.locations)}, file_path = ${row.file_path}, symbol = ${row.symbol},
          snippet = ${row.snippet}, suggested_change = ${row.suggested_change}, signatures = ${jsonb(row.signatures)},
          anchor = ${row.anchor}, last_seen_at = ${row.at}, last_seen_job_id = ${row.job_id},
          times_seen = times_seen + 1,
          updated_at = CASE WHEN (title, description, priority, locations)
            IS DISTINCT FROM (${row.title}::text, ${row.description}::text, ${row.priority}::text, ${jsonb(row.locations)})
            THEN ${row.at}::timestamptz ELSE updated_at END
        WHERE id = ${row.id}`)

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
