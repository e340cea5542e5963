import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { assay } from "../support/assayCommand.ts"
import { aListener } from "../support/gitServer.ts"
import { aServer, aTemporaryFolder } from "../support/server.ts"

interface Check {
  readonly name: string
  readonly status: string
  readonly detail: string
}

const checks = (stdout: string) => new Map((JSON.parse(stdout) as ReadonlyArray<Check>).map((one) => [one.name, one]))

it.scopedLive("Operators' commands ask the running server where it is, and doctor changes nothing", () =>
  Effect.gen(function* () {
    const dataDir = yield* aTemporaryFolder
    const data = { ASSAY_DATA_DIR: join(dataDir, "data") }
    const free = { ASSAY_PORT: "0", ASSAY_DOCS_PORT: "0", ASSAY_ADMIN_PORT: "0" }

    const before = yield* assay(["doctor", "--json"], { env: { ...data, ...free } })
    assert.strictEqual(before.status, 0, before.stdout)
    assert.isFalse(existsSync(data.ASSAY_DATA_DIR))
    assert.include(checks(before.stdout).get("database")?.detail, "none yet")
    const names = ["settings", "node", "git", "memory", "disk", "database", "ports", "repositories", "jobs"]
    assert.deepStrictEqual([...checks(before.stdout).keys()], [...names, "sandbox", "advisories", "mail", "proxies"])

    const server = yield* aServer({ dataDir })
    // The shell's own settings are those of another service.
    const shell = { ...data, ASSAY_PORT: "9", ASSAY_HOST: "192.0.2.1", ASSAY_PUBLIC_URL: "http://other.example" }
    const link = yield* assay(["sign-in-link"], { env: shell })
    assert.strictEqual(link.status, 0, link.stderr)
    assert.include(link.stdout, `${server.api}/sign-in#token=`)

    const running = checks((yield* assay(["doctor", "--json"], { env: data })).stdout)
    assert.include(running.get("ports")?.detail, `served by process ${server.pid}`)
    assert.deepStrictEqual([running.get("migrations")?.detail, running.get("clock")?.status], ["up to date", "ok"])

    yield* server.stop
    const files = readdirSync(data.ASSAY_DATA_DIR, { recursive: true }).length
    const stopped = yield* assay(["doctor"], { env: { ...data, ...free } })
    assert.strictEqual(stopped.status, 0, stopped.stdout)
    assert.match(stopped.stdout, /^ok {4}database: stopped, in /m)
    assert.strictEqual(readdirSync(data.ASSAY_DATA_DIR, { recursive: true }).length, files)

    const taken = yield* aListener((socket) => socket.destroy())
    const busy = yield* assay(["doctor"], { env: { ...data, ...free, ASSAY_PORT: String(taken) } })
    assert.strictEqual(busy.status, 1)
    assert.match(busy.stdout, /^fail {2}ports: port \d+ on 127\.0\.0\.1 is taken; .* Set ASSAY_PORT\.$/m)

    const typo = yield* assay(["serve"], { env: { ...data, ...free, ASSAY_PROT: "1" } })
    assert.deepStrictEqual(
      [typo.status, typo.stderr],
      [2, "assay: ASSAY_PROT is no setting; did you mean ASSAY_PORT?\n"]
    )
  })
)
