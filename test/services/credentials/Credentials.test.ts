import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, TestClock } from "effect"
import * as SecretKeyFile from "../../../src/layers/SecretKeyFile.ts"
import type { CreateCredential } from "../../../src/schema/Credential.ts"
import { RepositoryId } from "../../../src/schema/Ids.ts"
import { Credentials } from "../../../src/services/credentials/Credentials.ts"
import { CredentialsRepo } from "../../../src/services/credentials/CredentialsRepo.ts"
import { StoredCredentials } from "../../../src/services/credentials/StoredCredentials.ts"
import { type CredentialRequest, RemoteCredentials } from "../../../src/services/ports/RemoteCredentials.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { formsOf, inTables } from "../../support/secretHunt.ts"
import { servicesWith } from "../../support/services.ts"
import { aKeyPair } from "../../support/sshGitServer.ts"

const dataDir = aFolder()
const keyFile = SecretKeyFile.layer({ dataDir, key: null })

const Services = Layer.merge(Credentials.Default, StoredCredentials).pipe(
  Layer.provideMerge(CredentialsRepo.Default),
  Layer.provide(keyFile),
  Layer.provideMerge(servicesWith())
)

const create = (tenant: Tenant, request: CreateCredential) =>
  Effect.flatMap(Credentials, (credentials) => credentials.create(request)).pipe(as(tenant))

const created = (tenant: Tenant, request: Partial<CreateCredential> = {}) =>
  create(tenant, { kind: "https", host: "git.example.org", secret: "s3cret-token", ...request })

const found = (tenant: Tenant, request: Partial<CredentialRequest> = {}) =>
  Effect.gen(function* () {
    const credentials = yield* RemoteCredentials
    const repository_id = RepositoryId.make(tenant.repository_id)
    const access = { workspace_id: tenant.caller.workspace_id, repository_id, access_mode: "installed" as const }
    const host = "git.example.org"
    return yield* credentials.of({ access, kind: "https", host, url: `https://${host}/x`, ...request })
  })

const secretOf = (tenant: Tenant, request: Partial<CredentialRequest> = {}) =>
  Effect.map(found(tenant, request), (credential) =>
    credential?.kind === "https" ? Redacted.value(credential.secret) : null
  )

const slugOf = (tenant: Tenant) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ slug: string }>`
      SELECT github_org || '/' || repo_name AS slug FROM repositories WHERE id = ${tenant.repository_id}`
    return rows[0]!.slug
  })

