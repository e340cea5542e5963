import { assert } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { JobId, RepositoryId, UserId } from "../../src/schema/Ids.ts"
import type { Role } from "../../src/schema/Session.ts"
import { permissionsOf } from "../../src/services/access/roles.ts"
import {
  aChangeReview,
  aDelivery,
  aFailedFix,
  anArtifact,
  anObservation,
  aWebhook,
  aWorkspace,
  type Person
} from "./builders.ts"
import { aRecordedDiscovery } from "./discovery.ts"
import { absentMissions, missionsOf } from "./missions.ts"
import type { World } from "./samples.ts"
import { App } from "./TestApp.ts"
import { type Answer, type Call, type Cookie, jsonOf, send } from "./wire.ts"

/** In every name of the restricted repository that a caller can send. */
export const hiddenName = "zqmark"
/** In place of it, in the names of what does not exist. */
export const absentName = "zqabst"
/** In what the restricted repository holds, and no caller sends. */
export const hiddenContent = "zqinner"

/** A person with a session and a key. */
export interface Visitor {
  readonly name: string
  readonly user_id: string
  readonly session: Cookie
  readonly key: string
}

/** What calls of the restricted repository name. */
type Objects = Pick<
  World,
  | "job_id"
  | "artifact_id"
  | "project"
  | "projectEntries"
  | "open"
  | "closed"
  | "view_id"
  | "credential_id"
  | "bulk_operation_id"
  | "issues"
  | "change_review"
  | "missions"
>

export interface VisibleWorld {
  readonly owner: Person
  readonly visitors: Readonly<Record<"owner" | "insider" | "above" | "outsider" | "elsewhere" | "viewer", Visitor>>
  readonly world: World
}

const password = "correct horse battery"

/** A call that must succeed; what it returned. */
const made = (call: Call) =>
  Effect.map(send(call), (answer) => {
    assert.isBelow(answer.status, 300, `${call.method ?? ""} ${call.path}: ${answer.text}`)
    return answer.text === "" ? {} : jsonOf(answer)
  })

const cookieOf = (answer: Answer): Cookie => ({
  cookie: /assay_session=(\w+)/.exec(answer.headers["set-cookie"]?.join() ?? "")?.[1] ?? "",
  csrf: String(jsonOf(answer).csrf_token)
})

const keyOf = (session: Cookie, role: Role) =>
  Effect.map(
    made({ path: "/api/keys", as: session, json: { name: "ci", scopes: [...permissionsOf(role)] } }),
    ({ api_key, key }) => ({ secret: String(api_key), id: String((key as { readonly id: string }).id) })
  )

/** Someone who accepts an invitation. `side` sets the people of two equal workspaces apart. */
const aVisitor = (owner: Person, side: string, name: string, role: "member" | "viewer") =>
  Effect.gen(function* () {
    const json = { email: `${name}@${side}.example.org`, role }
    const { url } = yield* made({ path: "/api/workspace/invitations", as: owner.session, json })
    const token = /#invitation=(\w+)$/.exec(String(url))?.[1]
    const accepted = yield* send({ path: "/api/session/invitation", json: { token, password, name } })
    assert.strictEqual(accepted.status, 200, accepted.text)
    const session = cookieOf(accepted)
    const { user } = jsonOf(accepted) as { readonly user: { readonly id: string } }
    const { secret } = yield* keyOf(session, role)
    return { name, user_id: user.id, session, key: secret } satisfies Visitor
  })

/** The owner of another workspace. */
export const aStranger = Effect.gen(function* () {
  const { user_id, session } = yield* aWorkspace()
  const { secret } = yield* keyOf(session, "owner")
  return { name: "stranger", user_id, session, key: secret } satisfies Visitor
})

const repositoryPath = (name: string) => `/api/repos/acme/${name}/main`
const slugOf = (name: string) => ({ github_org: "acme", github_repo: name, github_base_branch: "main" })

const aRepository = (owner: Person, name: string) =>
  Effect.gen(function* () {
    const { cloneUrl } = yield* App
    const json = { github_org: "acme", github_repo: name, clone_url: cloneUrl }
    yield* TestClock.adjust("1 second")
    return (yield* made({ path: "/api/repos", as: owner.session, json })) as { readonly id: RepositoryId }
  })

const aLevel = (owner: Person, json: { readonly name: string; readonly kind: string; readonly parent?: string }) =>
  Effect.zipRight(TestClock.adjust("1 second"), made({ path: "/api/projects", as: owner.session, json })).pipe(
    Effect.map(({ slug }) => String(slug))
  )

const holds = (owner: Person, project: string, repository: string) =>
  made({ path: `/api/projects/${project}/repositories`, as: owner.session, json: slugOf(repository) })

