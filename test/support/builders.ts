import { randomBytes } from "node:crypto"
import { gzipSync } from "node:zlib"
import { SqlClient } from "@effect/sql"
import { DateTime, Effect } from "effect"
import type { CreateCredential } from "../../src/schema/Credential.ts"
import { ObservationId, UserId, type WebhookId, WorkspaceId } from "../../src/schema/Ids.ts"
import { type CreateKey, type Scope, scopes } from "../../src/schema/Key.ts"
import type { CreateInvitation } from "../../src/schema/Member.ts"
import type { Observation } from "../../src/schema/Observation.ts"
import type { CreateProject } from "../../src/schema/Project.ts"
import type { Role } from "../../src/schema/Session.ts"
import { Uuid } from "../../src/schema/Text.ts"
import type { CreateView } from "../../src/schema/View.ts"
import type { CreateWebhook } from "../../src/schema/Webhook.ts"
import { Caller, type CallerInfo } from "../../src/services/access/Caller.ts"
import { Guard } from "../../src/services/access/Guard.ts"
import { Keys } from "../../src/services/access/Keys.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { SessionsRepo } from "../../src/services/access/SessionsRepo.ts"
import { ChangeReviews } from "../../src/services/change_reviews/ChangeReviews.ts"
import { Credentials } from "../../src/services/credentials/Credentials.ts"
import { Submissions } from "../../src/services/jobs/Submissions.ts"
import { Invitations } from "../../src/services/people/Invitations.ts"
import { Projects } from "../../src/services/projects/Projects.ts"
import { Repositories } from "../../src/services/repositories/Repositories.ts"
import { newId } from "../../src/services/support/ids.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import { Views } from "../../src/services/views/Views.ts"
import { WebhookDeliveries } from "../../src/services/webhooks/WebhookDeliveries.ts"
import { Webhooks } from "../../src/services/webhooks/Webhooks.ts"
import { App } from "./TestApp.ts"
import type { Cookie } from "./wire.ts"

/** A signed-in person. */
export interface Person {
  readonly workspace_id: WorkspaceId
  readonly user_id: UserId
  readonly email: string
  readonly session: Cookie
  readonly caller: CallerInfo
}

export const as =
  ({ caller }: Pick<Person, "caller">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, Caller, caller)

const now = Effect.map(DateTime.now, DateTime.formatIso)

/** An address that no one else signs in from. */
const someAddress = () => `2001:db8::${randomBytes(2).toString("hex")}:${randomBytes(2).toString("hex")}`

/** Signs a member in through a one-time link, as a browser does. */
export const signedIn = (member: {
  readonly email: string
  readonly user_id: UserId
  readonly workspace_id: WorkspaceId
}) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const link = yield* sessions.linkFor(member.email)
    const { token, info } = yield* sessions.signInByLink({ token: link?.token ?? "" }, { address: someAddress() })
    const session: Cookie = { cookie: token, csrf: info.csrf_token }
    const { caller } = yield* Effect.flatMap(Guard, (guard) =>
      guard.identify({
        authorization: undefined,
        sessionToken: token,
        csrfToken: undefined,
        sameOrigin: true,
        safeMethod: true,
        address: null
      })
    )
    return { ...member, session, caller } satisfies Person
  }).pipe(Effect.orDie)

export const aMember = (workspace_id: WorkspaceId, role: Role) =>
  Effect.gen(function* () {
    const repo = yield* SessionsRepo
    const user_id = yield* newId(UserId)
    const email = `${role}-${randomBytes(4).toString("hex")}@example.org`
    const created_at = yield* now
    yield* repo.insertUser({ id: user_id, email, password_hash: null, created_at })
    yield* repo.insertMembership({ workspace_id, user_id, role, created_at })
    return yield* signedIn({ workspace_id, user_id, email })
  })

