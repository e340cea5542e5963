import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Sessions } from "../../src/services/access/Sessions.ts"
import { Site } from "../../src/services/access/Site.ts"
import { LinkRequests } from "../../src/services/people/LinkRequests.ts"
import { loggedIn } from "../support/auditLog.ts"
import { aKey, aMember, anInvitation, aWorkspace, type Person, signedIn } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Answer, type Call, type Cookie, jsonOf, outcome, outcomeOf, send } from "../support/wire.ts"

const password = "correct horse battery"
const invitations = "/api/workspace/invitations"

const accept = (token: unknown, more: object = {}, call: Partial<Call> = {}) =>
  send({ path: "/api/session/invitation", json: { token, ...more }, ...call })

const cookieOf = (answer: Answer): Cookie => ({
  cookie: /assay_session=(\w+)/.exec(answer.headers["set-cookie"]?.join() ?? "")?.[1] ?? "",
  csrf: String(jsonOf(answer).csrf_token)
})

/** The person's account gets the password. */
const withPassword = (person: Person) =>
  Effect.flatMap(Sessions, (sessions) => sessions.linkFor(person.email)).pipe(
    Effect.flatMap((link) => send({ path: "/api/session/link", json: { token: link?.token, password } })),
    Effect.map((answer) => ({ ...person, session: cookieOf(answer) }))
  )

const signIn = ({ email }: Pick<Person, "email">, secret: string, address = "198.51.100.77") =>
  outcome({ path: "/api/session", json: { email, password: secret }, address })

