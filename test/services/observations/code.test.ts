import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ObservationCode } from "../../../src/services/observations/ObservationCode.ts"
import { ObservationsRepo } from "../../../src/services/observations/ObservationsRepo.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import { jsonb } from "../../../src/services/support/statements.ts"
import { Database } from "../../support/Database.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { numberOf, observationsIn } from "../../support/services.ts"

const password = "Xk29fLq81mZt77"
const key = [
  "-----BEGIN RSA PRIVATE KEY-----",
  ...Array.from({ length: 30 }, (_, n) => `MIIEpAIBAAKCAQEA${n}x7Yq`),
  "-----END RSA PRIVATE KEY-----"
]
const numbered = Array.from({ length: 400 }, (_, n) => `const line${n + 1} = ${n + 1}`)

const files: Readonly<Record<string, string | Uint8Array>> = {
  "src/index.ts": `${numbered.join("\n")}\n`,
  "src/secret.ts": `const user = "shop"\nconst password = "${password}"\nconnect(user, password)\n`,
  "deploy/key.pem": `${key.join("\n")}\n`,
  "src/long.ts": `const a = "${"💥".repeat(5000)}"\r\nconst b = 2\r\n`,
  "image.png": new Uint8Array([137, 80, 78, 71, 0, 1, 2, 10, 3])
}

const host = Layer.mock(CodeHost, {
  files: ({ commit, paths, maxBytes }) =>
    Effect.sync(() => {
      assert.isAtMost(maxBytes, 1024 * 1024)
      return new Map(
        commit !== "c0ffee"
          ? []
          : paths.flatMap((path) => {
              const content = files[path]
              if (content === undefined) return []
              return [[path, typeof content === "string" ? new TextEncoder().encode(content) : content] as const]
            })
      )
    })
})

const Code = ObservationCode.Default.pipe(
  Layer.provide(host),
  Layer.provide(ObservationsRepo.Default),
  Layer.provideMerge(Database)
)

interface Place {
  readonly file_path: string
  readonly line_start: number
  readonly line_end: number
}

const at = (file_path: string, line_start: number, line_end = line_start): Place => ({
  file_path,
  line_start,
  line_end
})

/** The code of an observation with these locations. */
const codeOf = (tenant: Tenant, places: ReadonlyArray<Place>, query: { readonly context?: number } = {}) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [ref] = yield* observationsIn(tenant, [{}])
    yield* sql`UPDATE observations SET locations = ${jsonb(places.map((place) => ({ ...place, symbol: null })))}
      WHERE workspace_id = ${tenant.caller.workspace_id} AND number = ${numberOf(ref!)}`
    return yield* Effect.flatMap(ObservationCode, (code) => code.read(numberOf(ref!), query)).pipe(as(tenant))
  })

const anAuditedTenant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tenant = yield* aTenant()
  yield* sql`UPDATE repositories SET last_audit_sha = 'c0ffee' WHERE id = ${tenant.repository_id}`
  return tenant
})

