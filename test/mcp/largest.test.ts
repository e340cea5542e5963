import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { notice } from "../../src/mcp/Tool.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import type { RepositoryBrief } from "../../src/schema/Overview.ts"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { aKey, as, type Person } from "../support/builders.ts"
import { CrowdedDatabase } from "../support/Database.ts"
import { inForm } from "../support/forms.ts"
import { largestCalls, longText, marker, theLargestWorld } from "../support/largestWorld.ts"
import { rpc, structureOf, textOf } from "../support/mcp.ts"
import { repositoryArgs, toolErrors } from "../support/samples.ts"
import { testApp } from "../support/TestApp.ts"

/** Some four characters are a token. */
const maxCharacters = 8000 * 4

type Args = Readonly<Record<string, unknown>>

/** Calls tools with as many keys as their budgets need. */
const aPatientCaller = (owner: Person) => {
  let calls = 0
  let key = ""
  return (name: string, args: Args) =>
    Effect.gen(function* () {
      if (calls++ % 40 === 0) key = (yield* aKey(owner)).api_key
      const { result } = yield* rpc(key, "tools/call", { name, arguments: args })
      const text = textOf(result!)
      const structure = JSON.stringify(result?.structuredContent)
      assert.isAtMost(Math.max(text.length, structure.length), maxCharacters, name)
      return { failed: result?.isError === true, text, structure, value: structureOf<Record<string, unknown>>(result) }
    })
}

/** All rows of a list, page by page. */
const rowsOf = (call: ReturnType<typeof aPatientCaller>, name: string, args: Args) =>
  Effect.gen(function* () {
    const rows: Array<Record<string, unknown>> = []
    let cursor: unknown = null
    do {
      const { value } = yield* call(name, { ...args, ...(cursor === null ? {} : { cursor }) })
      rows.push(...(value.data as ReadonlyArray<Record<string, unknown>>))
      assert.strictEqual(value.has_more, value.next_cursor !== null)
      cursor = value.next_cursor
    } while (cursor !== null)
    return rows
  })

class Largest extends Context.Tag("test/Largest")<Largest, Effect.Effect.Success<typeof theLargestWorld>>() {}

/** One for all tests of the file: the one that calls what changes it comes last. */
const LargestLive = Layer.effect(Largest, theLargestWorld).pipe(
  // A search of the longest texts takes longer on a busy machine than a request may.
  Layer.provideMerge(testApp().pipe(Layer.provideMerge(CrowdedDatabase)))
)

