import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Array, Effect, FastCheck, Fiber, Layer, Ref } from "effect"
import type { IssueNumber } from "../../../src/schema/Issue.ts"
import { IssueRelations } from "../../../src/services/issues/IssueRelations.ts"
import { aProject, as, aWorkspace, type Person } from "../../support/builders.ts"
import { ParallelDatabase } from "../../support/Database.ts"
import { issuesIn } from "../../support/issues.ts"
import { testApp } from "../../support/TestApp.ts"

const seed = Number(process.env.ASSAY_GENERATED_SEED ?? 20_261_123)
const clients = 16
const writesEach = 25
const issues = 14

const kinds = ["blocks", "parent_of"] as const

interface Write {
  readonly act: "relate" | "unrelate"
  readonly kind: (typeof kinds)[number]
  readonly from: number
  readonly to: number
}

const aWrite: FastCheck.Arbitrary<Write> = FastCheck.record({
  act: FastCheck.constantFrom("relate", "relate", "relate", "unrelate"),
  kind: FastCheck.constantFrom(...kinds),
  from: FastCheck.nat(issues - 1),
  to: FastCheck.nat(issues - 1)
})

/** Twice as many issues as clients, in several random orders: writes of neighbours in a ring share no issue to wait for. */
const orders = FastCheck.sample(
  FastCheck.shuffledSubarray(Array.range(0, 2 * clients - 1), { minLength: 2 * clients }),
  { seed, numRuns: 3 }
)

/** Edges of one kind as one statement sees them; those that remain once issues without any that lead in are taken away. */
const cycleOf = (workspace_id: string, kind: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const edges = yield* sql<{ readonly from_id: string; readonly to_id: string }>`
      SELECT from_id, to_id FROM issue_relations WHERE workspace_id = ${workspace_id} AND kind = ${kind}`
    let left = [...edges]
    for (let before = -1; before !== left.length; ) {
      before = left.length
      const entered = new Set(left.map(({ to_id }) => to_id))
      left = left.filter(({ from_id }) => entered.has(from_id))
    }
    return left
  })

const noCycle = (workspace_id: string) =>
  Effect.forEach(kinds, (kind) =>
    Effect.map(cycleOf(workspace_id, kind), (cycle) => assert.deepStrictEqual(cycle, [], `a cycle of ${kind}`))
  )

/** The code that a write ends with. */
const written = (person: Person, numbers: ReadonlyArray<IssueNumber>, { act, kind, from, to }: Write) =>
  Effect.gen(function* () {
    const relations = yield* IssueRelations
    const relation = { kind, other: numbers[to]! }
    if (act === "relate") yield* relations.relate(numbers[from]!, relation)
    else yield* relations.unrelate(numbers[from]!, relation)
  }).pipe(Effect.match({ onSuccess: (): string => act, onFailure: ({ spec }): string => spec.code }), as(person))

const App = testApp().pipe(Layer.provideMerge(ParallelDatabase))

layer(App, { timeout: 600_000 })("random relations written by 16 clients at the same time", (it) => {
  it.effect(
    "never form a cycle, at no moment and not in the end",
    () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aProject(owner, { name: "Plans" })
        const numbers = yield* issuesIn(owner, "plans", issues)
        const writes = FastCheck.sample(aWrite, { seed, numRuns: clients * writesEach })
        const looks = yield* Ref.make(0)
        const look = Effect.zipRight(
          noCycle(owner.workspace_id),
          Ref.update(looks, (n) => n + 1)
        )
        const watch = yield* Effect.fork(Effect.forever(Effect.zipRight(look, Effect.yieldNow())))
        const ends = yield* Effect.forEach(
          Array.chunksOf(writes, writesEach),
          Effect.forEach((write) => written(owner, numbers, write)),
          { concurrency: "unbounded" }
        )
        assert.isTrue((yield* Fiber.status(watch))._tag !== "Done", "a look found a cycle")
        yield* Fiber.interrupt(watch)
        yield* noCycle(owner.workspace_id)

        const counts = Array.groupBy(ends.flat(), (code) => code)
        assert.sameMembers(Object.keys(counts), ["relate", "unrelate", "relation_cycle", "not_found"])
        for (const [code, all] of Object.entries(counts)) assert.isAbove(all.length, 10, code)
        assert.isAbove(yield* Ref.get(looks), 10)
      }),
    600_000
  )

  it.effect(
    "never close a ring whose gaps they fill at the same moment: one of them is rejected",
    () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        yield* aProject(owner, { name: "Rings" })
        for (const kind of kinds) {
          for (const order of orders) {
            const numbers = yield* issuesIn(owner, "rings", order.length)
            const ring = order.map((i) => numbers[i]!)
            const fill = (first: number) =>
              Effect.forEach(
                Array.range(0, clients - 1),
                (i) => {
                  const from = 2 * i + first
                  return written(owner, ring, { act: "relate", kind, from, to: (from + 1) % ring.length })
                },
                { concurrency: "unbounded" }
              )
            const related = Array.replicate("relate", clients)
            assert.deepStrictEqual(yield* fill(0), related)
            assert.sameMembers(yield* fill(1), [...related.slice(1), "relation_cycle"])
          }
          yield* noCycle(owner.workspace_id)
        }
      }),
    600_000
  )
})
