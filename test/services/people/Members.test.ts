import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Role } from "../../../src/schema/Session.ts"
import { Guard } from "../../../src/services/access/Guard.ts"
import { Sessions } from "../../../src/services/access/Sessions.ts"
import { Members } from "../../../src/services/people/Members.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aKey, aMember, anInvitation, as, aWorkspace, type Person } from "../../support/builders.ts"

/** `null` when it succeeds. */
const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => null, onFailure: ({ _tag }) => _tag })

const change = (by: Person, whom: Person, role: Role) =>
  Effect.flatMap(Members, (members) => members.change(whom.user_id, { role })).pipe(as(by))

const remove = (by: Person, whom: Person) =>
  Effect.flatMap(Members, (members) => members.remove(whom.user_id)).pipe(as(by))

const rejection = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const ownersOf = ({ workspace_id }: Person) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`SELECT user_id FROM memberships WHERE workspace_id = ${workspace_id} AND role = 'owner'`
  )

layer(AccessOverDatabase)("members", (it) => {
  it.effect("are listed with their roles, oldest first, those of one workspace only", () =>
    Effect.gen(function* () {
      const members = yield* Members
      const owner = yield* aWorkspace()
      yield* aWorkspace()
      const viewer = yield* aMember(owner.workspace_id, "viewer")
      const first = yield* as(viewer)(members.list({ limit: 1 }))
      const rest = yield* as(viewer)(members.list({ cursor: first.next_cursor ?? "" }))
      const listed = [...first.data, ...rest.data].map(({ email, role }) => `${role} ${email}`)
      assert.sameMembers(listed, [`owner ${owner.email}`, `viewer ${viewer.email}`])
      assert.isFalse(rest.has_more)
    })
  )

  it.effect("who is the last owner can be neither removed nor demoted, not even by themselves", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aMember(owner.workspace_id, "admin")
      assert.strictEqual(yield* rejection(change(owner, owner, "admin")), "LastOwner")
      assert.strictEqual(yield* rejection(remove(owner, owner)), "LastOwner")
    })
  )

  it.effect("an owner who is disabled does not count as one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const owner = yield* aWorkspace()
      const other = yield* aMember(owner.workspace_id, "owner")
      yield* sql`UPDATE users SET disabled_at = now() WHERE id = ${other.user_id}`
      assert.strictEqual(yield* rejection(change(owner, owner, "admin")), "LastOwner")
      yield* remove(owner, other)
    })
  )

  it.effect("of two owners who demote or remove each other at the same time one stays", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const [one, other] = yield* Effect.flatMap(aWorkspace(), (owner) =>
          Effect.map(aMember(owner.workspace_id, "owner"), (second) => [owner, second] as const)
        )
        const outcomes = yield* Effect.all(
          [
            outcome(change(one, other, "viewer")),
            outcome(round % 2 ? remove(other, one) : change(other, one, "member"))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter((tag) => tag === null).length, 1)
        assert.strictEqual((yield* ownersOf(one)).length, 1)
      }
    })
  )

  it.effect("of two owners who step down at the same time one stays", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 10; round++) {
        const one = yield* aWorkspace()
        const other = yield* aMember(one.workspace_id, "owner")
        const outcomes = yield* Effect.all([outcome(change(one, one, "admin")), outcome(remove(other, other))], {
          concurrency: "unbounded"
        })
        assert.sameMembers(outcomes, [null, "LastOwner"])
        assert.strictEqual((yield* ownersOf(one)).length, 1)
      }
    })
  )

  it.effect("only an owner makes or unmakes owners; admins decide about all others", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const admin = yield* aMember(owner.workspace_id, "admin")
      const member = yield* aMember(owner.workspace_id, "member")
      for (const attempt of [
        change(admin, member, "owner"),
        change(admin, admin, "owner"),
        change(admin, owner, "member"),
        remove(admin, owner)
      ]) {
        assert.strictEqual(yield* rejection(attempt), "PermissionDenied")
      }
      assert.strictEqual((yield* change(admin, member, "admin")).role, "admin")
      assert.strictEqual((yield* change(member, admin, "viewer")).role, "viewer")
      // What they were when they signed in does not count any more.
      assert.strictEqual(yield* rejection(change(admin, member, "viewer")), "PermissionDenied")
    })
  )

  it.effect("a workspace changes hands when another member becomes an owner and the first steps down", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const heir = yield* aMember(owner.workspace_id, "member")
      yield* change(owner, heir, "owner")
      yield* change(owner, owner, "viewer")
      assert.deepStrictEqual(yield* ownersOf(owner), [{ user_id: heir.user_id }])
      yield* remove(owner, owner)
    })
  )

  it.effect("without the right to remove others may leave", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const [viewer, member] = [
        yield* aMember(owner.workspace_id, "viewer"),
        yield* aMember(owner.workspace_id, "member")
      ]
      assert.strictEqual(yield* rejection(remove(viewer, member)), "PermissionDenied")
      yield* remove(viewer, viewer)
      assert.strictEqual(
        yield* rejection(Effect.flatMap(Sessions, (sessions) => sessions.read(viewer.session.cookie))),
        "InvalidSession"
      )
    })
  )

  it.effect("who is removed loses their sessions, links, keys and invitations there, and nothing elsewhere", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const guard = yield* Guard
      const [owner, elsewhere] = [yield* aWorkspace(), yield* aWorkspace()]
      const admin = yield* aMember(owner.workspace_id, "admin")
      yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
        VALUES (${elsewhere.workspace_id}, ${admin.user_id}, 'member', now())`
      const { api_key } = yield* aKey(admin)
      yield* anInvitation(admin)
      yield* remove(owner, admin)
      const credentials = {
        authorization: `Bearer ${api_key}`,
        sessionToken: undefined,
        csrfToken: undefined,
        sameOrigin: true,
        safeMethod: true,
        address: null
      }
      assert.strictEqual(yield* rejection(guard.identify(credentials)), "RevokedApiKey")
      const left = yield* sql`
        SELECT (SELECT count(*)::int FROM sessions WHERE user_id = ${admin.user_id}) AS sessions,
          (SELECT count(*)::int FROM invitations WHERE invited_by = ${admin.user_id}) AS invitations,
          (SELECT count(*)::int FROM memberships WHERE user_id = ${admin.user_id}) AS memberships`
      assert.deepStrictEqual(left, [{ sessions: 0, invitations: 0, memberships: 1 }])
    })
  )
})