/** A workspace of its own, and its owner. */
export const aWorkspace = (settings: { readonly plan?: "free" | "paid"; readonly role?: Role } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(WorkspaceId)
    const repo = yield* SessionsRepo
    yield* repo.insertWorkspace({ id, name: "Acme", created_at: yield* now })
    if (settings.plan !== undefined) {
      yield* Effect.orDie(sql`UPDATE workspaces SET plan = ${settings.plan} WHERE id = ${id}`)
    }
    return yield* aMember(id, settings.role ?? "owner")
  })

/** An open invitation by a person, with its token. */
export const anInvitation = (person: Person, request: Partial<CreateInvitation> = {}) =>
  Effect.flatMap(Invitations, (invitations) =>
    invitations.create({ email: `guest-${randomBytes(4).toString("hex")}@example.org`, role: "member", ...request })
  ).pipe(
    Effect.map((invitation) => ({ ...invitation, token: /#invitation=(\w+)$/.exec(invitation.url)?.[1] ?? "" })),
    as(person),
    Effect.orDie
  )

/** A key with its secret. */
export const aKey = (person: Person, request: Partial<CreateKey> = {}) =>
  Effect.flatMap(Keys, (keys) => keys.create({ name: "ci", scopes, ...request })).pipe(as(person), Effect.orDie)

/** The secret of a key that has all scopes but these. */
export const aKeyWithout = (person: Person, missing: ReadonlyArray<Scope>) =>
  Effect.map(aKey(person, { scopes: scopes.filter((scope) => !missing.includes(scope)) }), ({ api_key }) => api_key)

/** A registered repository whose remote is a real one. */
export const aRegisteredRepository = (person: Person, name = "api") =>
  Effect.gen(function* () {
    const { cloneUrl } = yield* App
    const repositories = yield* Repositories
    return yield* repositories.register({ github_org: "acme", github_repo: name, clone_url: cloneUrl })
  }).pipe(as(person), Effect.orDie)

/** A project, space or area; at the top unless the request says otherwise. */
export const aProject = (person: Person, request: CreateProject) =>
  Effect.flatMap(Projects, (projects) => projects.create(request)).pipe(as(person), Effect.orDie)

/** A saved view of the list of observations. */
export const aView = (person: Person, request: Partial<CreateView>) =>
  Effect.flatMap(Views, (views) =>
    views.create({ name: "A view", query: "status=new", shared: false, ...request })
  ).pipe(as(person), Effect.orDie)

/** The workspace has the features that operations need from now on. */
export const withFeatures = (person: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE workspaces SET plan = 'paid', features = '{missions,change_reviews,webhooks}'
      WHERE id = ${person.workspace_id}`
  ).pipe(Effect.orDie)

/** An endpoint in a workspace that has the feature; on this machine, where nothing listens, unless the request says where. */
export const aWebhook = (person: Person, request: Partial<CreateWebhook> = {}) =>
  Effect.gen(function* () {
    yield* withFeatures(person)
    const webhooks = yield* Webhooks
    return yield* webhooks.create({ url: "http://127.0.0.1:9/hook", events: ["*"], ...request })
  }).pipe(as(person), Effect.orDie)

/** A test event that waits to be sent. */
export const aDelivery = (person: Person, webhook_id: WebhookId) =>
  Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.test(webhook_id)).pipe(as(person), Effect.orDie)

/** A login of a host, of one repository where the request names it. */
export const aCredential = (person: Person, request: Partial<CreateCredential> = {}) =>
  Effect.flatMap(Credentials, (credentials) =>
    credentials.create({ kind: "https", host: "git.example.org", secret: "a secret token", ...request })
  ).pipe(as(person), Effect.orDie)

export const aJob = (person: Person, path: { readonly github_repo: string } & Parameters<typeof pathOf>[0]) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit({ path: pathOf(path), workflow: "standard_audit" })
  ).pipe(
    Effect.map(({ job }) => job),
    as(person),
    Effect.orDie
  )

/** A change review of a branch, with a criterion and without a job. */
export const aChangeReview = (person: Person, repository = "acme/api@main", title?: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reviews = yield* ChangeReviews
    yield* withFeatures(person)
    const { review } = yield* reviews.start({
      branches: [{ repository, branch: "feature/x" }],
      criteria: [{ text: "Tests changed with code" }],
      ...(title === undefined ? {} : { title })
    })
    yield* sql`DELETE FROM jobs WHERE id = ${review.job_id}`
    return review
  }).pipe(as(person), Effect.orDie)

const pathOf = (path: {
  readonly github_org: string
  readonly github_repo: string
  readonly github_base_branch: string
}) => ({
  github_org: path.github_org,
  github_repo: path.github_repo,
  github_base_branch: path.github_base_branch
})

/** Puts an observation into a repository; gives its ref. */
export const anObservation = (
  person: Person,
  repository: { readonly id: string },
  fields: Partial<Pick<Observation, "kind" | "priority" | "category" | "title" | "rule_id">> & {
    readonly closed?: boolean
  } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [id, at] = [yield* newId(ObservationId), yield* now]
    const closed = fields.closed === true
    const rows = yield* sql<{ readonly number: number }>`
      WITH numbered AS (
        UPDATE workspaces SET next_observation = next_observation + 1 WHERE id = ${person.workspace_id}
        RETURNING next_observation - 1 AS number
      )
      INSERT INTO observations (id, workspace_id, repository_id, number, kind, status, priority, category, domain, tool,
        rule_id, title, description, confidence, effort, risk, evidence, locations, file_path, tool_version, signatures,
        anchor, close_reason, closed_at, first_seen_at, last_seen_at, created_at, updated_at)
      SELECT ${id}, ${person.workspace_id}, ${repository.id}, number, ${fields.kind ?? "finding"},
        ${closed ? "closed" : "new"}, ${fields.priority ?? "P1"}, ${fields.category ?? "security"}, 'security',
        'secret_detection', ${fields.rule_id ?? "aws-key"}, ${fields.title ?? "A key in the source"}, 'Anybody who reads it may use it.', 0.9,
        'small', 'low', ${jsonb({ citation: null, detection_query: null })},
        ${jsonb([{ file_path: "src/index.ts", symbol: null, line_start: 1, line_end: 1 }])}, 'src/index.ts', 1,
        ${jsonb({ located: id })}, '', ${closed ? "completed" : null}, ${closed ? at : null}, ${at}, ${at}, ${at}, ${at}
      FROM numbered RETURNING number`
    return `OBS-${rows[0]?.number}`
  }).pipe(Effect.orDie)

/** What a job wrote for people: a file with this text. */
export const anArtifact = (job_id: string, text = "--- a/src/index.ts\n+++ b/src/index.ts\n") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(Uuid)
    yield* sql`INSERT INTO job_artifacts (id, job_id, namespace, content, content_hash, created_at, name, content_type, size)
      VALUES (${id}, ${job_id}, 'diff', ${gzipSync(text)}, 'c0ffee', ${yield* now}, 'fix.diff',
        'text/x-diff; charset=utf-8', ${Buffer.byteLength(text)})`
    return id
  }).pipe(Effect.orDie)

/** An attempt at a fix that made a change and came to nothing. */
export const aFailedFix = (person: Person, ref: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const at = yield* now
    yield* sql`INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, outcome, branch, runner, base_commit,
        diff, started_at, updated_at, finished_at)
      SELECT ${yield* newId(Uuid)}, workspace_id, repository_id, id, 'failed', 'assay/fix-obs-' || number, 'rules', 'c0ffee',
        '-one', ${at}, ${at}, ${at}
      FROM observations WHERE workspace_id = ${person.workspace_id} AND 'OBS-' || number = ${ref}`
  }).pipe(Effect.orDie)

/** A change of no observation at all, which can be undone. */
export const aBulkOperation = (person: Person) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(Uuid)
    yield* sql`INSERT INTO bulk_operations (id, workspace_id, action, actor, created_at, undo_until, repository_ids, changed)
      VALUES (${id}, ${person.workspace_id}, 'dismiss', '{}', ${yield* now}, '9999-12-31T00:00:00Z', '{}', '[]')`
    return id
  }).pipe(Effect.orDie)
