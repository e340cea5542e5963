import { randomBytes } from "node:crypto"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { roleOfServices } from "../../src/layers/Migrations.ts"
import { layerFromUrl, type PoolOptions } from "../../src/layers/Sql.ts"
import { askFor } from "./askFor.ts"
import { administer, type TestServer, urlOf } from "./TestPostgres.ts"

/** The address of this file's database, for tests that open connections of their own. */
export class TestDatabase extends Context.Tag("TestDatabase")<
  TestDatabase,
  { readonly url: Redacted.Redacted; readonly name: string; readonly server: TestServer }
>() {}

const freshName = () => `assay_test_${randomBytes(6).toString("hex")}`

const created = (server: TestServer, options: string) =>
  Effect.acquireRelease(
    Effect.tap(Effect.sync(freshName), (name) =>
      administer(server.url, `CREATE DATABASE ${name} ${options} STRATEGY FILE_COPY`)
    ),
    (name) => administer(server.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  )

const freshDatabase = (template: (server: TestServer) => string) =>
  Layer.scoped(
    TestDatabase,
    Effect.gen(function* () {
      const server = yield* askFor<TestServer>(inject("testServerPort"))
      const name = yield* created(server, `TEMPLATE ${template(server)}`)
      return { url: Redacted.make(urlOf(server.url, name)), name, server }
    })
  )

const ownedDatabase = Layer.scoped(
  TestDatabase,
  Effect.gen(function* () {
    const server = yield* askFor<TestServer>(inject("testServerPort"))
    const [owner, password] = [freshName(), randomBytes(12).toString("hex")]
    yield* Effect.acquireRelease(
      administer(server.url, `CREATE ROLE ${owner} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD '${password}'`),
      () => administer(server.url, `DROP ROLE ${owner}`)
    )
    const name = yield* created(server, `OWNER ${owner} TEMPLATE template0`)
    const url = new URL(urlOf(server.url, name))
    Object.assign(url, { username: owner, password })
    return { url: Redacted.make(url.href), name, server }
  })
)

const pool = (options: PoolOptions) =>
  Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => layerFromUrl(url, { maxConnections: 5, ...options })))

/** As the services' pool is made: with the role that row-level security binds. */
const servicePool = (options: PoolOptions) =>
  Layer.unwrapEffect(
    Effect.flatMap(TestDatabase, ({ url }) =>
      Effect.map(Effect.provide(roleOfServices, layerFromUrl(url, { maxConnections: 1 })), (role) =>
        pool({ ...options, role })
      )
    )
  )

const migratedDatabase = (options: PoolOptions) =>
  Layer.provideMerge(
    servicePool(options),
    freshDatabase(({ template }) => template)
  )

/** A database of its own for a test file, with the schema of all migrations; dropped when the file is done. */
export const Database = migratedDatabase({})

/** The same for more requests at once than a busy machine answers in the seconds that one may wait. */
export const CrowdedDatabase = migratedDatabase({ connectTimeout: "2 minutes", requestTimeout: "2 minutes" })

/** The same for that many statements at the same moment. */
export const ParallelDatabase = migratedDatabase({
  maxConnections: 18,
  connectTimeout: "2 minutes",
  requestTimeout: "2 minutes"
})

/**
 * Runs as the database's owner, on a connection of its own, also within a transaction: for what the services' role may not
 * do.
 */
export const asOwner = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(TestDatabase, ({ url }) =>
    // A client of any pool goes on with the transaction that its fiber is in.
    Effect.mapInputContext(
      effect,
      (context: Context.Context<R>) => Context.omit(SqlClient.TransactionConnection)(context) as Context.Context<R>
    ).pipe(Effect.provide(layerFromUrl(url, { maxConnections: 1 })))
  )

/** The same without any table. */
export const emptyDatabase = (options: PoolOptions) =>
  Layer.provideMerge(
    pool(options),
    freshDatabase(() => "template0")
  )

export const EmptyDatabase = emptyDatabase({})

/** The same of an owner who is no superuser, and as whom the connections sign in. */
export const OwnedDatabase = Layer.provideMerge(pool({ applicationName: "a test" }), ownedDatabase)