const grants = (owner: Person, project: string, email: string) =>
  made({
    method: "PUT",
    path: `/api/projects/${project}/roles`,
    as: owner.session,
    json: { email, role: "manager" }
  })

const entryKeys = ["read", "put", "patch", "disable", "restore", "confirm", "claim"] as const

/** Context entries of a level; those that a key writes are proposed. */
const entriesAt = (owner: Person, key: string, prefix: string, title: string) =>
  Effect.gen(function* () {
    const etags: Record<string, string> = {}
    for (const name of entryKeys) {
      const as = name === "confirm" || name === "claim" ? key : owner.session
      const json = { key: name, kind: "note", title, summary: `${title} summary.` }
      etags[name] = String((yield* made({ path: `${prefix}/entries`, as, json })).etag)
    }
    const headers = { "if-match": `"${etags.restore}"` }
    yield* made({
      method: "DELETE",
      path: `${prefix}/entries/restore`,
      as: owner.session,
      headers,
      json: { reason: "Old." }
    })
    return etags as World["entries"]
  })

/** Open work of a repository that anyone of the workspace may see, or of the restricted one. */
const workOf = (owner: Person, key: string, repository: { readonly id: RepositoryId }, name: string, title: string) =>
  Effect.gen(function* () {
    const as = key
    const job = yield* made({ path: `${repositoryPath(name)}/jobs`, as, json: { workflow: "audit" } })
    const job_id = String(job.id) as JobId
    yield* aRecordedDiscovery({ workspace_id: owner.workspace_id, repository_id: repository.id, job_id })
    const refs = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => anObservation(owner, repository, { title }))
    const [closed, ...open] = refs
    yield* aFailedFix(owner, open[4]!)
    const artifact_id = yield* anArtifact(job_id, title)
    yield* made({ path: `/api/observations/${closed}/complete`, as, json: { note: title } })
    const bulk = { action: "acknowledge", refs: open.slice(4) }
    const { operation_id } = yield* made({ path: "/api/observations/bulk", as: owner.session, json: bulk })
    const view = { name: title, query: `repo=${name}%40main`, shared: true }
    const { id: view_id } = yield* made({ path: "/api/views", as: owner.session, json: view })
    const credential = { kind: "https", host: "git.example.org", repository: `${name}@main`, secret: title }
    const { id: credential_id } = yield* made({ path: "/api/credentials", as: owner.session, json: credential })
    return {
      job_id,
      artifact_id,
      open,
      closed: closed!,
      bulk_operation_id: String(operation_id),
      view_id: String(view_id),
      credential_id: String(credential_id),
      change_review: (yield* aChangeReview(owner, `acme/${name}@main`, title)).name,
      missions: yield* missionsOf(owner, { id: repository.id, slug: `${name}@main` }, title)
    }
  })

/** Issues of a level; the one to update is about a repository of another level. */
const issuesOf = (
  owner: Person,
  { project, title, other }: { readonly project: string; readonly title: string; readonly other: object }
) =>
  Effect.gen(function* () {
    const file = (fields: object = {}) =>
      made({ path: "/api/issues", as: owner.session, json: { project, title, body_md: `${title}.`, ...fields } })
    const refOf = (fields?: object) => Effect.map(file(fields), ({ ref }) => String(ref))
    const update = yield* file(other)
    const reopen = yield* refOf()
    yield* made({ path: `/api/issues/${reopen}/close`, as: owner.session, json: { reason: "completed", note: title } })
    const claim = yield* file({ acceptance_criteria: [title] })
    const [criterion] = claim.acceptance_criteria as ReadonlyArray<{ readonly id: string }>
    const [read, status, close] = [yield* refOf(), yield* refOf(), yield* refOf()]
    const relation = { kind: "relates_to", other: close }
    yield* made({ path: `/api/issues/${read}/relations`, as: owner.session, json: relation })
    return {
      read,
      claim: String(claim.ref),
      criterion: String(criterion?.id),
      update: String(update.ref),
      etag: String(update.etag),
      status,
      close,
      reopen
    } satisfies World["issues"]
  })

const absentId = "01a1f7c5-495f-744f-8d63-41fef1b8b78f"

/** Names of what does not exist. */
export const absentObjects: Objects = {
  job_id: absentId,
  artifact_id: absentId,
  project: `${absentName}-plans`,
  projectEntries: Object.fromEntries(entryKeys.map((key) => [key, `${absentId}:1`])) as World["entries"],
  open: [1, 2, 3, 4, 5].map((n) => `OBS-${990 + n}`),
  closed: "OBS-990",
  view_id: absentId,
  credential_id: absentId,
  bulk_operation_id: absentId,
  issues: {
    read: "ISS-991",
    update: "ISS-992",
    etag: `${absentId}:1`,
    status: "ISS-993",
    close: "ISS-994",
    reopen: "ISS-995",
    claim: "ISS-996",
    criterion: absentId
  },
  change_review: "hx-991",
  missions: absentMissions
}

