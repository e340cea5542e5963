import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Tools } from "../../src/mcp/Tools.ts"
import { Repositories } from "../../src/services/repositories/Repositories.ts"
import { aKey, anObservation, aRegisteredRepository, as, aWorkspace, type Person } from "../support/builders.ts"
import { rpc, structureOf, textOf } from "../support/mcp.ts"
import { App, TestApp } from "../support/TestApp.ts"

type Args = Readonly<Record<string, unknown>>

interface Results {
  readonly results: ReadonlyArray<Readonly<Record<string, unknown>> & { readonly ref: string; readonly ok: boolean }>
}
interface Rows {
  readonly data: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const aCaller = (owner: Person) =>
  Effect.map(aKey(owner), ({ api_key }) => ({
    call: <A>(name: string, args: Args) =>
      Effect.map(rpc(api_key, "tools/call", { name, arguments: args }), ({ result }) => {
        assert.notStrictEqual(result?.isError, true, textOf(result!))
        return structureOf<A>(result)
      }),
    rejection: (name: string, args: Args) =>
      Effect.map(rpc(api_key, "tools/call", { name, arguments: args }), ({ result }) => textOf(result!))
  }))

const aTriage = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const repository = yield* aRegisteredRepository(owner)
  const refs = yield* Effect.forEach(["P0", "P1", "P2", "P3"] as const, (priority) =>
    anObservation(owner, repository, { priority })
  )
  return { owner, refs, ...(yield* aCaller(owner)) }
})