layer(Code)("the code of an observation", (it) => {
  it.effect("is its lines with five around them, as far as the file goes, and as many as requested", () =>
    Effect.gen(function* () {
      const tenant = yield* anAuditedTenant
      const numbers = (places: ReadonlyArray<Place>, query?: { readonly context?: number }) =>
        Effect.map(codeOf(tenant, places, query), ({ locations, truncated }) => ({
          lines: locations.map(({ lines }) => [lines[0]?.n, lines.at(-1)?.n]),
          truncated
        }))
      const { locations } = yield* codeOf(tenant, [at("src/index.ts", 100, 101)])
      assert.deepStrictEqual(locations[0], {
        file_path: "src/index.ts",
        commit: "c0ffee",
        line_start: 100,
        line_end: 101,
        lines: Array.from({ length: 12 }, (_, n) => ({ n: 95 + n, text: numbered[94 + n]! }))
      })
      assert.deepStrictEqual(yield* numbers([at("src/index.ts", 2), at("src/index.ts", 399)]), {
        lines: [
          [1, 7],
          [394, 400]
        ],
        truncated: false
      })
      assert.deepStrictEqual(yield* numbers([at("src/index.ts", 60)], { context: 50 }), {
        lines: [[10, 110]],
        truncated: false
      })
      assert.deepStrictEqual(yield* numbers([at("src/index.ts", 60)], { context: 0 }), {
        lines: [[60, 60]],
        truncated: false
      })
    })
  )

  it.effect(
    "is redacted as snippets are, also in the middle of what spans many lines, and lines keep their numbers",
    () =>
      Effect.gen(function* () {
        const tenant = yield* anAuditedTenant
        const { locations } = yield* codeOf(tenant, [at("src/secret.ts", 2), at("deploy/key.pem", 15)])
        const [secret, pem] = locations
        assert.deepStrictEqual(
          secret?.lines.map(({ text }) => text),
          ['const user = "shop"', 'const password = "[redacted]"', "connect(user, password)"]
        )
        assert.deepStrictEqual(
          pem?.lines.map(({ n }) => n),
          Array.from({ length: 11 }, (_, n) => 10 + n)
        )
        assert.notInclude(JSON.stringify(locations), "MIIE")
      })
  )

  it.effect(
    "of a step is its line with those around it, and none where there is no such step or it names no line",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenant = yield* anAuditedTenant
        const [ref] = yield* observationsIn(tenant, [{}])
        const steps = [
          { file_path: "src/secret.ts", line: 2, note: "The value enters" },
          { file_path: "src/index.ts", line: 20, note: "It is passed on" },
          { file_path: "src/index.ts", line: null, note: "It does harm" }
        ]
        yield* sql`UPDATE observations SET steps = ${jsonb(steps)} WHERE workspace_id = ${tenant.caller.workspace_id}`
        const linesOf = (step: number, context?: number) =>
          Effect.flatMap(ObservationCode, (code) =>
            code.read(numberOf(ref!), { step, ...(context && { context }) })
          ).pipe(
            as(tenant),
            Effect.map(({ locations }) => locations.map(({ lines }) => lines.map(({ n, text }) => [n, text])))
          )
        assert.deepStrictEqual(yield* linesOf(1, 1), [
          [
            [1, 'const user = "shop"'],
            [2, 'const password = "[redacted]"'],
            [3, "connect(user, password)"]
          ]
        ])
        assert.deepStrictEqual(
          (yield* linesOf(2)).map((lines) => [lines[0]?.[0], lines.at(-1)?.[0]]),
          [[15, 25]]
        )
        assert.deepStrictEqual([yield* linesOf(3), yield* linesOf(4)], [[], []])
      })
  )

  it.effect("has no lines where there is no such commit or file, or the file is binary", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenant = yield* anAuditedTenant
      const places = [at("src/gone.ts", 1), at("image.png", 1), at("src/index.ts", 9999)]
      const { locations, truncated } = yield* codeOf(tenant, places)
      assert.deepStrictEqual([locations.map(({ lines }) => lines), truncated], [[[], [], []], false])
      for (const sha of ["beef", null]) {
        yield* sql`UPDATE repositories SET last_audit_sha = ${sha} WHERE id = ${tenant.repository_id}`
        const lost = yield* codeOf(tenant, [at("src/index.ts", 3)])
        assert.deepStrictEqual(lost, {
          locations: [{ ...at("src/index.ts", 3), commit: sha, lines: [] }],
          truncated: false
        })
      }
      const stranger = yield* aTenant()
      const { _tag } = yield* Effect.flip(
        Effect.flatMap(ObservationCode, (code) => code.read(numberOf("OBS-1"), {})).pipe(as(stranger))
      )
      assert.strictEqual(_tag, "ObservationNotFound")
    })
  )

  it.effect("is bounded: locations, lines of one, and characters of a line, and says so", () =>
    Effect.gen(function* () {
      const tenant = yield* anAuditedTenant
      const long = yield* codeOf(tenant, [at("src/long.ts", 1)])
      const [first, second] = long.locations[0]!.lines
      assert.isTrue(long.truncated)
      assert.strictEqual([...first!.text].length, 400)
      assert.match(first!.text, /^const a = "(💥)+…$/u)
      assert.strictEqual(second?.text, "const b = 2")
      const whole = yield* codeOf(tenant, [at("src/index.ts", 1, 400)])
      assert.deepStrictEqual([whole.locations[0]?.lines.length, whole.truncated], [200, true])
      const many = yield* codeOf(
        tenant,
        Array.from({ length: 11 }, (_, n) => at("src/index.ts", n + 1))
      )
      assert.deepStrictEqual([many.locations.length, many.truncated], [10, true])
    })
  )
})
