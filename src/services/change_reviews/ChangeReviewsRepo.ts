import { SqlClient } from "@effect/sql"
import { Effect, Schema, Struct } from "effect"
import { AuditActor } from "../../schema/AuditLog.ts"
import { ChangeReviewCriterion } from "../../schema/ChangeReview.ts"
import { ChangeReviewId, JobId, RepositoryId, type WorkspaceId } from "../../schema/Ids.ts"
import { JobStatus } from "../../schema/Job.ts"
import { Count, Instant, Uuid } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { firstRow, hasRow, onlyRow, rows, run } from "../support/rows.ts"
import { jsonb } from "../support/statements.ts"

export const BranchRow = Schema.Struct({
  id: Uuid,
  repository_id: RepositoryId,
  /** `owner/repo@branch`. */
  repository: Schema.String,
  /** Name of the registered branch. */
  base: Schema.String,
  branch: Schema.String,
  base_sha: Schema.NullOr(Schema.String),
  head_sha: Schema.NullOr(Schema.String),
  latest_sha: Schema.NullOr(Schema.String),
  /** Whether the remote was asked for the newest commit a moment ago. */
  checked_at: Schema.NullOr(Instant),
  pr_number: Schema.NullOr(Count),
  problem: Schema.NullOr(Schema.String)
})
export type BranchRow = typeof BranchRow.Type

export const CriterionRow = Schema.Struct({
  ...ChangeReviewCriterion.fields,
  decided_for: Schema.NullOr(Schema.String)
})
export type CriterionRow = typeof CriterionRow.Type

export const ReviewRow = Schema.Struct({
  id: ChangeReviewId,
  name: Schema.String,
  title: Schema.String,
  branches: Schema.Array(BranchRow),
  criteria: Schema.Array(CriterionRow),
  job_id: Schema.NullOr(JobId),
  job_status: Schema.NullOr(JobStatus),
  round: Count,
  created_by: AuditActor,
  created_at: Instant,
  updated_at: Instant
})
export type ReviewRow = typeof ReviewRow.Type

/** What the readiness of a review follows from. */
export const VerdictsRow = Schema.Struct({
  name: Schema.String,
  branches: Schema.Array(Schema.Struct(Struct.pick(BranchRow.fields, "head_sha", "latest_sha"))),
  criteria: Schema.Array(Schema.Struct(Struct.pick(CriterionRow.fields, "verdict"))),
  job_status: ReviewRow.fields.job_status
})
export type VerdictsRow = typeof VerdictsRow.Type

export interface NewReview {
  readonly id: ChangeReviewId
  readonly workspace_id: WorkspaceId
  readonly name: string
  readonly title: string
  readonly created_by: AuditActor
  readonly created_at: string
}

export interface NewBranch {
  readonly id: string
  readonly repository_id: RepositoryId
  readonly branch: string
  readonly latest_sha: string | null
}

/** A criterion to be stored; one that is kept comes with its verdict. */
export type NewCriterionRow = typeof CriterionRow.Type

/** One review of a workspace. */
interface Of {
  readonly workspace_id: WorkspaceId
  readonly id: ChangeReviewId
}

interface BranchFound {
  readonly workspace_id: WorkspaceId
  readonly id: string
}

const Drawn = Schema.Struct({ number: Count })
const newestFirst = keyset("DESC", { "c.updated_at": "timestamptz", "c.id": "uuid" })

