import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
import type { JobId, NoticeId, ProjectId, RepositoryId, UserId, WorkspaceId } from "../../schema/Ids.ts"
import { Notice, type NoticeKind } from "../../schema/Notice.ts"
import { Count } from "../../schema/Text.ts"
import { keyset, type Position } from "../support/keyset.ts"
import { countRows, onlyRow, rows, run } from "../support/rows.ts"

/** A signed-in person. */
export interface Reader {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
  readonly managesWorkspace: boolean
}

export interface NewNotice {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
  /** Who may not see the repository does not see the notice; null where it is about none. */
  readonly repository_id: RepositoryId | null
  readonly kind: NoticeKind
  /** What it is about: a person gets one notice of a kind and subject. */
  readonly subject: string
  readonly text: string
  readonly link: string
  readonly at: string
}

const newestFirst = keyset("DESC", { "n.at": "timestamptz", "n.id": "uuid" })

/** What the subject of a notice of proposed context entries begins with. */
const ofContext = "context/"

const projectParameter = "&project="
const proposalLink = (slug: string | null) =>
  `/context?status=proposed${slug === null ? "" : `${projectParameter}${slug}`}`
const slugIn = (link: string): string | null => link.split(projectParameter)[1] ?? null

/** `slug` is that of the level; null for the workspace. */
const proposalText = (count: number, slug: string | null): string =>
  count === 1
    ? `A context entry of ${slug ?? "the workspace"} waits for confirmation.`
    : `${count} context entries of ${slug ?? "the workspace"} wait for confirmation.`

const ListedNotice = Schema.Struct({ ...Notice.fields, proposed: Count })

const Total = Schema.Struct({ n: Count })

/**
 * Part of the statement that ends jobs: a notice to the person who requested one, or whose key did. `changed` is the name
 * of the jobs in it. In the same statement, so that no job ends without its notice.
 */
export const jobEndedNotices = (sql: SqlClient.SqlClient, at: string): Statement.Fragment => sql`
  INSERT INTO notices (id, workspace_id, user_id, repository_id, project_id, kind, subject, text, link, at)
  SELECT uuid_v7(${at}::timestamptz), c.workspace_id, m.user_id, c.repository_id, NULL, 'job_ended', c.id::text,
    format('The job %s of %s %s.', c.workflow, r.repo_name,
      CASE c.status WHEN 'completed' THEN 'has completed' WHEN 'cancelled' THEN 'was cancelled'
        ELSE 'has failed: ' || replace(coalesce(c.failure_kind, 'internal'), '_', ' ') END),
    '/jobs/' || c.id, ${at}::timestamptz
  FROM changed c JOIN repositories r ON r.id = c.repository_id
    LEFT JOIN api_keys k ON k.workspace_id = c.workspace_id AND k.id = (c.requested_by ->> 'api_key_id')::uuid
    JOIN memberships m ON m.workspace_id = c.workspace_id
      AND m.user_id = coalesce(k.created_by, (c.requested_by ->> 'user_id')::uuid)
  WHERE c.finished_at IS NOT NULL
  ORDER BY c.id
  ON CONFLICT ON CONSTRAINT notices_once DO NOTHING`

