import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Sessions } from "../../../src/services/access/Sessions.ts"
import { WorkspacesRepo } from "../../../src/services/access/WorkspacesRepo.ts"
import { Invitations } from "../../../src/services/people/Invitations.ts"
import { Members } from "../../../src/services/people/Members.ts"
import { Users } from "../../../src/services/people/Users.ts"
import { UsersRepo } from "../../../src/services/people/UsersRepo.ts"
import { AccessOverDatabase } from "../../support/access.ts"
import { aMember, anInvitation, as, aWorkspace } from "../../support/builders.ts"

const Services = Users.Default.pipe(
  Layer.provide(Layer.merge(UsersRepo.Default, WorkspacesRepo.Default)),
  Layer.provideMerge(AccessOverDatabase)
)

layer(Services)("a disabled person", (it) => {
  it.effect("has no sessions, signs in with no link, and makes no invitation work until enabled again", () =>
    Effect.gen(function* () {
      const [users, sessions] = [yield* Users, yield* Sessions]
      const owner = yield* aWorkspace()
      const admin = yield* aMember(owner.workspace_id, "admin")
      const { token } = yield* anInvitation(admin)
      const link = yield* sessions.linkFor(admin.email)
      yield* users.disable(admin.email)
      assert.strictEqual((yield* Effect.flip(sessions.read(admin.session.cookie)))._tag, "InvalidSession")
      assert.isNull(yield* sessions.linkFor(admin.email))
      const withLink = sessions.signInByLink({ token: link?.token ?? "" }, { address: "192.0.2.31" })
      assert.strictEqual((yield* Effect.flip(withLink))._tag, "InvalidSignInLink")
      const { accept } = yield* Invitations
      const joining = accept({ token }, { address: "192.0.2.32" }, null)
      assert.strictEqual((yield* Effect.flip(joining))._tag, "InvalidSession")
      yield* users.enable(admin.email)
      assert.isNotNull(yield* sessions.linkFor(admin.email))
      assert.strictEqual((yield* joining).info.workspace.id, owner.workspace_id)
    })
  )

  it.effect(
    "is never the last owner: of disabling one and stepping down of the other at the same time one is rejected",
    () =>
      Effect.gen(function* () {
        const [users, members, sql] = [yield* Users, yield* Members, yield* SqlClient.SqlClient]
        for (let round = 0; round < 10; round++) {
          const one = yield* aWorkspace()
          const other = yield* aMember(one.workspace_id, "owner")
          const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
            Effect.match(effect, { onSuccess: () => "done", onFailure: ({ _tag }) => _tag })
          const outcomes = yield* Effect.all(
            [outcome(users.disable(other.email)), outcome(as(one)(members.change(one.user_id, { role: "admin" })))],
            { concurrency: "unbounded" }
          )
          assert.include(
            [
              ["done", "LastOwner"],
              ["UserUnchanged", "done"]
            ].map(String),
            String(outcomes)
          )
          const left = yield* sql`SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.workspace_id = ${one.workspace_id} AND m.role = 'owner' AND u.disabled_at IS NULL`
          assert.strictEqual(left.length, 1)
        }
      })
  )
})
