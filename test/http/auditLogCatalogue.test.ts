import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { Tools } from "../../src/mcp/Tools.ts"
import type { WorkspaceId } from "../../src/schema/Ids.ts"
import { operations } from "../../src/schema/operations/index.ts"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { LinkRequests } from "../../src/services/people/LinkRequests.ts"
import { type LoggedChange, loggedIn, numberLoggedIn } from "../support/auditLog.ts"
import { aKeyWithout, anInvitation, aWorkspace, type Person, signedIn } from "../support/builders.ts"
import { asOwner } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"
import { rpc } from "../support/mcp.ts"
import { aWorld, samples, toolErrors, toolSamples, type World } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, send } from "../support/wire.ts"

const changing = operations.filter(({ access }) => access !== "read")
const uuid = "[0-9a-f-]{36}"
const entry = (level: string, key: string) => `context_entry:${level}${key}`

/** What each operation that changes something changes, as the sample of it names it. */
const objectsOf = (w: World): Readonly<Record<string, string>> => ({
  "sessions.sign_in": `user:${uuid}`,
  "sessions.use_link": `user:${uuid}`,
  "sessions.request_link": `user:${uuid}`,
  "sessions.accept_invitation": "member:.+@example.org",
  "sessions.switch_workspace": `session:${uuid}`,
  "single_sign_on.finish": `user:${uuid}`,
  "sessions.change_password": `user:${uuid}`,
  "sessions.end": `session:${w.session_id}`,
  "sessions.update_profile": `user:${w.owner.user_id}`,
  "sessions.sign_out_elsewhere": `user:${w.owner.user_id}`,
  "sessions.sign_out": `session:${w.owner.caller.credential.id}`,
  "members.update": `member:${w.member.email}`,
  "members.remove": `member:${w.member.email}`,
  "members.invite": "invitation:grace@example.com",
  "members.withdraw_invitation": "invitation:.+@example.org",
  "keys.create": `api_key:${uuid}`,
  "keys.update": `api_key:${w.key_id}`,
  "keys.revoke": `api_key:${w.key_id}`,
  "workspace.set_guidance": "setting:guidance",
  "workspace.set_setting": "setting:audit_suggestions",
  "workspace.clear_setting": "setting:audit_suggestions",
  "rules.set_setting": "rule_setting:complexity",
  "repositories.register": "repository:acme/web@main",
  "repositories.update": "repository:acme/api@main",
  "repositories.set_guidance": "repository:acme/api@main",
  "repositories.set_commands": "repository:acme/api@main",
  "repositories.set_review_instructions": "repository:acme/api@main",
  "repositories.reset": "repository:acme/idle@main",
  "repositories.delete": "repository:acme/api@main",
  "projects.create": "project:payments",
  "projects.update": `project:${w.project}`,
  "projects.add_repository": `project:${w.project}`,
  "projects.remove_repository": `project:${w.project}`,
  "projects.grant_role": `project_role:${w.project}/${w.owner.user_id}`,
  "projects.withdraw_role": `project_role:${w.project}/${w.owner.user_id}`,
  "issues.file": "issue:ISS-7",
  "issues.update": `issue:${w.issues.update}`,
  "issues.update_status": `issue:${w.issues.status}`,
  "issues.close": `issue:${w.issues.close}`,
  "issues.reopen": `issue:${w.issues.reopen}`,
  "issues.note": `issue:${w.issues.read}`,
  "issues.claim": `issue:${w.issues.claim}`,
  "issues.renew_claim": `issue:${w.issues.claim}`,
  "issues.release": `issue:${w.issues.claim}`,
  "issues.add_criterion": `issue:${w.issues.claim}`,
  "issues.set_criterion_met": `issue:${w.issues.claim}`,
  "issues.attach_pr": `issue:${w.issues.claim}`,
  "issues.relate": `issue:${w.issues.read}`,
  "issues.unrelate": `issue:${w.issues.read}`,
  "issues.file_from_findings": `project:${w.project}`,
  "credentials.create": `credential:${uuid}`,
  "credentials.delete": `credential:${w.credential_id}`,
  "missions.create": "mission:MSN-[0-9]+",
  ...Object.fromEntries(
    (["resubmit", "pause", "approve", "send_back", "raise_budget", "skip_step", "retry_step", "answer"] as const).map(
      (name) => [`missions.${name}`, `mission:${w.missions.of[name].ref}`]
    )
  ),
  "missions.resume": `mission:${w.missions.of.resume.ref}`,
  "missions.cancel": `mission:${w.missions.of.cancel.ref}`,
  "views.create": `view:${uuid}`,
  "views.update": `view:${w.view_id}`,
  "views.delete": `view:${w.view_id}`,
  "trackers.set": "tracker:acme/api@main",
  "trackers.delete": "tracker:acme/api@main",
  "webhooks.create": `webhook:${uuid}`,
  "webhooks.update": `webhook:${w.webhook_id}`,
  "webhooks.rotate_secret": `webhook:${w.webhook_id}`,
  "webhooks.test": `webhook:${w.webhook_id}`,
  "webhooks.resend": `webhook:${w.webhook_id}`,
  "webhooks.delete": `webhook:${w.webhook_id}`,
  "notices.mark_read": `notices:${w.owner.user_id}`,
  "jobs.submit": `job:${uuid}`,
  "observations.fix": `observation:${w.open[3]}`,
  "change_reviews.set_criteria": `change_review:${w.change_review}`,
  "change_reviews.refresh": `change_review:${w.change_review}`,
  "change_reviews.start": "change_review:hx-2",
  "jobs.cancel": `job:${w.job_id}`,
  "jobs.retry": `job:${uuid}`,
  "observations.acknowledge": `observation:${w.open[0]}`,
  "observations.dismiss": `observation:${w.open[1]}`,
  "observations.complete": `observation:${w.open[2]}`,
  "observations.reopen": `observation:${w.closed}`,
  "observations.triage_many": `bulk_operation:${uuid}`,
  "observations.undo_triage": `bulk_operation:${w.bulk_operation_id}`,
  ...Object.fromEntries(
    Object.entries({ context: "", project_context: `${w.project}/` }).flatMap(([area, level]) => [
      [`${area}.create`, entry(level, "deploys")],
      [`${area}.put`, entry(level, "put")],
      [`${area}.patch`, entry(level, "patch")],
      [`${area}.disable`, entry(level, "disable")],
      [`${area}.restore`, entry(level, "restore")],
      [`${area}.confirm`, entry(level, "confirm")],
      [`${area}.corroborate`, entry(level, "claim")]
    ])
  )
})

