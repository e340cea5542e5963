import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { RepositoryId } from "../../src/schema/Ids.ts"
import { operations } from "../../src/schema/operations/index.ts"
import { anObservation } from "../support/builders.ts"
import { describedOperations } from "../support/document.ts"
import { samples } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { comparable, difference, withOpenCursors } from "../support/visibleText.ts"
import { absentName, aVisibleWorld, hiddenContent, hiddenName, ofRepository } from "../support/visibleWorld.ts"
import { type Answer, type Cookie, jsonOf, outcome, send } from "../support/wire.ts"

const bothWorkspaces = Effect.all({ there: aVisibleWorld("a", true), plain: aVisibleWorld("b", false) })

class Workspaces extends Context.Tag("test/Workspaces")<Workspaces, Effect.Effect.Success<typeof bothWorkspaces>>() {}

const WorkspacesLive = Layer.effect(Workspaces, bothWorkspaces).pipe(Layer.provideMerge(TestApp))

/** Parameters of queries whose value may name the restricted repository, its project or what it holds. */
const named: Readonly<Record<string, (name: string) => string>> = {
  repo: (name) => `${name}repo@main`,
  repo_name: (name) => `acme/${name}repo@main`,
  project: (name) => `${name}-plans`,
  parent: (name) => `${name}-plans`,
  q: (name) => (name === hiddenName ? hiddenContent : "absent"),
  object: (name) => `${name}repo`
}

/** Calls of endpoints with such parameters; several parameters make several calls. */
const searches = describedOperations().flatMap(({ name, method, parameters }) =>
  method === "GET"
    ? parameters
        .filter((parameter) => parameter.in === "query" && named[parameter.name] !== undefined)
        .map((parameter) => ({ name, parameter: parameter.name, valueFor: named[parameter.name]! }))
    : []
)

/** Lists that are read page by page. */
const paged = describedOperations().filter(
  ({ method, parameters, path }) =>
    method === "GET" && !path.includes("{") && parameters.some(({ name }) => name === "cursor")
)

const pageOf = (text: string) =>
  JSON.parse(text) as { readonly data?: ReadonlyArray<unknown>; readonly next_cursor?: string | null }

/** All pages of a list, an entry each. */
const pages = (path: string, as: string | Cookie) =>
  Effect.gen(function* () {
    const found: Array<string> = []
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer: Answer = yield* send({ path: `${path}?limit=1${cursor === "" ? "" : `&cursor=${cursor}`}`, as })
      found.push(answer.text)
      cursor = answer.status === 200 ? (pageOf(answer.text).next_cursor ?? null) : null
    }
    return found
  })

layer(WorkspacesLive)("lists of a workspace with a restricted repository", (it) => {
  it.effect("have filters and searches to which its names are those of what does not exist", () =>
    Effect.gen(function* () {
      const { there, plain } = yield* Workspaces
      const found: Array<string> = []
      assert.isAtLeast(searches.length, 8)
      for (const { name, parameter, valueFor } of searches) {
        const { only } = operations.find((operation) => operation.name === name)!
        const credential = only === "session" ? "session" : "key"
        for (const who of ["outsider", "elsewhere", "viewer"] as const) {
          const of = ({ world, visitors }: typeof there, filter: string) => {
            const [path = "", query = ""] = ofRepository(samples(world)[name]!.call.path, "none").split("?")
            const values = new URLSearchParams(query)
            values.set(parameter, valueFor(filter))
            return send({ path: `${path}?${values}`, as: visitors[who][credential] })
          }
          const both = yield* Effect.all([of(there, hiddenName), of(plain, absentName)])
          const texts = [comparable(both[0], there.world), comparable(both[1], plain.world)] as const
          const parted = difference(texts[0].replaceAll(hiddenContent, "absent"), texts[1])
          if (parted !== null) found.push(`${name} by ${parameter}, ${who}: ${parted}`)
        }
      }
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("have as many pages as without it, and cursors that hold nothing of it", () =>
    Effect.gen(function* () {
      const { there, plain } = yield* Workspaces
      const { job_id, view_id, credential_id, bulk_operation_id } = there.world
      assert.isAtLeast(paged.length, 8)
      for (const { name, path } of paged) {
        const { only } = operations.find((operation) => operation.name === name)!
        const credential = only === "session" ? "session" : "key"
        const both = yield* Effect.all([
          pages(path, there.visitors.outsider[credential]),
          pages(path, plain.visitors.outsider[credential])
        ])
        assert.strictEqual(both[0].length, both[1].length, name)
        const opened = both[0].map(withOpenCursors).join()
        for (const secret of [hiddenName, hiddenContent, job_id, view_id, credential_id, bulk_operation_id]) {
          assert.notInclude(opened, secret, name)
        }
      }
      const seen = yield* pages("/api/observations", there.visitors.insider.key)
      assert.include(seen.join(), hiddenContent)
    })
  )

  it.effect("keep their text, ETag and counts whatever happens in it, for those who may not see it", () =>
    Effect.gen(function* () {
      const { there } = yield* Workspaces
      const { owner, world, visitors } = there
      const calls = samples(world)
      const reads = operations.filter(({ access, only }) => access === "read" && only !== "anyone" && only !== "key")
      const stateFor = (who: keyof typeof visitors) =>
        Effect.forEach(reads, ({ name, only }) =>
          Effect.map(
            send({
              ...ofRepository(calls[name]!.call, hiddenName),
              as: visitors[who][only === "session" ? "session" : "key"]
            }),
            ({ status, text, headers: { etag } }) => ({
              name,
              text: `${status} ${etag} ${text.replace(/req_\w+|"csrf_token":"\w+"/g, "")}`
            })
          )
        )
      const changedFor = (before: Effect.Effect.Success<ReturnType<typeof stateFor>>, after: typeof before) =>
        before.flatMap(({ name, text }, i) => (text === after[i]?.text ? [] : [name]))

      const before = { outsider: yield* stateFor("outsider"), insider: yield* stateFor("insider") }
      const path = `/api/repos/acme/${hiddenName}repo/main`
      const { id } = jsonOf(yield* send({ path, as: owner.session }))
      yield* anObservation(owner, { id: String(id) as RepositoryId }, { priority: "P0", title: hiddenContent })
      const json = { key: "more", kind: "note", title: hiddenContent, summary: hiddenContent }
      const changes = [
        { path: `/api/projects/${world.project}/context/entries`, json },
        {
          path: `/api/observations/${world.open[0]}/dismiss`,
          json: { dismissal_category: "wont_fix", dismissal_note: "Known and accepted." }
        },
        { path: `/api/jobs/${world.job_id}/cancel`, method: "POST" },
        { path: `${path}/jobs`, json: { workflow: "standard_audit" } },
        { path, method: "PATCH", json: { description: hiddenContent } }
      ]
      for (const change of changes) assert.match(yield* outcome({ ...change, as: visitors.owner.session }), /^20/)

      assert.deepStrictEqual(changedFor(before.outsider, yield* stateFor("outsider")), [])
      assert.includeMembers(changedFor(before.insider, yield* stateFor("insider")), [
        "observations.list",
        "observations.facets",
        "jobs.list",
        "jobs.read",
        "workspace.overview",
        "project_context.list"
      ])
    })
  )
})