layer(Services)("credentials", (it) => {
  it.effect("are stored sealed, and shown without their secret", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const login = yield* created(tenant, { host: "Git.Example.org:443", username: "assay" })
      assert.deepStrictEqual(Object.keys(login).sort(), [
        ...["created_at", "fingerprint", "host", "id", "kind", "last_used_at", "repository", "username"]
      ])
      assert.deepInclude(login, { kind: "https", host: "git.example.org", repository: null, fingerprint: null })
      const pair = aKeyPair()
      const key = yield* create(tenant, {
        kind: "ssh",
        host: "git.example.org:2222",
        private_key: pair.privateKey,
        known_hosts: `[git.example.org]:2222 ${aKeyPair().publicKey}`
      })
      assert.strictEqual(key.fingerprint, pair.fingerprint)
      const forms = [...formsOf("s3cret-token", "assay"), ...formsOf(pair.privateKey)]
      assert.deepStrictEqual(yield* inTables(forms), [])
      const log = yield* loggedIn(tenant.caller.workspace_id)
      assert.deepStrictEqual(
        log.map(({ object_kind, object_ref }) => `${object_kind}:${object_ref}`),
        [`credential:${login.id}`, `credential:${key.id}`]
      )
    })
  )

  it.effect("of a repository come before those of its host, the newest of equals first", () =>
    Effect.gen(function* () {
      const [tenant, other] = [yield* aTenant(), yield* aTenant()]
      yield* created(tenant, { secret: "of the repository", repository: yield* slugOf(tenant) })
      yield* created(tenant, { secret: "of the host, older" })
      yield* TestClock.adjust("1 second")
      const newest = yield* created(tenant, { secret: "of the host" })
      assert.strictEqual(yield* secretOf(tenant), "of the repository")
      const access = {
        workspace_id: tenant.caller.workspace_id,
        repository_id: null,
        access_mode: "installed" as const
      }
      assert.strictEqual(yield* secretOf(tenant, { access }), "of the host")
      yield* Effect.flatMap(Credentials, (credentials) => credentials.remove(newest.id)).pipe(as(tenant))
      assert.strictEqual(yield* secretOf(tenant, { access }), "of the host, older")
      for (const request of [{ host: "other.example.org" }, { host: "git.example.org:8443" }, { kind: "ssh" as const }])
        assert.isNull(yield* secretOf(tenant, request))
      assert.isNull(yield* secretOf(other))
    })
  )

  it.effect("are marked as used at most once a minute", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* created(tenant)
      const lastUsed = Effect.flatMap(Credentials, (credentials) => credentials.list({})).pipe(
        as(tenant),
        Effect.map(({ data }) => data[0]?.last_used_at)
      )
      const use = Effect.flatMap(found(tenant), (credential) => credential!.used)
      assert.isNull(yield* lastUsed)
      yield* use
      const first = yield* lastUsed
      assert.isString(first)
      yield* TestClock.adjust("59 seconds")
      yield* use
      assert.strictEqual(yield* lastUsed, first)
      yield* TestClock.adjust("2 seconds")
      yield* use
      assert.notStrictEqual(yield* lastUsed, first)
    })
  )

  it.effect("stay closed in the row of another workspace or credential", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [tenant, thief] = [yield* aTenant(), yield* aTenant()]
      const { id } = yield* created(tenant, { secret: "of the tenant" })
      yield* created(thief, { secret: "of the thief" })
      yield* sql`UPDATE credentials SET sealed = (SELECT sealed FROM credentials WHERE id = ${id})
        WHERE workspace_id = ${thief.caller.workspace_id}`
      const error = yield* Effect.flip(found(thief))
      assert.strictEqual(error.reason, "authentication")
      assert.include(error.message, "The credential for git.example.org cannot be opened. It was changed")
    })
  )

  it.effect("that were sealed with another key name the variable", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      yield* created(tenant)
      const lost = StoredCredentials.pipe(
        Layer.provide(SecretKeyFile.layer({ dataDir: aFolder(), key: null })),
        Layer.provide(CredentialsRepo.Default)
      )
      const error = yield* Effect.flip(Effect.provide(found(tenant), Layer.orDie(lost)))
      assert.strictEqual(error.reason, "authentication")
      assert.include(error.message, "ASSAY_SECRET_KEY")
    })
  )

  it.effect("are rejected by field, in words that name the way out and never the secret", () =>
    Effect.gen(function* () {
      const tenant = yield* aTenant()
      const pair = aKeyPair()
      const known_hosts = `git.example.org ${aKeyPair().publicKey}`
      const ssh = { kind: "ssh" as const, private_key: pair.privateKey, known_hosts }
      const host = "git.example.org"
      const cases: ReadonlyArray<readonly [CreateCredential, string, string]> = [
        [{ kind: "https", host }, "secret", "is required"],
        [{ kind: "https", host, secret: "x", known_hosts }, "known_hosts", "does not belong"],
        [{ ...ssh, host, secret: "s3cret" }, "secret", "does not belong"],
        [{ kind: "ssh", host, known_hosts }, "private_key", "is required"],
        [{ kind: "ssh", host, private_key: pair.privateKey }, "known_hosts", "ssh-keyscan"],
        [{ ...ssh, host: "other.example.org" }, "known_hosts", "has no key of other.example.org"],
        [{ ...ssh, host: `${host}:2222` }, "known_hosts", "has no key of [git.example.org]:2222"],
        [{ ...ssh, host, private_key: aKeyPair("-N", "phrase").privateKey }, "private_key", "passphrase"],
        [{ ...ssh, host, username: "-oProxyCommand=x" }, "username", "is not the name"],
        [{ kind: "https", host: `${host}:0`, secret: "x" }, "host", "is not the name or address"],
        [{ kind: "https", host: `${host}:65536`, secret: "x" }, "host", "is not the name or address"],
        [{ kind: "https", host: "300.0.0.1", secret: "x" }, "host", "is not the name or address"]
      ]
      for (const [request, param, text] of cases) {
        const error = yield* Effect.flip(create(tenant, request))
        assert.deepStrictEqual([error._tag, error.param], ["InvalidPayload", param], error.message)
        assert.include(error.message, text)
        assert.notInclude(JSON.stringify(error), "s3cret")
      }
      const missing = yield* Effect.flip(created(tenant, { repository: "nowhere@main" }))
      assert.deepStrictEqual([missing._tag, missing.param], ["RepositoryNotFound", "repository"])
    })
  )
})