/** Their samples are rejected. The log of fixes and of tickets is tested with the service. */
const rejectedEverywhere: ReadonlySet<string> = new Set([
  "observations.request_fix",
  "observations.revise_fix",
  "observations.withdraw_fix",
  "observations.publish_ticket"
])

/** Of so many operations, the change of one is undone: one function writes the records of all. */
const UNDONE = inForm({ short: 6, long: 1 })

/** Of so many operations, the calls of one are rejected: scopes and bodies are judged before any of them begins. */
const REJECTED = inForm({ short: 3, long: 1 })

const password = "correct horse battery"

/** What only the test of the operation shows: their samples change nothing, or they need no caller. */
const ownCalls: ReadonlySet<string> = new Set([
  "sessions.sign_in",
  "sessions.use_link",
  "sessions.request_link",
  "sessions.accept_invitation",
  "sessions.switch_workspace",
  "sessions.change_password",
  // Needs a provider: singleSignOn.test.ts.
  "single_sign_on.finish"
])

/** What the calls of the effect add to the log of a workspace. */
const addedBy = <A, E, R>(workspace: WorkspaceId, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* numberLoggedIn(workspace)
    const result = yield* effect
    return { result, added: yield* loggedIn(workspace, before) }
  })

const isOneRecord = (added: ReadonlyArray<LoggedChange>, name: string, object: string | undefined) => {
  assert.lengthOf(added, 1, `${name} leaves one record: ${JSON.stringify(added)}`)
  assert.strictEqual(added[0]?.action, name)
  assert.match(`${added[0]?.object_kind}:${added[0]?.object_ref}`, new RegExp(`^${object}$`), name)
  return added[0]!
}

