import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Jobs } from "../../src/services/jobs/Jobs.ts"
import { Outbox } from "../../src/services/outbox/Outbox.ts"
import { aJob, aKey, anObservation, aRegisteredRepository, as, aWorkspace, type Person } from "../support/builders.ts"
import { TestApp } from "../support/TestApp.ts"
import { jsonOf, send } from "../support/wire.ts"

interface Row {
  readonly id: string
}

/** Every page of a list, `limit` rows each; `between` runs after each page. Gives the ids in the order they came. */
const walk = <E, R>(person: Person, path: string, limit: number, between: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const seen: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
      const page = jsonOf(yield* send({ path: `${path}?limit=${limit}${query}`, as: person.session }))
      const rows = page.data as ReadonlyArray<Row>
      assert.isAtMost(rows.length, limit)
      seen.push(...rows.map(({ id }) => id))
      cursor = page.next_cursor as string | null
      assert.strictEqual(page.has_more, cursor !== null)
      if (cursor !== null) yield* between
    }
    return seen
  })

const rowsAtFirst = 7

/** The clock of the test stands still, so all rows are of one millisecond: the hardest case for a cursor. */
const walksOnce = <E, R, E2, R2>(
  list: (person: Person) => Effect.Effect<{ readonly path: string; readonly add: Effect.Effect<unknown, E, R> }, E2, R2>
) =>
  Effect.gen(function* () {
    for (const limit of [1, 2, 3]) {
      const person = yield* aWorkspace()
      const { path, add } = yield* list(person)
      yield* Effect.forEach(Array.from({ length: rowsAtFirst }), () => add, { discard: true })
      const before = yield* walk(person, path, 200, Effect.void)
      assert.isAtLeast(before.length, rowsAtFirst)
      const seen = yield* walk(person, path, limit, add)
      assert.strictEqual(new Set(seen).size, seen.length, "no row twice")
      assert.deepStrictEqual(
        seen.filter((id) => before.includes(id)),
        before
      )
    }
  })

layer(TestApp)("a cursor walks every row exactly once while others are added", (it) => {
  it.effect("of the workspace's jobs", () =>
    walksOnce((person) =>
      Effect.map(aRegisteredRepository(person), (repository) => ({
        path: "/api/jobs",
        // A duplicate in flight would be returned instead of the next one.
        add: Effect.flatMap(aJob(person, repository), ({ id }) =>
          Effect.flatMap(Jobs, (jobs) => as(person)(jobs.cancel(id)))
        )
      }))
    )
  )

  it.effect("of the API keys", () => walksOnce((person) => Effect.succeed({ path: "/api/keys", add: aKey(person) })))

  it.effect("of the repositories", () =>
    walksOnce((person) => {
      let n = 0
      const add = Effect.suspend(() => aRegisteredRepository(person, `repo${n++}`))
      return Effect.succeed({ path: "/api/repos", add })
    })
  )

  it.effect("of the outbox", () =>
    walksOnce((person) =>
      Effect.map(Outbox, (outbox) => ({
        path: "/api/outbox",
        add: outbox.enqueue({
          workspace_id: person.workspace_id,
          to: person.email,
          subject: "Hello",
          text: "A text.\n"
        })
      }))
    )
  )

  it.effect("of the observations", () =>
    walksOnce((person) =>
      Effect.map(aRegisteredRepository(person), (repository) => ({
        path: "/api/observations",
        add: anObservation(person, repository)
      }))
    )
  )
})