/** Change reviews with their branches and criteria. Row-level security shows those only whose every repository is seen. */
export class ChangeReviewsRepo extends Effect.Service<ChangeReviewsRepo>()("ChangeReviewsRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const instant = (column: string) =>
      sql.literal(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)

    // A review of a repository that was deleted is not shown, like its jobs.
    const ofWorkspace = (workspace_id: WorkspaceId) => sql`
      FROM change_reviews c LEFT JOIN jobs j ON j.id = c.job_id
      WHERE c.workspace_id = ${workspace_id} AND NOT EXISTS (
        SELECT FROM repositories r WHERE r.id = ANY (c.repository_ids) AND r.deleted_at IS NOT NULL)`

    const reviews = (workspace_id: WorkspaceId) => sql`
      SELECT c.id, c.name, c.title, c.job_id, j.status AS job_status, c.round, c.created_by, c.created_at, c.updated_at,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'repository_id', b.repository_id,
            'repository', r.github_org || '/' || r.repo_name, 'base', r.github_base_branch, 'branch', b.branch,
            'base_sha', b.base_sha, 'head_sha', b.head_sha, 'latest_sha', b.latest_sha,
            'checked_at', ${instant("b.checked_at")}, 'pr_number', b.pr_number, 'problem', b.problem)
            ORDER BY b.position), '[]')
          FROM change_review_branches b JOIN repositories r ON r.id = b.repository_id
          WHERE b.change_review_id = c.id) AS branches,
        (SELECT coalesce(jsonb_agg(jsonb_build_object('id', k.id, 'text', k.text, 'check', k.builtin,
            'verdict', k.verdict, 'reason', k.reason, 'evidence', k.evidence, 'decided_for', k.decided_for)
            ORDER BY k.position), '[]')
          FROM change_review_criteria k WHERE k.change_review_id = c.id) AS criteria
      ${ofWorkspace(workspace_id)}`

    /** Without the texts and the evidence, of which a review can have half a megabyte. */
    const newestVerdicts = ({ workspace_id, limit }: { readonly workspace_id: WorkspaceId; readonly limit: number }) =>
      rows(
        VerdictsRow,
        sql`SELECT c.name, j.status AS job_status,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('head_sha', b.head_sha, 'latest_sha', b.latest_sha)), '[]')
              FROM change_review_branches b WHERE b.change_review_id = c.id) AS branches,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('verdict', k.verdict)), '[]')
              FROM change_review_criteria k WHERE k.change_review_id = c.id) AS criteria
          ${ofWorkspace(workspace_id)} ORDER BY ${newestFirst.by} LIMIT ${limit}`
      )

    const byName = ({ workspace_id, name }: { readonly workspace_id: WorkspaceId; readonly name: string }) =>
      firstRow(ReviewRow, sql`${reviews(workspace_id)} AND c.name = ${name}`)

    /** Not there where it was deleted, or where a repository of its branches was. */
    const withId = ({ workspace_id, id }: Of) => firstRow(ReviewRow, sql`${reviews(workspace_id)} AND c.id = ${id}`)

    /** One that is there. */
    const byId = (of: Of) => Effect.orDie(Effect.flatten(withId(of)))

    /** The newest review of exactly these branches. */
    const byBranches = (request: { readonly workspace_id: WorkspaceId; readonly branches_hash: string }) =>
      firstRow(
        ReviewRow,
        sql`${reviews(request.workspace_id)} AND c.branches_hash = ${request.branches_hash}
          ORDER BY ${newestFirst.by} LIMIT 1`
      )

    /** The newest review that one branch, or pull request, of a repository on any registered branch is part of. */
    const containing = (request: {
      readonly workspace_id: WorkspaceId
      readonly github_org: string
      readonly github_repo: string
      readonly branch: string | null
      readonly pr_number: number | null
    }) =>
      firstRow(
        ReviewRow,
        sql`${reviews(request.workspace_id)} AND EXISTS (
            SELECT FROM change_review_branches b JOIN repositories r ON r.id = b.repository_id
            WHERE b.change_review_id = c.id AND r.github_org = ${request.github_org}
              AND r.github_repo = ${request.github_repo}
              AND (b.branch = ${request.branch} OR b.pr_number = ${request.pr_number}::integer))
          ORDER BY ${newestFirst.by} LIMIT 1`
      )

    const list = (request: {
      readonly workspace_id: WorkspaceId
      readonly after: Position | null
      readonly limit: number
    }) =>
      rows(
        ReviewRow,
        sql`${reviews(request.workspace_id)} AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit}`
      )

    /** Whether a review has the name, seen or not: to be asked without the caller's reach. */
    const isTaken = ({ workspace_id, name }: { readonly workspace_id: WorkspaceId; readonly name: string }) =>
      hasRow(sql`SELECT FROM change_reviews WHERE workspace_id = ${workspace_id} AND name = ${name}`)

    /** Reviews of a workspace are started one at a time: names and branches are checked exactly. */
    const lockReviewsOf = (workspace_id: WorkspaceId) =>
      run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assay/change_reviews/${workspace_id}`}, 0))`)

    const drawNumber = (workspace_id: WorkspaceId) =>
      Effect.map(
        onlyRow(
          Drawn,
          sql`UPDATE workspaces SET next_change_review = next_change_review + 1
            WHERE id = ${workspace_id} RETURNING next_change_review - 1 AS number`
        ),
        ({ number }) => number
      )

    const insert = ({ created_by, ...review }: NewReview) =>
      run(sql`INSERT INTO change_reviews (id, workspace_id, name, title, created_by, created_at, updated_at)
        VALUES (${review.id}, ${review.workspace_id}, ${review.name}, ${review.title}, ${jsonb(created_by)},
          ${review.created_at}, ${review.created_at})`)

    const update = (review: Of & { readonly title: string; readonly at: string }) =>
      run(sql`UPDATE change_reviews SET title = ${review.title}, updated_at = ${review.at}
        WHERE workspace_id = ${review.workspace_id} AND id = ${review.id}`)

    /** Those in place of the ones before; what was read of a branch that stays is kept. */
    const setBranches = Effect.fnUntraced(function* ({
      workspace_id,
      id,
      branches,
      branches_hash
    }: Of & { readonly branches: ReadonlyArray<NewBranch>; readonly branches_hash: string }) {
      yield* run(sql`DELETE FROM change_review_branches b
        WHERE b.workspace_id = ${workspace_id} AND b.change_review_id = ${id} AND NOT EXISTS (
          SELECT FROM unnest(${branches.map((one) => one.repository_id)}::uuid[], ${branches.map((one) => one.branch)}::text[])
            AS n(repository_id, branch) WHERE n.repository_id = b.repository_id AND n.branch = b.branch)`)
      yield* Effect.forEach(branches, (branch, position) =>
        run(sql`INSERT INTO change_review_branches (id, workspace_id, change_review_id, repository_id, position, branch, latest_sha)
          VALUES (${branch.id}, ${workspace_id}, ${id}, ${branch.repository_id}, ${position}, ${branch.branch},
            ${branch.latest_sha})
          ON CONFLICT (change_review_id, repository_id, branch) DO UPDATE
            SET position = excluded.position, latest_sha = coalesce(excluded.latest_sha, change_review_branches.latest_sha)`)
      )
      const repositories = [...new Set(branches.map((one) => one.repository_id))]
      yield* run(sql`UPDATE change_reviews SET repository_ids = ${repositories}::uuid[], branches_hash = ${branches_hash}
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)
    })

    const setCriteria = Effect.fnUntraced(function* ({
      workspace_id,
      id,
      criteria
    }: Of & { readonly criteria: ReadonlyArray<NewCriterionRow> }) {
      yield* run(sql`DELETE FROM change_review_criteria
        WHERE workspace_id = ${workspace_id} AND change_review_id = ${id}`)
      yield* Effect.forEach(criteria, (one, position) =>
        run(sql`INSERT INTO change_review_criteria (id, workspace_id, change_review_id, position, text, builtin, verdict, reason, evidence, decided_for)
          VALUES (${one.id}, ${workspace_id}, ${id}, ${position}, ${one.text}, ${jsonb(one.check)}, ${one.verdict},
            ${one.reason}, ${jsonb(one.evidence)}, ${one.decided_for})`)
      )
    })

    /** The next job's number within the review: what makes its submission another one than the last. */
    const nextRound = ({ workspace_id, id }: Of) =>
      Effect.map(
        onlyRow(
          Drawn,
          sql`UPDATE change_reviews SET round = round + 1
            WHERE workspace_id = ${workspace_id} AND id = ${id} RETURNING round AS number`
        ),
        ({ number }) => number
      )

    const setJob = ({ workspace_id, id, job_id, at }: Of & { readonly job_id: JobId; readonly at: string }) =>
      run(sql`UPDATE change_reviews SET job_id = ${job_id}, updated_at = ${at}
        WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    /** Whether the job is the review's newest: an older one writes nothing any more. Locks the review. */
    const isNewestJob = ({ workspace_id, id, job_id }: Of & { readonly job_id: JobId }) =>
      hasRow(sql`SELECT FROM change_reviews
        WHERE workspace_id = ${workspace_id} AND id = ${id} AND job_id = ${job_id} FOR NO KEY UPDATE`)

    /** What a job has read of a branch. */
    const recordBranch = (
      branch: BranchFound & {
        readonly base_sha: string | null
        readonly head_sha: string | null
        readonly problem: string | null
        readonly at: string
      }
    ) =>
      run(sql`UPDATE change_review_branches SET base_sha = ${branch.base_sha}, head_sha = ${branch.head_sha},
          latest_sha = coalesce(${branch.head_sha}, latest_sha), checked_at = ${branch.at}, problem = ${branch.problem}
        WHERE workspace_id = ${branch.workspace_id} AND id = ${branch.id}`)

    /** What the remote reports; null where it did not answer, or has no such branch any more. */
    const recordLatest = (branch: BranchFound & { readonly latest_sha: string | null; readonly at: string }) =>
      run(sql`UPDATE change_review_branches SET latest_sha = coalesce(${branch.latest_sha}, latest_sha), checked_at = ${branch.at}
        WHERE workspace_id = ${branch.workspace_id} AND id = ${branch.id}`)

    /** A code host reports a push: what it names is known, and where it names no commit the next reader asks for it. */
    const pushed = (push: {
      readonly repositories: ReadonlyArray<RepositoryId>
      readonly branch: string
      readonly commit: string | null
      readonly pr_number: number | null
    }) =>
      run(sql`UPDATE change_review_branches SET checked_at = NULL, latest_sha = coalesce(${push.commit}, latest_sha),
          pr_number = coalesce(${push.pr_number}, pr_number)
        WHERE repository_id = ANY (${[...push.repositories]}::uuid[]) AND branch = ${push.branch}`)

    const recordVerdict = (
      criterion: BranchFound & Pick<CriterionRow, "verdict" | "reason" | "evidence" | "decided_for">
    ) =>
      run(sql`UPDATE change_review_criteria SET verdict = ${criterion.verdict}, reason = ${criterion.reason},
          evidence = ${jsonb(criterion.evidence)}, decided_for = ${criterion.decided_for}
        WHERE workspace_id = ${criterion.workspace_id} AND id = ${criterion.id}`)

    const touch = ({ workspace_id, id, at }: Of & { readonly at: string }) =>
      run(sql`UPDATE change_reviews SET updated_at = ${at} WHERE workspace_id = ${workspace_id} AND id = ${id}`)

    return {
      byName,
      withId,
      byId,
      byBranches,
      containing,
      list,
      newestVerdicts,
      isTaken,
      lockReviewsOf,
      drawNumber,
      insert,
      update,
      setBranches,
      setCriteria,
      nextRound,
      setJob,
      isNewestJob,
      recordBranch,
      recordLatest,
      pushed,
      recordVerdict,
      touch
    }
  })
}) {}