layer(TestApp)((it) => {
  describe("several references in one call", () => {
    it.effect("are each triaged, and the error of one stops no other", () =>
      Effect.gen(function* () {
        const { call, refs } = yield* aTriage
        const [first = "", second = "", third = ""] = refs
        yield* call("complete_observation", { ref: second })
        const dismissed = yield* call<Results>("dismiss_observation", {
          refs: [first, second, "OBS-9999", first, third],
          dismissal_category: "wont_fix",
          dismissal_note: "Only used in the tests."
        })
        assert.deepStrictEqual(dismissed.results, [
          { ref: first, ok: true, status: "closed" },
          { ref: second, ok: false, code: "observation_closed", message: `${second} is closed (completed).` },
          { ref: "OBS-9999", ok: false, code: "not_found", message: "No observation OBS-9999." },
          { ref: third, ok: true, status: "closed" }
        ])
        const open = yield* call<Rows>("list_observations", { status: "new" })
        assert.deepStrictEqual(
          open.data.map(({ ref }) => ref),
          [refs[3]]
        )
        const reopened = yield* call<Results>("reopen_observation", {
          refs: [first, third],
          reopen_reason: "It is used."
        })
        assert.isTrue(reopened.results.every(({ ok }) => ok))
        const acknowledged = yield* call<Results>("acknowledge_observation", { refs })
        assert.deepStrictEqual(
          acknowledged.results.map(({ ok }) => ok),
          [true, false, true, true]
        )
        const completed = yield* call<Results>("complete_observation", { refs: [third], note: "Removed." })
        assert.deepStrictEqual(completed.results, [{ ref: third, ok: true, status: "closed" }])
      })
    )

    it.effect("are read together with what decides about each", () =>
      Effect.gen(function* () {
        const { call, refs } = yield* aTriage
        const { results } = yield* call<Results>("get_observation", { refs: [...refs, "OBS-9999"] })
        assert.deepStrictEqual(
          results.map(({ ref, ok }) => [ref, ok]),
          [...refs.map((ref) => [ref, true]), ["OBS-9999", false]]
        )
        assert.deepInclude(results[0]?.observation, {
          priority: "P0",
          title: "A key in the source",
          file_path: "src/index.ts",
          line: 1,
          locations_count: 1,
          fix_available: true
        })
      })
    )

    it.effect("are 1 to 50, and not sent beside a single one", () =>
      Effect.gen(function* () {
        const { rejection } = yield* aTriage
        const many = Array.from({ length: 51 }, (_, n) => `OBS-${n + 1}`)
        const [tooFew, tooMany] = ["must have at least 1 item", "must have at most 50 items"]
        assert.strictEqual(yield* rejection("get_observation", { refs: [] }), `[invalid_payload] refs: ${tooFew}`)
        assert.strictEqual(
          yield* rejection("acknowledge_observation", { refs: many }),
          `[invalid_payload] refs: ${tooMany}`
        )
        assert.strictEqual(yield* rejection("get_observation", {}), "[invalid_payload] ref: is required")
        assert.strictEqual(
          yield* rejection("get_observation", { ref: "OBS-1", refs: ["OBS-2"] }),
          "[invalid_payload] refs: must not be sent beside ref"
        )
      })
    )
  })

  describe("a list of observations", () => {
    it.effect("has the beginning of the description, the number of locations and, on request, the locations", () =>
      Effect.gen(function* () {
        const { owner, call, refs } = yield* aTriage
        const sql = yield* SqlClient.SqlClient
        const location = { file_path: "src/index.ts", symbol: null, line_start: 1, line_end: 1 }
        yield* sql`
        UPDATE observations SET description = ${"😀".repeat(201)}, locations = ${JSON.stringify([location, location])}::jsonb
        WHERE workspace_id = ${owner.workspace_id} AND priority = 'P0'`
        const { data } = yield* call<Rows>("list_observations", { priority: "P0" })
        assert.strictEqual(data[0]?.description, `${"😀".repeat(199)}…`)
        assert.deepStrictEqual([data[0]?.locations_count, data[0]?.locations], [2, undefined])
        const whole = yield* call<Rows>("list_observations", { include: ["locations"] })
        assert.deepStrictEqual(
          whole.data.map(({ ref, locations }) => [ref, (locations as ReadonlyArray<unknown>).length]),
          [...refs].reverse().map((ref) => [ref, ref === refs[0] ? 2 : 1])
        )
        assert.strictEqual(whole.data[0]?.description, "Anybody who reads it may use it.")
      })
    )

    it.effect("takes several priorities and statuses", () =>
      Effect.gen(function* () {
        const { call, refs } = yield* aTriage
        yield* call("complete_observation", { ref: refs[0] })
        const listed = (args: Args) =>
          Effect.map(call<Rows>("list_observations", args), ({ data }) => data.map(({ priority }) => priority))
        assert.deepStrictEqual(yield* listed({ priorities: ["P0", "P1"] }), ["P1", "P0"])
        assert.deepStrictEqual(yield* listed({ priorities: ["P0", "P1"], statuses: ["new"] }), ["P1"])
        assert.deepStrictEqual(yield* listed({ statuses: ["new", "closed"] }), ["P3", "P2", "P1", "P0"])
      })
    )
  })

  describe("a repository", () => {
    it.effect("is named by its slug wherever a tool takes owner, name and branch", () =>
      Effect.gen(function* () {
        const { call, rejection, owner } = yield* aTriage
        const tools = yield* Tools
        const named = tools.filter(({ namesRepository }) => namesRepository)
        assert.isAtLeast(named.length, 20)
        for (const { name, inputSchema } of tools) {
          const arguments_ = Object.keys(inputSchema.properties ?? {})
          // The contract names one repository, by its slug, for missions.
          if (/^(create|resolve)_mission$/.test(name)) continue
          const isNamed = named.some((tool) => tool.name === name)
          assert.strictEqual(arguments_.includes("repository"), isNamed, name)
          if (!isNamed && arguments_.includes("github_org")) assert.match(name, /^(register|preview)_repository$/)
        }
        for (const repository of ["api@main", "acme/api@main"]) {
          assert.deepInclude(yield* call<object>("get_repository", { repository }), { repo_name: "api@main" })
          assert.lengthOf((yield* call<Rows>("recent_issues", { repository, file_path: "src/index.ts" })).data, 4)
        }
        assert.match(yield* rejection("get_repository", { repository: "api" }), /^\[not_found\] /)
        assert.match(yield* rejection("get_repository", { repository: "other/api@main" }), /^\[not_found\] /)
        assert.match(yield* rejection("get_repository", {}), /^\[invalid_payload\] github_org: is required/)
        assert.strictEqual(
          yield* rejection("get_repository", { repository: "api@main", github_org: "acme" }),
          "[invalid_payload] repository: must not be sent beside github_org, github_repo, github_base_branch"
        )
        const { cloneUrl } = yield* App
        yield* Effect.flatMap(Repositories, (repositories) =>
          repositories.register({ github_org: "umbrella", github_repo: "api", clone_url: cloneUrl })
        ).pipe(as(owner), Effect.orDie)
        assert.include(yield* rejection("get_repository", { repository: "api@main" }), "umbrella/api@main")
      })
    )
  })
})