layer(LargestLive, { timeout: 600_000 })("the answer of every tool on the largest data", (it) => {
  it.effect(
    "is part of a list that has every row once, however few fit into a page",
    () =>
      Effect.gen(function* () {
        const world = yield* Largest
        const call = aPatientCaller(world.owner)
        const sql = yield* SqlClient.SqlClient
        const [count] = yield* sql<Readonly<Record<string, number>>>`
          SELECT (SELECT count(*)::int FROM jobs WHERE workspace_id = ${world.owner.workspace_id}) AS jobs,
            (SELECT count(*)::int FROM observations WHERE workspace_id = ${world.owner.workspace_id}) AS observations,
            (SELECT count(*)::int FROM repositories WHERE workspace_id = ${world.owner.workspace_id}) AS repositories`
        const expected: ReadonlyArray<readonly [string, Args, string, number | undefined]> = [
          ["list_jobs", { limit: 200 }, "id", count?.jobs],
          ["list_observations", { limit: 200, include: ["locations"] }, "ref", count?.observations],
          ["list_repositories", { limit: 200 }, "id", count?.repositories],
          ["list_projects", { limit: 200 }, "id", 106],
          ["get_context_entry_history", { key: "read", limit: 200 }, "id", 61]
        ]
        for (const [name, args, id, total] of expected) {
          const rows = yield* rowsOf(call, name, args)
          assert.strictEqual(rows.length, total, name)
          assert.strictEqual(new Set(rows.map((row) => row[id])).size, total, name)
        }
      }),
    600_000
  )

  it.effect("leads on to the whole of a long text, and of a long history", () =>
    Effect.gen(function* () {
      const world = yield* Largest
      const call = aPatientCaller(world.owner)
      let body = ""
      let offset: unknown = 0
      while (offset !== null) {
        const { value } = yield* call("get_context_entry", { key: "read", offset })
        body += value.body_md
        assert.strictEqual(value.truncated, value.next_offset !== null)
        offset = value.next_offset
      }
      assert.strictEqual(body, longText(64 * 1024))

      const ref = world.open[0]!
      const reasons: Array<unknown> = []
      let cursor: unknown = null
      do {
        const { value } = yield* call("get_observation", {
          ref,
          ...(cursor === null ? {} : { events_cursor: cursor })
        })
        const events = value.events as ReadonlyArray<{ readonly reason: string }>
        reasons.unshift(...events.map(({ reason }) => Number.parseInt(reason, 10)))
        cursor = value.events_next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(
        reasons,
        Array.from({ length: 60 }, (_, n) => n + 1)
      )
    })
  )

  it.effect("has at most 3,000 tokens in the brief of a repository", () =>
    Effect.gen(function* () {
      const { owner } = yield* Largest
      const { text, value } = yield* aPatientCaller(owner)("get_repository_brief", repositoryArgs)
      assert.isAtMost(text.length, 3000 * 4)
      const { directives, context } = value as unknown as RepositoryBrief
      assert.isAbove(directives.length, 0)
      assert.isAbove(context.length, 0)
    })
  )

  it.effect(
    "has at most 8,000 tokens, and begins with the notice where it quotes text of a repository or of another agent",
    () =>
      Effect.gen(function* () {
        const world = yield* Largest
        const calls = largestCalls(world)
        assert.sameMembers(
          Object.keys(calls),
          (yield* Tools).map(({ name }) => name)
        )
        const call = aPatientCaller(world.owner)
        const sizes: Array<string> = []
        for (const [name, args] of Object.entries(calls)) {
          if (name === "retry_job")
            yield* Effect.flatMap(Jobs, (jobs) => jobs.cancel(world.job_id)).pipe(as(world.owner))
          const { failed, text, structure, value } = yield* call(name, args)
          // Its observation has a ticket already.
          const isRejected = toolErrors[name] !== undefined && name !== "create_ticket"
          assert.strictEqual(failed, isRejected, `${name}: ${text.slice(0, 200)}`)
          if (!failed) assert.strictEqual(text, structure, name)
          const isMarked = structure.startsWith(`{"notice":${JSON.stringify(notice)},`)
          if (structure.includes(marker) && !guidance.has(name)) assert.isTrue(isMarked, name)
          sizes.push(`${name} ${Math.ceil(structure.length / 4)}`)
          assert.isObject(value, name)
        }
        if (process.env.ASSAY_ANSWER_SIZES === "print") console.log(sizes.join("\n"))

        const refs = Array.from({ length: 50 }, (_, n) => `OBS-${n + 20}`)
        const read = yield* call("get_observation", { refs })
        assert.lengthOf(read.value.results as ReadonlyArray<unknown>, 50)
        // Each is a change of its own, which takes long with rows of this size.
        const completed = inForm({ short: refs.slice(0, 4), long: refs })
        yield* call("complete_observation", { refs: completed, note: longText(2000), url: longText(2000) })

        // Errors, too: a conflict shows the current entry, others repeat what was sent.
        const conflict = yield* call("update_context_entry", {
          key: "read",
          expected_etag: world.entries.put,
          title: "Other"
        })
        assert.isAtMost(conflict.structure.length, 8000)
        assert.include(conflict.structure, '"current_etag"')
        for (const [name, args] of [
          ["get_context_entry", { key: longText(500_000) }],
          ["get_project", { project: longText(500_000) }],
          ["list_observations", { repo: longText(400) }],
          ["get_repository", { ...repositoryArgs, github_repo: longText(500_000) }]
        ] as const) {
          assert.isTrue((yield* call(name, args)).failed, name)
        }
      }),
    600_000
  )
})

/** Administrators write these for agents. */
const guidance: ReadonlySet<string> = new Set([
  "get_workspace_guidance",
  "set_workspace_guidance",
  "get_workspace_settings",
  "set_workspace_setting",
  "clear_workspace_setting"
])