const suspend = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE workspaces SET suspended_at = '2026-01-01T00:00:00Z' WHERE id = ${workspace_id}`
  )

layer(TestApp)((it) => {
  describe("an invitation", () => {
    it.effect("makes an account and a member of its role, once, and its link is shown once", () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(Site, (site) => site.announce("https://assay.example.com"))
        const owner = yield* aWorkspace()
        const json = { email: "Grace@Example.com", role: "admin" }
        const invited = yield* send({ path: invitations, as: owner.session, json })
        const { url, id, email, role } = jsonOf(invited)
        assert.deepStrictEqual([invited.status, email, role], [201, "grace@example.com", "admin"])
        const [, token] = /^https:\/\/assay\.example\.com\/sign-in#invitation=(\w{43})$/.exec(String(url)) ?? []
        const listed = yield* send({ path: invitations, as: owner.session })
        assert.strictEqual((jsonOf(listed).data as ReadonlyArray<{ readonly id: string }>)[0]?.id, id)
        const outbox = yield* send({ path: "/api/outbox", as: owner.session })
        for (const text of [listed.text, outbox.text]) assert.notInclude(text, token!)
        assert.include(outbox.text, "[one-time link]")

        const answers = yield* Effect.forEach([1, 2, 3], () => accept(token, { password, name: "Grace" }), {
          concurrency: "unbounded"
        })
        assert.sameMembers(answers.map(outcomeOf), ["200", "401 invalid_session", "401 invalid_session"])
        const joined = answers.find(({ status }) => status === 200)!
        const session = jsonOf(joined) as { readonly user: { readonly name: string }; readonly role: string }
        assert.deepStrictEqual([session.user.name, session.role], ["Grace", "admin"])
        assert.strictEqual(yield* outcome({ path: "/api/workspace/members", as: cookieOf(joined) }), "200")
        assert.strictEqual(yield* signIn({ email: "grace@example.com" }, password), "200")
        const again = yield* outcome({ path: invitations, as: owner.session, json })
        assert.strictEqual(again, "409 already_member")
        const actions = (yield* loggedIn(owner.workspace_id)).map(
          ({ action, object_kind }) => `${action} ${object_kind}`
        )
        assert.includeMembers(actions, ["members.invite invitation", "sessions.accept_invitation member"])
      })
    )

    it.effect("of an existing account needs that person's session: it sets no password and signs no one in", () =>
      Effect.gen(function* () {
        const [owner, stranger] = [yield* aWorkspace(), yield* aWorkspace()]
        const guest = yield* Effect.flatMap(aWorkspace(), withPassword)
        const { token } = yield* anInvitation(owner, { email: guest.email })
        const forged = { password: "a password of the thief" }
        for (const as of [undefined, stranger.session]) {
          const rejected = yield* accept(token, forged, { as })
          assert.strictEqual(outcomeOf(rejected), "401 invalid_session")
          assert.include(rejected.text, '"sign_in_first":true')
          assert.isUndefined(rejected.headers["set-cookie"])
        }
        const cookie = `assay_session=${guest.session.cookie}`
        assert.strictEqual(outcomeOf(yield* accept(token, {}, { headers: { cookie } })), "403 csrf_refused")
        const joined = yield* accept(token, forged, { as: guest.session })
        assert.strictEqual(joined.status, 200, joined.text)
        assert.strictEqual((jsonOf(joined).workspace as { readonly id: string }).id, owner.workspace_id)
        assert.strictEqual(yield* outcome({ path: "/api/session", as: guest.session }), "401 invalid_session")
        assert.strictEqual(yield* signIn(guest, forged.password), "401 invalid_credentials")
        assert.strictEqual(yield* signIn(guest, password), "200")
        const mine = jsonOf(yield* send({ path: "/api/session/workspaces", as: cookieOf(joined) }))
        assert.sameMembers(
          (mine.data as ReadonlyArray<{ readonly id: string; readonly role: string }>).map(
            (one) => `${one.role} ${one.id}`
          ),
          [`member ${owner.workspace_id}`, `owner ${guest.workspace_id}`]
        )
      })
    )

    it.effect("ends when it is withdrawn, replaced or 7 days old, and with the right of who made it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const owner = yield* aWorkspace()
        const admin = yield* aMember(owner.workspace_id, "admin")
        const withdrawn = yield* anInvitation(owner)
        yield* send({ method: "DELETE", path: `${invitations}/${withdrawn.id}`, as: owner.session })
        const replaced = yield* anInvitation(owner, { email: "twice@example.org" })
        const newer = yield* anInvitation(owner, { email: "twice@example.org", role: "viewer" })
        const demoted = yield* anInvitation(admin)
        yield* sql`UPDATE memberships SET role = 'member' WHERE user_id = ${admin.user_id}`
        const old = yield* anInvitation(owner)
        for (const { token } of [withdrawn, replaced, demoted]) {
          assert.strictEqual(outcomeOf(yield* accept(token)), "401 invalid_session")
        }
        assert.strictEqual(jsonOf(yield* accept(newer.token)).role, "viewer")
        yield* TestClock.adjust("7 days")
        assert.strictEqual(outcomeOf(yield* accept(old.token)), "401 invalid_session")
      })
    )

    it.effect("to be an owner comes from an owner, any from admins and owners only", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const invite = (as: Person, role: string) =>
          outcome({ path: invitations, as: as.session, json: { email: `for-${role}@example.org`, role } })
        const admin = yield* aMember(owner.workspace_id, "admin")
        assert.strictEqual(yield* invite(admin, "owner"), "403 permission_denied")
        assert.strictEqual(yield* invite(admin, "admin"), "201")
        assert.strictEqual(yield* invite(owner, "owner"), "201")
        const member = yield* aMember(owner.workspace_id, "member")
        assert.strictEqual(yield* invite(member, "viewer"), "403 insufficient_scope")
      })
    )
  })

  describe("a person's account", () => {
    it.effect("lists its own sessions only, with address and last use, and ends one or all others", () =>
      Effect.gen(function* () {
        const person = yield* aWorkspace()
        const other = yield* aWorkspace()
        const [second, third] = [yield* signedIn(person), yield* signedIn(person)]
        yield* TestClock.adjust("2 minutes")
        yield* send({ path: "/api/jobs", as: second.session, address: "192.0.2.99" })
        yield* Effect.flatMap(Sessions, (sessions) => sessions.noted)
        const list = yield* send({ path: "/api/session/sessions", as: person.session })
        const rows = jsonOf(list).data as ReadonlyArray<Record<string, unknown>>
        assert.strictEqual(rows.length, 3)
        assert.strictEqual(rows.find(({ current }) => current)?.id, person.caller.credential.id)
        assert.strictEqual(rows.find(({ id }) => id === second.caller.credential.id)?.address, "192.0.2.99")
        const end = (id: string, as = person.session) =>
          outcome({ method: "DELETE", path: `/api/session/sessions/${id}`, as })
        assert.strictEqual(yield* end(second.caller.credential.id, other.session), "404 not_found")
        assert.strictEqual(yield* end(second.caller.credential.id), "204")
        assert.strictEqual(yield* outcome({ path: "/api/session", as: second.session }), "401 invalid_session")
        assert.strictEqual(yield* outcome({ path: "/api/session", as: third.session }), "200")
      })
    )

    it.effect("gets a new password for the old one: other sessions and links end, and guesses are limited", () =>
      Effect.gen(function* () {
        const person = yield* Effect.flatMap(aWorkspace(), withPassword)
        const elsewhere = yield* signedIn(person)
        const link = yield* Effect.flatMap(Sessions, (sessions) => sessions.linkFor(person.email))
        const change = (current_password: string, new_password = "another long password") =>
          outcome({
            method: "PUT",
            path: "/api/session/password",
            as: person.session,
            address: "192.0.2.44",
            json: { current_password, new_password }
          })
        assert.strictEqual(yield* change(password, "short"), "422 invalid_payload")
        assert.strictEqual(yield* change("a guess"), "403 wrong_password")
        assert.strictEqual(yield* change(password), "204")
        assert.strictEqual(yield* outcome({ path: "/api/session", as: person.session }), "200")
        assert.strictEqual(yield* outcome({ path: "/api/session", as: elsewhere.session }), "401 invalid_session")
        const used = yield* outcome({ path: "/api/session/link", json: { token: link?.token } })
        assert.strictEqual(used, "401 invalid_sign_in_link")
        assert.strictEqual(yield* signIn(person, password), "401 invalid_credentials")
        for (let i = 0; i < 10; i++) assert.strictEqual(yield* change(`guess ${i}`), "403 wrong_password")
        assert.strictEqual(yield* change("another long password"), "429 rate_limit_qps")
      })
    )

    it.effect("has a name and preferences of its own", () =>
      Effect.gen(function* () {
        const person = yield* aWorkspace()
        const patch = (json: unknown) =>
          send({ method: "PATCH", path: "/api/session/profile", as: person.session, json })
        assert.deepInclude(jsonOf(yield* patch({ name: "Ada", single_keys: false })).user, {
          name: "Ada",
          single_keys: false
        })
        assert.deepInclude(jsonOf(yield* patch({})).user, { name: "Ada" })
        assert.deepInclude(jsonOf(yield* patch({ name: null })).user, { name: null, single_keys: false })
        for (const name of ["", " ", "two\nlines"]) {
          assert.strictEqual(outcomeOf(yield* patch({ name })), "422 invalid_payload", name)
        }
      })
    )

    it.effect("switches to another workspace of its own, in which pages of the previous one change nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [person, other] = [yield* aWorkspace(), yield* aWorkspace()]
        const to = (workspace_id: string) =>
          send({ path: "/api/session/workspace", as: person.session, json: { workspace_id } })
        assert.strictEqual(outcomeOf(yield* to(other.workspace_id)), "404 not_found")
        yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
          VALUES (${other.workspace_id}, ${person.user_id}, 'viewer', now())`
        const same = yield* to(person.workspace_id)
        assert.strictEqual(jsonOf(same).csrf_token, person.session.csrf)
        const switched = jsonOf(yield* to(other.workspace_id))
        assert.deepStrictEqual(
          [(switched.workspace as { readonly id: string }).id, switched.role],
          [other.workspace_id, "viewer"]
        )
        const stale = { method: "PATCH", path: "/api/session/profile", as: person.session, json: { name: "Ada" } }
        assert.strictEqual(yield* outcome(stale), "403 csrf_refused")
        const current = { ...person.session, csrf: String(switched.csrf_token) }
        assert.strictEqual(yield* outcome({ ...stale, as: current }), "200")
      })
    )
  })

  describe("a forgotten password", () => {
    it.effect(
      "is answered by an e-mail with a link, and for unknown and disabled accounts by nothing, in the same words",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { settled } = yield* LinkRequests
          const [person, disabled] = [yield* aWorkspace(), yield* aWorkspace()]
          yield* sql`UPDATE users SET disabled_at = now() WHERE id = ${disabled.user_id}`
          yield* sql`DELETE FROM sign_in_links`
          const request = (email: string, address = "192.0.2.61") =>
            send({ path: "/api/session/link-request", json: { email }, address })
          const asking = [person.email, disabled.email, "stranger@example.org"]
          const answers = yield* Effect.forEach(asking, (email) => request(email.toUpperCase()))
          for (const { status, text } of answers) assert.deepStrictEqual([status, text], [202, ""])
          yield* settled
          yield* request(person.email)
          yield* settled
          const mails = yield* sql`
            SELECT "to", text, sealed_link IS NOT NULL AS has_link FROM outbox_mails WHERE ${sql.in("to", asking)}`
          assert.strictEqual(mails.length, 1)
          assert.deepInclude(mails[0], { to: person.email, has_link: true })
          assert.notMatch(String(mails[0]?.text), /#token=/)
          yield* request("one more@example.org")
          assert.strictEqual(outcomeOf(yield* request(person.email)), "429 rate_limit_qps")
          assert.strictEqual(outcomeOf(yield* request(person.email, "192.0.2.62")), "202")
        })
    )
  })

  describe("a suspended workspace", () => {
    it.effect("lets people sign in, see that it is, switch to another and sign out, and nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const person = yield* Effect.flatMap(aWorkspace(), withPassword)
        const other = yield* aWorkspace()
        const { api_key } = yield* aKey(other)
        yield* suspend(person)
        yield* suspend(other)
        const as = person.session
        assert.strictEqual(yield* signIn(person, password), "200")
        const { workspace } = jsonOf(yield* send({ path: "/api/session", as }))
        assert.deepInclude(workspace, { suspended_at: "2026-01-01T00:00:00.000Z" })
        for (const path of ["/api/jobs", "/api/session/sessions", "/api/workspace/members", "/api/keys"]) {
          assert.strictEqual(yield* outcome({ path, as }), "401 workspace_suspended", path)
        }
        assert.strictEqual(yield* outcome({ path: "/api/jobs", as: api_key }), "401 workspace_suspended")
        assert.strictEqual(yield* outcome({ path: "/api/session/workspaces", as }), "200")
        yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
          VALUES (${other.workspace_id}, ${person.user_id}, 'viewer', now())`
        yield* sql`UPDATE workspaces SET suspended_at = NULL WHERE id = ${other.workspace_id}`
        const json = { workspace_id: other.workspace_id }
        const switched = yield* send({ path: "/api/session/workspace", as, json })
        assert.strictEqual(switched.status, 200, switched.text)
        assert.strictEqual(yield* outcome({ path: "/api/jobs", as }), "200")
        yield* suspend(other)
        const current = { ...as, csrf: String(jsonOf(switched).csrf_token) }
        assert.strictEqual(yield* outcome({ method: "DELETE", path: "/api/session", as: current }), "204")
      })
    )
  })
})