const byCaller = (record: LoggedChange, caller: Person | null, address: string) => {
  assert.strictEqual(record.address, address)
  assert.match(record.request_id ?? "", /^req_[0-9a-f]{32}$/)
  const { kind, user_id, api_key } = record.actor
  assert.deepStrictEqual([kind, user_id], caller === null ? ["api_key", null] : ["user", caller.user_id])
  assert.strictEqual(api_key === null, caller !== null)
}

class RejectingWorld extends Context.Tag("test/RejectingWorld")<RejectingWorld, World>() {}

/** One for the tests whose calls are rejected or undone. */
const RejectingWorldLive = Layer.effect(RejectingWorld, aWorld).pipe(Layer.provideMerge(TestApp))

layer(RejectingWorldLive)("the audit log of the catalogue", (it) => {
  it.effect("every operation that changes something leaves one record, by its caller; reads and rejections none", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const objects = objectsOf(world)
      assert.sameMembers(
        [...Object.keys(objects), ...rejectedEverywhere],
        changing.map(({ name }) => name)
      )
      for (const [name, { call, status }] of Object.entries(samples(world))) {
        const { access, only } = operations.find((operation) => operation.name === name)!
        // Ended by its own operation before.
        if (name === "sessions.sign_out_elsewhere") yield* signedIn(world.owner)
        const as = only === "session" ? world.owner.session : world.api_key
        const called = send({ ...call, as, address: "198.51.100.30" })
        const { result, added } = yield* addedBy(world.owner.workspace_id, called)
        assert.strictEqual(result.status, status, `${name}: ${result.text}`)
        if (access === "read" || ownCalls.has(name) || rejectedEverywhere.has(name)) {
          assert.deepStrictEqual(added, [], name)
        } else {
          byCaller(isOneRecord(added, name, objects[name]), only === "session" ? world.owner : null, "198.51.100.30")
        }
      }
    })
  )

  it.effect("every tool that changes something leaves the same record", () =>
    Effect.gen(function* () {
      const world = yield* aWorld
      const objects = objectsOf(world)
      const tools = yield* Tools
      for (const [name, args] of Object.entries(toolSamples(world))) {
        const { operation } = tools.find((tool) => tool.name === name)!
        if (name === "retry_job") {
          yield* send({ method: "POST", path: `/api/jobs/${world.job_id}/cancel`, as: world.api_key })
        }
        // The endpoint takes a call a second.
        yield* TestClock.adjust("1 second")
        const called = rpc(world.api_key, "tools/call", { name, arguments: args })
        const { result, added } = yield* addedBy(world.owner.workspace_id, called)
        if (operation.access === "read" || toolErrors[name] !== undefined) assert.deepStrictEqual(added, [], name)
        else {
          assert.isUndefined(result.result?.isError, `${name}: ${JSON.stringify(result)}`)
          byCaller(isOneRecord(added, operation.name, objects[operation.name]), null, "203.0.113.7")
        }
      }
    })
  )

  it.effect("a call that is rejected leaves none: without its scope, and with a body of another form", () =>
    Effect.gen(function* () {
      const world = yield* RejectingWorld
      const known = samples(world)
      const { workspace_id } = world.owner
      const stranger = yield* aWorkspace()
      const keys = new Map<string, string>()
      for (const { name, only, scopes } of changing.filter((_, index) => index % REJECTED === 0)) {
        const sample = known[name]
        if (sample === undefined) continue
        const malformed: Call = { ...sample.call, json: { no_such_field: 1 } }
        const as = only === "session" ? world.owner.session : world.api_key
        if (sample.call.json !== undefined) {
          const { result, added } = yield* addedBy(workspace_id, send({ ...malformed, as }))
          assert.strictEqual(result.status, 422, name)
          assert.deepStrictEqual(added, [], name)
        }
        if (only !== undefined || scopes.length === 0) continue
        const weak = keys.get(String(scopes)) ?? (yield* aKeyWithout(stranger, [...scopes, "manage_repos"]))
        keys.set(String(scopes), weak)
        const { result, added } = yield* addedBy(stranger.workspace_id, send({ ...sample.call, as: weak }))
        assert.strictEqual(result.status, 403, name)
        assert.deepStrictEqual(added, [], name)
      }
    })
  )

  it.effect("sign-ins leave one record each, also failed ones, and so do a person's own changes", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { workspace_id, user_id, email } = owner
      const links = yield* LinkRequests
      // One link in five minutes; the person just signed in with one.
      yield* TestClock.adjust("5 minutes")
      const oneBy = (name: string, call: Call, status: number) =>
        Effect.gen(function* () {
          const called = Effect.zipLeft(send({ ...call, address: "198.51.100.31" }), links.settled)
          const { result, added } = yield* addedBy(workspace_id, called)
          assert.strictEqual(result.status, status, `${name}: ${result.text}`)
          return isOneRecord(added, name, `user:${user_id}`)
        })
      const link = yield* oneBy("sessions.request_link", { path: "/api/session/link-request", json: { email } }, 202)
      assert.strictEqual(link.actor.label, "visitor")
      const made = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(email))
      const token = made?.token ?? ""
      const used = yield* oneBy("sessions.use_link", { path: "/api/session/link", json: { token, password } }, 200)
      assert.strictEqual(used.actor.user_id, user_id)
      const signIn = (secret: string) => ({ path: "/api/session", json: { email, password: secret } })
      const signedInNow = yield* oneBy("sessions.sign_in", signIn(password), 200)
      assert.deepInclude(signedInNow.after, { signed_in: true })
      const failed = yield* oneBy("sessions.sign_in", signIn("wrong"), 401)
      assert.deepStrictEqual(failed.after, { signed_in: false, code: "invalid_credentials" })
      assert.strictEqual(failed.address, "198.51.100.31")
      const { session } = yield* signedIn(owner)
      const json = { current_password: password, new_password: "another long password" }
      yield* oneBy("sessions.change_password", { method: "PUT", path: "/api/session/password", json, as: session }, 204)
    })
  )

  it.effect("joining a workspace and switching to it leave one record each", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const { token, email } = yield* anInvitation(owner)
      const accepted = send({ path: "/api/session/invitation", json: { token, password } })
      const { result, added } = yield* addedBy(owner.workspace_id, accepted)
      assert.strictEqual(result.status, 200, result.text)
      isOneRecord(added, "sessions.accept_invitation", `member:${email}`)

      const elsewhere = yield* aWorkspace()
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
        VALUES (${elsewhere.workspace_id}, ${owner.user_id}, 'member', now())`
      const json = { workspace_id: elsewhere.workspace_id }
      const switched = send({ path: "/api/session/workspace", json, as: owner.session })
      const move = yield* addedBy(owner.workspace_id, switched)
      assert.strictEqual(move.result.status, 200, move.result.text)
      isOneRecord(move.added, "sessions.switch_workspace", `session:${uuid}`)
    })
  )

  it.effect("a failed sign-in of no known account is kept for the oldest workspace, without what was typed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* aWorkspace()
      const [oldest] = yield* sql<{
        readonly id: WorkspaceId
      }>`SELECT id FROM workspaces ORDER BY created_at, id LIMIT 1`
      const typed = "hunter2-typed-into-the-wrong-field@example.com"
      const attempts = [
        { path: "/api/session", json: { email: typed, password: "wrong" } },
        { path: "/api/session/link", json: { token: "made-up" } }
      ]
      for (const attempt of attempts) {
        const { result, added } = yield* addedBy(oldest!.id, send(attempt))
        assert.strictEqual(result.status, 401)
        assert.lengthOf(added, 1)
        assert.notInclude(JSON.stringify(added), "hunter2")
        assert.deepStrictEqual([added[0]?.object_ref, added[0]?.actor.label], ["unknown", "visitor"])
      }
    })
  )

  it.effect("a change is undone when its record cannot be written", () =>
    Effect.gen(function* () {
      const world = yield* RejectingWorld
      const { workspace_id } = world.owner
      yield* asOwner(
        Effect.flatMap(
          SqlClient.SqlClient,
          (owner) => owner`
            CREATE FUNCTION fail_record() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN RAISE EXCEPTION 'no record today'; END $$;
            CREATE TRIGGER fail_record BEFORE INSERT ON audit_log FOR EACH ROW
              WHEN (NEW.workspace_id = ${owner.literal(`'${workspace_id}'`)}) EXECUTE FUNCTION fail_record()`
        )
      )
      const state = stateOf(workspace_id)
      const before = yield* state
      for (const [name, { call }] of Object.entries(samples(world)).filter((_, index) => index % UNDONE === 0)) {
        const { access, only } = operations.find((operation) => operation.name === name)!
        if (access === "read" || ownCalls.has(name) || rejectedEverywhere.has(name)) continue
        if (prepared.has(name)) continue
        const as = only === "session" ? world.owner.session : world.api_key
        const { status } = yield* send({ ...call, as })
        assert.strictEqual(status, 500, name)
        assert.deepStrictEqual(yield* state, before, name)
      }
      yield* asOwner(Effect.flatMap(SqlClient.SqlClient, (owner) => owner`DROP FUNCTION fail_record CASCADE`))
    })
  )

  // The last one: it changes the world of the tests before.
  it.effect("a repetition that changes nothing leaves none, and neither does a submission that finds its job", () =>
    Effect.gen(function* () {
      const world = yield* RejectingWorld
      const known = samples(world)
      const repeatable = [
        "keys.update",
        "workspace.set_guidance",
        "workspace.set_setting",
        "rules.set_setting",
        "repositories.update",
        "repositories.set_guidance",
        "repositories.set_commands",
        "repositories.set_review_instructions",
        "projects.update",
        "projects.add_repository",
        "projects.grant_role",
        "jobs.submit",
        "jobs.cancel",
        "observations.acknowledge",
        "sessions.update_profile",
        "members.update",
        "keys.revoke",
        "trackers.set"
      ]
      for (const name of repeatable) {
        const { only } = operations.find((operation) => operation.name === name)!
        const called = send({ ...known[name]!.call, as: only === "session" ? world.owner.session : world.api_key })
        yield* called
        const { result, added } = yield* addedBy(world.owner.workspace_id, called)
        assert.isBelow(result.status, 300, `${name}: ${result.text}`)
        assert.deepStrictEqual(added, [], name)
      }
    })
  )
})

/** Only possible after another operation, which fails in this test. */
const prepared: ReadonlySet<string> = new Set([
  "workspace.clear_setting",
  "trackers.delete",
  "jobs.retry",
  "projects.remove_repository",
  "projects.withdraw_role",
  "issues.renew_claim",
  "issues.release"
])

/** Every row of a workspace in every table, but what a call notes of itself, and when a remote was last asked. */
const stateOf = (workspace_id: WorkspaceId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ readonly name: string }>`
      SELECT table_name AS name FROM information_schema.columns
      WHERE column_name = 'workspace_id' AND table_schema = 'public' ORDER BY 1`
    const digests = tables.map(
      ({ name }) => sql`
        SELECT ${name} AS name, md5(string_agg(line, '' ORDER BY line)) AS digest FROM (
          SELECT (to_jsonb(t) - 'last_used_at' - 'last_used_ip' - 'last_seen_at' - 'checked_at')::text AS line
          FROM ${sql(name)} t WHERE workspace_id = ${workspace_id}) lines`
    )
    // One statement: a test reads the state after each of some eighty operations.
    const all = digests.reduce((before, next) => sql`${before} UNION ALL ${next}`)
    return yield* sql`${all}
      UNION ALL SELECT 'workspaces', to_jsonb(w)::text FROM workspaces w WHERE id = ${workspace_id} ORDER BY name`
  })