/**
 * A workspace made through the routes; `restricted` says whether it also has a restricted repository, in a project of its
 * own and in one that holds another repository as well. Everything else is the same in the same order.
 */
export const aVisibleWorld = (side: string, restricted: boolean) =>
  Effect.gen(function* () {
    const { cloneUrl } = yield* App
    const owner = yield* aWorkspace()
    const { secret: key, id: key_id } = yield* keyOf(owner.session, "owner")
    const named = (name: string) => `${name}@${side}.example.org`
    const visitor = (name: string, role: "member" | "viewer") => aVisitor(owner, side, name, role)
    const visitors = {
      owner: { name: "owner", user_id: owner.user_id, session: owner.session, key },
      insider: yield* visitor("insider", "member"),
      above: yield* visitor("above", "member"),
      outsider: yield* visitor("outsider", "member"),
      elsewhere: yield* visitor("elsewhere", "member"),
      viewer: yield* visitor("viewer", "viewer")
    }
    const platform = yield* aLevel(owner, { name: "Platform", kind: "space" })
    const shop = yield* aLevel(owner, { name: "Shop", kind: "project" })
    const mixed = yield* aLevel(owner, { name: "Mixed", kind: "project" })
    const opened = yield* aRepository(owner, "opened")
    yield* aRepository(owner, "site")
    yield* holds(owner, platform, "opened")
    yield* holds(owner, shop, "site")
    yield* holds(owner, mixed, "opened")
    yield* grants(owner, platform, named("above"))
    yield* grants(owner, shop, named("elsewhere"))
    const entries = yield* entriesAt(owner, key, "/api/context", "Known to all")
    yield* entriesAt(owner, key, `/api/projects/${mixed}/context`, "Known to Mixed")
    yield* workOf(owner, key, opened, "opened", "An open weakness")
    yield* issuesOf(owner, { project: mixed, title: "Known to Mixed", other: { repos: ["opened@main"] } })
    const invitation = { email: named("guest"), role: "member" }
    const { id: invitation_id } = yield* made({
      path: "/api/workspace/invitations",
      as: owner.session,
      json: invitation
    })

    const webhook = yield* aWebhook(owner)
    const delivery = yield* aDelivery(owner, webhook.id)
    const hidden = Effect.gen(function* () {
      const project = yield* aLevel(owner, { name: `${hiddenName}-plans`, kind: "project", parent: platform })
      const path = `/api/projects/${project}`
      yield* made({ method: "PATCH", path, as: owner.session, json: { name: `${hiddenContent} plans` } })
      const repository = yield* aRepository(owner, `${hiddenName}repo`)
      yield* holds(owner, project, `${hiddenName}repo`)
      yield* holds(owner, mixed, `${hiddenName}repo`)
      yield* grants(owner, project, named("insider"))
      const projectEntries = yield* entriesAt(owner, key, `${path}/context`, hiddenContent)
      const objects = yield* workOf(owner, key, repository, `${hiddenName}repo`, hiddenContent)
      const other = { project: mixed, repos: [`${hiddenName}repo@main`] }
      const issues = yield* issuesOf(owner, { project, title: hiddenContent, other })
      yield* made({
        method: "PATCH",
        path: repositoryPath(`${hiddenName}repo`),
        as: owner.session,
        json: { visibility: "restricted", display_name: hiddenContent }
      })
      return { ...objects, project, projectEntries, issues }
    })
    const objects: Objects = restricted ? yield* hidden : absentObjects
    const world: World = {
      ...objects,
      owner,
      member: { user_id: visitors.insider.user_id as UserId, email: named("insider") },
      invitation_id: String(invitation_id),
      session_id: owner.caller.credential.id,
      api_key: key,
      key_id,
      cloneUrl,
      webhook_id: webhook.id,
      delivery_id: delivery.id,
      entries
    }
    return { owner, visitors, world } satisfies VisibleWorld
  })

/** The same call of the restricted repository, or of the absent one. */
export const ofRepository = <A>(value: A, name: string): A =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\/acme\/(api|idle)\//g, `/acme/${name}repo/`)
      .replaceAll('"github_repo":"api"', `"github_repo":"${name}repo"`)
      .replaceAll("api@main", `${name}repo@main`)
      .replaceAll("api%40main", `${name}repo%40main`)
      .replaceAll("acme%2Fapi", `acme%2F${name}repo`)
      .replaceAll('"repo":"acme/api"', `"repo":"acme/${name}repo"`)
  )