export class NoticesRepo extends Effect.Service<NoticesRepo>()("NoticesRepo", {
  effect: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const into = sql.literal(
      "INSERT INTO notices (id, workspace_id, user_id, repository_id, project_id, kind, subject, text, link, at)"
    )
    const once = sql.literal("ON CONFLICT ON CONSTRAINT notices_once DO NOTHING")

    /** To a member; people who have left get none. */
    const insert = (notice: NewNotice) =>
      run(sql`${into}
        SELECT uuid_v7(${notice.at}::timestamptz), m.workspace_id, m.user_id, ${notice.repository_id}::uuid, NULL,
          ${notice.kind}, ${notice.subject}, ${notice.text}, ${notice.link}, ${notice.at}::timestamptz
        FROM memberships m WHERE m.workspace_id = ${notice.workspace_id} AND m.user_id = ${notice.user_id} ${once}`)

    /** To all members; those who may not see the repository do not see the notice either. */
    const insertNewFindings = (request: {
      readonly workspace_id: WorkspaceId
      readonly repository_id: RepositoryId
      readonly job_id: JobId
      readonly count: number
      readonly at: string
    }) =>
      run(sql`${into}
        SELECT uuid_v7(${request.at}::timestamptz), m.workspace_id, m.user_id, r.id, NULL, 'new_finding',
          ${request.job_id}, format('An audit of %s found %s of priority P0 or P1.', r.repo_name,
            ${request.count === 1 ? "a new observation" : `${request.count} new observations`}::text),
          '/triage?repo=' || replace(replace(r.github_org || '/' || r.repo_name, '/', '%2F'), '@', '%40')
            || '&priority=P0%2CP1',
          ${request.at}::timestamptz
        FROM repositories r JOIN memberships m ON m.workspace_id = r.workspace_id
        WHERE r.workspace_id = ${request.workspace_id} AND r.id = ${request.repository_id}
        ORDER BY m.user_id ${once}`)

    /**
     * To those who may confirm entries of a level (`line`: its ID and those above it, none for the workspace). One notice a
     * level, which a proposal makes new and unread: keys propose entries by the hundred. One that is both already, for a few
     * seconds, is not written: all that propose entries of the level would wait for its row. How many entries wait is
     * counted when the notice is read. In the order of people, so that two proposals do not wait for each other.
     */
    const insertProposal = (request: {
      readonly workspace_id: WorkspaceId
      readonly line: ReadonlyArray<ProjectId>
      /** Of the level; null for the workspace. */
      readonly slug: string | null
      readonly at: string
    }) => {
      const level = request.line[0] ?? null
      const subject = `${ofContext}${level ?? "workspace"}`
      return run(sql`/* prepared */ ${into}
        SELECT uuid_v7(${request.at}::timestamptz), m.workspace_id, m.user_id, NULL, ${level}::uuid, 'waiting_on_me',
          ${subject}, ${proposalText(1, request.slug)}, ${proposalLink(request.slug)}, ${request.at}::timestamptz
        FROM memberships m
        WHERE m.workspace_id = ${request.workspace_id}
          AND NOT EXISTS (SELECT FROM notices n WHERE n.workspace_id = m.workspace_id AND n.user_id = m.user_id
            AND n.kind = 'waiting_on_me' AND n.subject = ${subject} AND n.read_at IS NULL
            AND n.at > ${request.at}::timestamptz - interval '10 seconds')
          AND (m.role IN ('owner', 'admin') OR EXISTS (
          SELECT FROM project_roles r WHERE r.user_id = m.user_id AND r.project_id = ANY(${[...request.line]}::uuid[])
            AND r.role IN ('editor', 'manager')))
        ORDER BY m.user_id
        ON CONFLICT ON CONSTRAINT notices_once
          DO UPDATE SET text = excluded.text, link = excluded.link, at = excluded.at, read_at = NULL`)
    }

    /**
     * What waits on people until one of them decides. A person has one notice a subject, which is new and unread each time
     * it waits. In the order of people, so that two of these do not wait for each other.
     */
    const insertWaiting = (notice: Omit<NewNotice, "user_id"> & { readonly user_ids: ReadonlyArray<UserId> }) =>
      run(sql`${into}
        SELECT uuid_v7(${notice.at}::timestamptz), m.workspace_id, m.user_id, ${notice.repository_id}::uuid, NULL,
          ${notice.kind}, ${notice.subject}, ${notice.text}, ${notice.link}, ${notice.at}::timestamptz
        FROM memberships m WHERE m.workspace_id = ${notice.workspace_id}
          AND m.user_id = ANY(${[...notice.user_ids]}::uuid[])
        ORDER BY m.user_id
        ON CONFLICT ON CONSTRAINT notices_once
          DO UPDATE SET text = excluded.text, link = excluded.link, at = excluded.at, read_at = NULL`)

    /** The subject waits no longer: what no one has read yet needs no one any more. */
    const settle = (request: Pick<NewNotice, "workspace_id" | "kind" | "subject" | "at">) =>
      run(sql`UPDATE notices SET read_at = ${request.at} WHERE workspace_id = ${request.workspace_id}
        AND kind = ${request.kind} AND subject = ${request.subject} AND read_at IS NULL`)

    /** A person's own; of entries that wait, those only that the person may still confirm. */
    const isVisible = ({ workspace_id, user_id, managesWorkspace }: Reader) =>
      sql.and([
        sql`n.workspace_id = ${workspace_id} AND n.user_id = ${user_id}`,
        managesWorkspace
          ? sql`true`
          : sql`(n.kind <> 'waiting_on_me' OR n.project_id IN (
            WITH RECURSIVE edited AS (
              SELECT r.project_id AS id FROM project_roles r
              WHERE r.workspace_id = ${workspace_id} AND r.user_id = ${user_id} AND r.role IN ('editor', 'manager')
              UNION SELECT p.id FROM projects p JOIN edited ON p.parent_id = edited.id
            ) SELECT id FROM edited))`
      ])

    const list = (
      request: Reader & { readonly unread: boolean | null; readonly after: Position | null; readonly limit: number }
    ) =>
      Effect.map(
        rows(
          ListedNotice,
          sql`SELECT n.id, n.kind, n.text, n.link, n.at, n.read_at, CASE WHEN n.kind = 'waiting_on_me'
              AND n.subject LIKE ${`${ofContext}%`} THEN (
                SELECT count(*)::int FROM context_entries e WHERE e.workspace_id = n.workspace_id
                  AND e.project_id IS NOT DISTINCT FROM n.project_id AND e.status = 'proposed'
                  AND e.disabled_at IS NULL) ELSE 0 END AS proposed
          FROM notices n
          WHERE ${isVisible(request)}
            AND ${request.unread === null ? sql`true` : request.unread ? sql`n.read_at IS NULL` : sql`n.read_at IS NOT NULL`}
            AND ${newestFirst.after(request.after)}
          ORDER BY ${newestFirst.by} LIMIT ${request.limit + 1}`
        ),
        (found) =>
          found.map(
            ({ proposed, ...notice }): Notice =>
              proposed === 0 ? notice : { ...notice, text: proposalText(proposed, slugIn(notice.link)) }
          )
      )

    /** How many of those were unread; `ids` null: all. */
    const markRead = (request: Reader & { readonly ids: ReadonlyArray<NoticeId> | null; readonly at: string }) =>
      countRows(sql`UPDATE notices n SET read_at = ${request.at} WHERE ${isVisible(request)} AND n.read_at IS NULL
        AND ${request.ids === null ? sql`true` : sql`n.id = ANY(${[...request.ids]}::uuid[])`} RETURNING 1`)

    const countUnread = (request: Reader) =>
      Effect.map(
        onlyRow(Total, sql`SELECT count(*)::int AS n FROM notices n WHERE ${isVisible(request)} AND n.read_at IS NULL`),
        ({ n }) => n
      )

    /** Deletes those from before `before`, and of each person all but the newest `most`. */
    const forget = (request: { readonly before: string; readonly most: number }) =>
      Effect.zipRight(
        run(sql`DELETE FROM notices WHERE at < ${request.before}`),
        run(sql`DELETE FROM notices n USING (
            SELECT id, row_number() OVER (PARTITION BY workspace_id, user_id ORDER BY at DESC, id DESC) AS position
            FROM notices) ranked
          WHERE ranked.id = n.id AND ranked.position > ${request.most}`)
      )

    return { insert, insertNewFindings, insertProposal, insertWaiting, settle, list, markRead, countUnread, forget }
  })
}) {}
