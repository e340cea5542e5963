import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { ContextEntriesRequest } from "../../../src/schema/TeamContext.ts"
import { ContextEntries } from "../../../src/services/context/ContextEntries.ts"
import { ContextEntryStates } from "../../../src/services/context/ContextEntryStates.ts"
import { type Current, TeamContext, type Unchanged } from "../../../src/services/context/TeamContext.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aProject, aRegisteredRepository, aWorkspace } from "../../support/builders.ts"
import { aKeyOf, as, codeOf, note, seen } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

/** Workspace, area, space and project, each holding an entry of the key `shared`; and one of its own. */
const aFamily = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  yield* aProject(owner, { name: "Retail", kind: "area" })
  yield* aProject(owner, { name: "Checkout", kind: "space", parent: "retail" })
  yield* aProject(owner, { name: "Cart", parent: "checkout" })
  yield* aProject(owner, { name: "Other", kind: "area" })
  const entries = yield* ContextEntries
  for (const address of [null, "retail", "checkout", "cart"]) {
    const scope = { scope: "subtree" } as const
    yield* entries.create(address, note("shared", { ...scope, title: `Placement ${address}` })).pipe(as(owner))
    yield* entries.create(address, note(`own-${address}`, scope)).pipe(as(owner))
  }
  yield* entries.create("retail", note("area-only")).pipe(as(owner))
  return owner
})

const sent = <A>(found: Unchanged | Current<A>): A => {
  assert.isFalse(found.unchanged)
  return (found as Current<A>).value
}

