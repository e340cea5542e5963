import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { migrate, roleOfServices, serviceRole } from "../../src/layers/Migrations.ts"
import { RepositoryId, type WorkspaceId } from "../../src/schema/Ids.ts"
import { Caller, type CallerInfo } from "../../src/services/access/Caller.ts"
import {
  asSystem,
  unrestricted,
  withinWorkspace,
  withReach,
  withRequestReach
} from "../../src/services/access/Reach.ts"
import { Database, OwnedDatabase } from "../support/Database.ts"
import { aTenant } from "../support/jobs.ts"

/** Tables that are of no workspace, each with the reason. */
const ofNoWorkspace = new Set([
  "github_deliveries", // Of the app: GitHub knows repositories and no workspaces.
  "effect_sql_migrations", // The schema's own version.
  "rate_buckets", // Counters by hashed names.
  "retention_runs", // What retention deleted in the whole installation.
  "storage_samples", // Sizes of the database.
  "used_sign_in_states", // Of sign-ins, whose workspace is not known yet.
  "user_identities", // Of people, like users.
  "server_secrets", // Keys of the installation.
  "users" // A person may belong to several workspaces; memberships say to which.
])

const countOf = (table: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql(table)}`
    return found[0]?.n
  })

const calling = (caller: CallerInfo) => Effect.provideService(Caller, caller)

const seen = Effect.all([countOf("workspaces"), countOf("repositories")])

layer(Database)("row-level security", (it) => {
  it.effect("stands around every table that belongs to a workspace", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ name: string; forced: boolean; policies: number }>`
          SELECT c.relname AS name, c.relrowsecurity AND c.relforcerowsecurity AS forced,
            (SELECT count(*)::int FROM pg_policy p WHERE p.polrelid = c.oid) AS policies
          FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`
      const open = tables.filter(({ forced, policies }) => !forced || policies === 0).map(({ name }) => name)
      assert.deepStrictEqual(
        open.filter((name) => !ofNoWorkspace.has(name)),
        [],
        "give these tables a policy: see src/layers/migrations/support/policies.ts"
      )
      assert.sameMembers([...ofNoWorkspace], open)
    })
  )

  it.effect("binds the role that the services act as", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const who = yield* sql<{ name: string; passes: boolean; owns: number }>`
          SELECT rolname AS name, rolsuper OR rolbypassrls AS passes,
            (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns
          FROM pg_roles r WHERE rolname = current_user`
      assert.deepStrictEqual(who, [{ name: serviceRole, passes: false, owns: 0 }])
      yield* sql`RESET ROLE`
      const reset = yield* sql<{ name: string }>`SELECT current_user AS name`
      assert.deepStrictEqual(reset, [{ name: serviceRole }])
    })
  )

  it.effect("hides all other workspaces from a statement that forgets to name its own", () =>
    Effect.gen(function* () {
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* seen.pipe(calling(ours.caller), withRequestReach), [1, 1])
      const changed = yield* sql`UPDATE repositories SET description = 'ours' RETURNING id`.pipe(
        calling(ours.caller),
        withRequestReach
      )
      assert.deepStrictEqual(changed, [{ id: ours.repository_id }])
      const forged = sql`UPDATE repositories SET workspace_id = ${theirs.caller.workspace_id}`
      yield* Effect.flip(forged.pipe(calling(ours.caller), withRequestReach))
      assert.deepStrictEqual(yield* withReach(withinWorkspace(theirs.caller.workspace_id)(seen)), [1, 1])
    })
  )

  it.effect("shows a request nothing before its caller is known, and the service itself everything", () =>
    Effect.gen(function* () {
      yield* aTenant()
      assert.deepStrictEqual(yield* withRequestReach(seen), [0, 0])
      const all = yield* seen
      assert.isAbove(all[0] ?? 0, 0)
      assert.deepStrictEqual(yield* withRequestReach(asSystem(seen)), all)
    })
  )

  it.effect("hides restricted repositories from those who may not see them, whatever the statement is", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const caller = { ...tenant.caller, hidden_repositories: [RepositoryId.make(tenant.repository_id)] }
      assert.deepStrictEqual(yield* seen.pipe(calling(caller), withRequestReach), [1, 0])
      assert.deepStrictEqual(yield* unrestricted(seen).pipe(calling(caller), withRequestReach), [1, 1])
    })
  )

  it.effect("stays right on one connection through rollbacks, savepoints and failing statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      const namesOf = (workspace_id: WorkspaceId) =>
        withReach(withinWorkspace(workspace_id)(sql<{ id: string }>`SELECT id FROM workspaces`))
      const one = [{ id: ours.caller.workspace_id }]
      const other = [{ id: theirs.caller.workspace_id }]
      const inside = Effect.gen(function* () {
        assert.deepStrictEqual(yield* namesOf(ours.caller.workspace_id), one)
        const nested = sql.withTransaction(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* namesOf(theirs.caller.workspace_id), other)
            return yield* sql`SELECT 1 / 0`
          })
        )
        yield* Effect.flip(nested)
        assert.deepStrictEqual(yield* namesOf(theirs.caller.workspace_id), other)
        assert.deepStrictEqual(yield* namesOf(ours.caller.workspace_id), one)
        return yield* Effect.fail("rolled back" as const)
      })
      for (let round = 0; round < 8; round++) {
        assert.strictEqual(yield* Effect.flip(sql.withTransaction(inside)), "rolled back")
        assert.deepStrictEqual(yield* namesOf(theirs.caller.workspace_id), other)
        assert.deepStrictEqual(yield* namesOf(ours.caller.workspace_id), one)
      }
    })
  )

  it.effect("never mixes up concurrent callers on shared connections", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenants = yield* Effect.all(Array.from({ length: 12 }, () => aTenant()))
      const rounds = Array.from({ length: 600 }, (_, i) => tenants[(i * 7) % tenants.length]!)
      const wrong = yield* Effect.forEach(
        rounds,
        ({ caller }) =>
          sql<{ id: string }>`SELECT id FROM workspaces`.pipe(
            calling(caller),
            withRequestReach,
            Effect.map((found) => (found.length === 1 && found[0]?.id === caller.workspace_id ? [] : [found]))
          ),
        { concurrency: 40 }
      )
      assert.deepStrictEqual(wrong.flat(), [])
    })
  )
})

layer(OwnedDatabase)("row-level security of an owner who is no superuser", (it) => {
  it.effect("binds the owner, as whom the services act", () =>
    Effect.gen(function* () {
      yield* migrate()
      assert.isUndefined(yield* roleOfServices)
      const [ours, theirs] = [yield* aTenant(), yield* aTenant()]
      assert.deepStrictEqual(yield* seen, [2, 2])
      assert.deepStrictEqual(yield* withRequestReach(seen), [0, 0])
      const hidden = { ...ours.caller, hidden_repositories: [ours.repository_id] }
      assert.deepStrictEqual(yield* seen.pipe(calling(ours.caller), withRequestReach), [1, 1])
      assert.deepStrictEqual(yield* seen.pipe(calling(hidden), withRequestReach), [1, 0])
      const sql = yield* SqlClient.SqlClient
      const forged = sql`UPDATE repositories SET workspace_id = ${theirs.caller.workspace_id}`
      yield* Effect.flip(forged.pipe(calling(ours.caller), withRequestReach))
    })
  )
})
