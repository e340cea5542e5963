import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { AppConfig } from "../../src/layers/Config.ts"
import { installationChecks } from "../../src/layers/checks/installationChecks.ts"
import { Doctor } from "../../src/services/overview/Doctor.ts"
import { InstallationChecks } from "../../src/services/ports/InstallationChecks.ts"
import { Database } from "../support/Database.ts"
import { aFolder } from "../support/gitRepository.ts"

const configured = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(AppConfig, ConfigProvider.fromMap(new Map(Object.entries(variables))))

/** The report of a process that is configured like this. */
const reportWith = (variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const config = yield* Effect.orDie(configured(variables))
    const { report } = yield* Effect.provide(Doctor, Layer.provide(Doctor.Default, installationChecks(config)))
    return (yield* report()).checks
  })

layer(Database, { excludeTestServices: true })("the checks that owners see", (it) => {
  it.effect("are those of the doctor, of the running process and its database", () =>
    Effect.gen(function* () {
      const checks = yield* reportWith({ ASSAY_DATA_DIR: aFolder() })
      const names =
        "settings node git memory disk database migrations clock growth retention repositories jobs sandbox advisories mail proxies"
      assert.deepStrictEqual(
        checks.map(({ name }) => name),
        names.split(" ")
      )
      const statusOf = new Map(checks.map(({ name, status }) => [name, status]))
      for (const name of ["node", "git", "database", "migrations", "clock", "growth", "retention", "mail"]) {
        assert.strictEqual(statusOf.get(name), "ok", name)
      }
      for (const { status, advice, name } of checks) assert.strictEqual(advice === null, status === "ok", name)
    })
  )

  it.effect("name no path, no address and no secret, whatever fails", () =>
    Effect.gen(function* () {
      const absent = `${aFolder()}/absent`
      const variables = {
        ASSAY_DATA_DIR: "/dev/null/data",
        ASSAY_LOCAL_REPO_ROOTS: absent,
        ASSAY_SMTP_URL: "smtp://someone:hushhush@127.0.0.1:9",
        ASSAY_MAIL_FROM: "assay@example.org",
        ASSAY_TRUSTED_PROXIES: "10.9.8.0/24"
      }
      const checks = yield* reportWith(variables)
      const failing = checks.filter(({ status }) => status !== "ok").map(({ name }) => name)
      assert.includeMembers(failing, ["disk", "repositories", "mail"])
      const text = JSON.stringify(checks)
      for (const part of [absent, "/dev/null", "hushhush", "127.0.0.1", "10.9.8.0", "example.org"]) {
        assert.notInclude(text, part)
      }
    })
  )

  it.effect("say only that a check failed where it breaks", () =>
    Effect.gen(function* () {
      const broken = Layer.succeed(
        InstallationChecks,
        Effect.succeed([{ name: "new", status: "fail" as const, detail: "the check could not be made" }])
      )
      const { report } = yield* Effect.provide(Doctor, Layer.provide(Doctor.Default, broken))
      const { checks } = yield* report()
      assert.deepStrictEqual(
        checks.map(({ advice }) => advice),
        ["Run assay doctor on the server: it says more there."]
      )
    })
  )
})