layer(TestApp)("reading the team's context", (it) => {
  it.effect("a level has its own entries and what is passed down to it; the nearest of a key wins", () =>
    Effect.gen(function* () {
      const owner = yield* aFamily
      const context = yield* TeamContext
      const seen = (address: string | null) =>
        Effect.map(context.list(address, {}), (found) =>
          sent(found).data.map(({ key, level, distance, source_project_slug }) => [
            key,
            level,
            distance,
            source_project_slug
          ])
        ).pipe(as(owner))
      assert.deepStrictEqual(yield* seen("cart"), [
        ["own-cart", "own", 0, "cart"],
        ["own-checkout", "inherited", 1, "checkout"],
        ["own-null", "workspace", 3, null],
        ["own-retail", "inherited", 2, "retail"],
        ["shared", "own", 0, "cart"]
      ])
      assert.deepStrictEqual(yield* seen("other"), [
        ["own-null", "workspace", 1, null],
        ["shared", "workspace", 1, null]
      ])
      assert.deepStrictEqual(yield* seen(null), [
        ["own-null", "own", 0, null],
        ["shared", "own", 0, null]
      ])
      const shared = yield* context.get("cart", "shared").pipe(as(owner))
      assert.deepStrictEqual(
        shared.replaces.map(({ level, source_project_slug }) => [level, source_project_slug]),
        [
          ["inherited", "checkout"],
          ["inherited", "retail"],
          ["workspace", null]
        ]
      )
      // Without the scope subtree it stays where it is.
      assert.strictEqual(yield* codeOf(context.get("cart", "area-only").pipe(as(owner))), "not_found")
      assert.strictEqual((yield* context.get("retail", "area-only").pipe(as(owner))).level, "own")
    })
  )

  it.effect("filters see winners only, and a search reads title, summary and body as the web does", () =>
    Effect.gen(function* () {
      const entries = yield* ContextEntries
      const owner = yield* aFamily
      const context = yield* TeamContext
      const body = "Rotate the signing certificate before it expires."
      yield* entries
        .create("cart", note("certificates", { kind: "runbook", body_md: body, tags: ["ops", "tls"] }))
        .pipe(as(owner))
      const keys = (query: ContextEntriesRequest) =>
        Effect.map(context.list("cart", query), (found) => sent(found).data.map(({ key }) => key)).pipe(as(owner))
      assert.deepStrictEqual(yield* keys({ kind: "runbook" }), ["certificates"])
      assert.deepStrictEqual(yield* keys({ tag: "tls" }), ["certificates"])
      assert.deepStrictEqual(yield* keys({ tag: "tl" }), [])
      assert.deepStrictEqual(yield* keys({ q: "rotating certificates" }), ["certificates"])
      assert.deepStrictEqual(yield* keys({ q: '"signing certificate" -browser' }), ["certificates"])
      assert.deepStrictEqual(yield* keys({ q: "certificate -rotate" }), [])
      assert.deepStrictEqual(yield* keys({ q: "nonsense or certificate" }), ["certificates"])
      // The workspace's title is overridden here.
      assert.deepStrictEqual(yield* keys({ q: '"placement null"' }), [])
      assert.deepStrictEqual(yield* keys({ status: "proposed" }), [])
    })
  )

  it.effect("pages walk every entry once; own disabled ones on request only, inherited ones never", () =>
    Effect.gen(function* () {
      const owner = yield* aFamily
      const states = yield* ContextEntryStates
      const context = yield* TeamContext
      for (const [address, key] of [
        ["cart", "own-cart"],
        ["checkout", "own-checkout"]
      ] as const) {
        const { etag } = yield* context.get(address, key).pipe(as(owner))
        yield* states.disable(address, key, "Old.", seen(etag)).pipe(as(owner))
      }
      const walk = (query: ContextEntriesRequest) =>
        Effect.gen(function* () {
          const keys: Array<string> = []
          let cursor: string | null | undefined
          while (cursor !== null) {
            const next = cursor === undefined ? {} : { cursor }
            const page = sent(yield* context.list("cart", { ...query, ...next, limit: 1 }))
            keys.push(...page.data.map(({ key }) => key))
            cursor = page.next_cursor
          }
          return keys
        }).pipe(as(owner))
      assert.deepStrictEqual(yield* walk({}), ["own-null", "own-retail", "shared"])
      assert.deepStrictEqual(yield* walk({ include_disabled: true }), ["own-cart", "own-null", "own-retail", "shared"])
    })
  )

  it.effect("the set's ETag changes with anything that applies, and with nothing else", () =>
    Effect.gen(function* () {
      const owner = yield* aFamily
      const writer = yield* aKeyOf(owner, "writer")
      const checker = yield* aKeyOf(owner, "checker")
      const entries = yield* ContextEntries
      const states = yield* ContextEntryStates
      const context = yield* TeamContext
      const head = Effect.map(context.list("cart", {}), (found) => found.etag).pipe(as(owner))
      let before = yield* head
      const changes = <A, E, R>(what: string, change: Effect.Effect<A, E, R>, does = true) =>
        Effect.gen(function* () {
          const result = yield* change
          const after = yield* head
          assert.strictEqual(after !== before, does, what)
          const again = yield* context.list("cart", {}, `W/"${before}", "x"`).pipe(as(owner))
          assert.strictEqual(again.unchanged, !does, what)
          before = after
          return result
        })
      const made = yield* changes(
        "created",
        entries.create("retail", note("new", { scope: "subtree" })).pipe(as(writer))
      )
      yield* changes("corroborated", states.corroborate("retail", "new", seen(made.etag)).pipe(as(checker)))
      yield* changes("elsewhere", entries.create("other", note("x")).pipe(as(owner)), false)
      const live = yield* changes("confirmed", states.confirm("retail", "new", seen(made.etag)).pipe(as(owner)))
      yield* changes("disabled", states.disable("retail", "new", "Old.", seen(live.etag)).pipe(as(owner)))
      const projects = yield* Projects
      yield* changes("moved", projects.update("checkout", { parent: null }).pipe(as(owner)))
    })
  )

  it.effect("a digest reads live, corroborated, then other entries, warnings first; and says when there is more", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aProject(owner, { name: "Cart" })
      const writer = yield* aKeyOf(owner, "writer")
      const checker = yield* aKeyOf(owner, "checker")
      const entries = yield* ContextEntries
      const states = yield* ContextEntryStates
      const context = yield* TeamContext
      const made = (key: string, kind: "note" | "warning", by: typeof writer) =>
        entries.create("cart", note(key, { kind })).pipe(as(by))
      yield* made("a-proposed", "note", writer)
      yield* made("b-proposed-warning", "warning", writer)
      const { etag } = yield* made("c-checked", "note", writer)
      yield* states.corroborate("cart", "c-checked", seen(etag)).pipe(as(checker))
      yield* made("d-live", "note", owner)
      yield* made("e-live-warning", "warning", owner)
      const read = (limit?: number) => Effect.map(context.digest("cart", limit), sent).pipe(as(owner))
      const whole = yield* read()
      assert.deepStrictEqual(
        whole.entries.map(({ key }) => key),
        ["e-live-warning", "d-live", "c-checked", "b-proposed-warning", "a-proposed"]
      )
      assert.deepStrictEqual([whole.truncated, whole.project, whole.resolved_from], [false, "cart", null])
      const short = yield* read(2)
      assert.deepStrictEqual([short.entries.length, short.truncated], [2, true])
    })
  )

  it.effect("a repository's digest is of the most specific level that holds it, else the workspace's", () =>
    Effect.gen(function* () {
      const owner = yield* aFamily
      const { github_org, github_repo, github_base_branch } = yield* aRegisteredRepository(owner)
      const path = { github_org, github_repo, github_base_branch }
      const context = yield* TeamContext
      const projects = yield* Projects
      const read = Effect.map(context.repositoryDigest(path), sent).pipe(as(owner))
      const alone = yield* read
      assert.deepStrictEqual(
        [alone.project, alone.resolved_from],
        [null, { repo: "api@main", ambiguous: false, fell_back_to_workspace: true, candidates: [] }]
      )
      yield* projects.addRepository("retail", path).pipe(as(owner))
      yield* projects.addRepository("cart", path).pipe(as(owner))
      assert.strictEqual((yield* read).project, "cart")
      yield* aProject(owner, { name: "Basket", parent: "checkout" })
      yield* projects.addRepository("basket", path).pipe(as(owner))
      const unclear = yield* read
      assert.deepStrictEqual(
        [unclear.project, unclear.resolved_from?.candidates, unclear.resolved_from?.ambiguous],
        [null, ["basket", "cart"], true]
      )
    })
  )
})
