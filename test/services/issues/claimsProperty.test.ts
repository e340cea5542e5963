import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import pg from "pg"
import { Tools } from "../../../src/mcp/Tools.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aClient, type Send, type Soak, step } from "../../soak/claims/Client.ts"
import { violationsOf } from "../../soak/claims/checker.ts"
import { databaseTime, keptOf } from "../../soak/claims/kept.ts"
import { aMember, aProject, as, aWorkspace, type Person } from "../../support/builders.ts"
import { CrowdedDatabase, TestDatabase } from "../../support/Database.ts"
import { Chance } from "../../support/generate.ts"
import { anIssue } from "../../support/issueSamples.ts"
import { testApp } from "../../support/TestApp.ts"

const clientCount = 16
const stepsEach = 30

type Structure = Readonly<Record<string, unknown>>

/** Calls tools as their server does, without it. */
const calling = (person: Person) =>
  Effect.map(
    Tools,
    (tools): Send =>
      (issue, { tool, body, inPath }) => {
        const found = tools.find(({ name }) => name === tool)
        if (found === undefined) return Effect.dieMessage(`There is no tool ${tool}.`)
        return found.call({ ref: issue, ...inPath, ...body }).pipe(
          Effect.match({
            onSuccess: (text) => ({ code: "ok", body: JSON.parse(text) as Structure }),
            onFailure: ({ spec }) => ({ code: spec.code, body: {} })
          }),
          as(person)
        )
      }
  )

/** A manager and editors of a project. */
const theTeam = Effect.gen(function* () {
  const owner = yield* aWorkspace({ plan: "paid" })
  const { slug } = yield* aProject(owner, { name: "Soak" })
  const projects = yield* Projects
  const editors = yield* Effect.forEach(Array.from({ length: clientCount - 1 }), () =>
    Effect.gen(function* () {
      const member = yield* aMember(owner.workspace_id, "member")
      yield* projects.grant(slug, { email: member.email, role: "editor" }).pipe(as(owner))
      return member
    })
  )
  return { owner, slug, people: [owner, ...editors] }
})

const aPool = Effect.flatMap(TestDatabase, ({ url }) =>
  Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(url), max: 4 })),
    (pool) => Effect.promise(() => pool.end())
  )
)

const crowdedApp = testApp().pipe(Layer.provideMerge(CrowdedDatabase))

layer(crowdedApp, { excludeTestServices: true })("claims by 16 clients at once, in random sequences", (it) => {
  it.scoped(
    "follow the model: one lease at a time, rising fences, nothing written under an old one, every change an event",
    () =>
      Effect.gen(function* () {
        const database = yield* aPool
        const { owner, slug, people } = yield* theTeam
        const issues = yield* Effect.forEach(Array.from({ length: 3 }), () =>
          Effect.map(anIssue(owner, { project: slug, acceptance_criteria: ["It works."] }), ({ ref }) => ref)
        )
        const before = yield* databaseTime(database)
        const soak: Soak = { issues, database, calls: [], databaseTime: before.time, marks: 0 }
        const clients = yield* Effect.forEach(people, (person, i) =>
          Effect.map(calling(person), (send) =>
            aClient({ name: person.user_id, isManager: i === 0, send }, new Chance(100 + i))
          )
        )
        yield* Effect.forEach(clients, (client) => Effect.repeatN(step(soak, client), stepsEach - 1), {
          concurrency: "unbounded",
          discard: true
        })
        const after = yield* databaseTime(database)
        const kept = yield* keptOf(database, soak.databaseTime)
        const tolerance = 2 + before.error + after.error + Math.abs(after.time - before.time)
        assert.deepStrictEqual(violationsOf({ calls: soak.calls, ...kept, tolerance }), [])
        // A sequence in which nothing happens shows nothing.
        const happened = new Set(kept.events.map(({ action }) => action))
        assert.includeMembers([...happened], ["claim", "renew", "release", "withdraw", "note", "criterion", "lapse"])
        const outcomes = new Set(soak.calls.map(({ outcome }) => outcome))
        assert.includeMembers([...outcomes], ["ok", "already_claimed", "claim_lost"])
      }),
    600_000
  )
})
