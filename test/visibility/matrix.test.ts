import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, TestClock } from "effect"
import { Tools } from "../../src/mcp/Tools.ts"
import type { Operation } from "../../src/schema/Operation.ts"
import { operations } from "../../src/schema/operations/index.ts"
import { inForm } from "../support/forms.ts"
import { post } from "../support/mcp.ts"
import { samples, toolSamples, type World } from "../support/samples.ts"
import { TestApp } from "../support/TestApp.ts"
import { comparable, difference, withOpenCursors } from "../support/visibleText.ts"
import {
  absentName,
  absentObjects,
  aStranger,
  aVisibleWorld,
  hiddenContent,
  hiddenName,
  ofRepository,
  type Visitor
} from "../support/visibleWorld.ts"
import { type Answer, type Call, send } from "../support/wire.ts"

// Each call is made twice: of the restricted repository in a workspace that has one, and of an absent one in a workspace
// that never had any and is the same otherwise. Who may not see the repository must not be able to know which response is which.

/** They know no caller, and nothing of a workspace. */
const callers = operations.filter(({ only }) => only !== "anyone")

/** The credentials that an operation takes. */
const credentialsFor = ({ only }: Operation): ReadonlyArray<"session" | "key"> =>
  only === "session" || only === "key" ? [only] : ["session", "key"]

/** They name something that has nothing to do with a repository or a project. */
const ofOtherObjects = [
  "sessions.switch_workspace",
  "sessions.end",
  "members.update",
  "members.remove",
  "members.withdraw_invitation",
  "keys.read",
  "keys.update",
  "keys.revoke",
  "webhooks.read",
  "webhooks.update",
  "webhooks.rotate_secret",
  "webhooks.test",
  "webhooks.list_deliveries",
  "webhooks.resend",
  "webhooks.delete",
  "context.read",
  "context.history",
  "context.put",
  "context.patch",
  "context.disable",
  "context.restore",
  "context.confirm",
  "context.corroborate"
]

/** What a workspace with a restricted repository has more of, for those who see it. */
const richer = [
  "repositories.list",
  "repositories.scores",
  "jobs.list",
  "jobs.list_active",
  "observations.list",
  "observations.search",
  "observations.facets",
  "workspace.overview",
  "workspace.todo",
  "projects.list",
  "issues.list",
  "views.list",
  "missions.list",
  "missions.waiting"
]

const restCalls = (world: World, name: string) =>
  new Map(Object.entries(samples(world)).map(([operation, { call }]) => [operation, ofRepository(call, name)]))

const toolCalls = (world: World, name: string) =>
  new Map(Object.entries(toolSamples(world)).map(([tool, args]) => [tool, ofRepository(args, name)]))

/** Both workspaces, and for each of those who may not see the repository, their counterpart in the other. */
const bothWorkspaces = Effect.gen(function* () {
  const there = yield* aVisibleWorld("a", true)
  const plain = yield* aVisibleWorld("b", false)
  const { outsider, elsewhere, viewer } = there.visitors
  const pairs: ReadonlyArray<readonly [Visitor, Visitor]> = [
    [outsider, plain.visitors.outsider],
    [elsewhere, plain.visitors.elsewhere],
    [viewer, plain.visitors.viewer],
    [yield* aStranger, yield* aStranger]
  ]
  return { there, plain, pairs }
})

class Workspaces extends Context.Tag("test/Workspaces")<Workspaces, Effect.Effect.Success<typeof bothWorkspaces>>() {}

/** One for all tests of the file: those that sign people out come last. */
const WorkspacesLive = Layer.effect(Workspaces, bothWorkspaces).pipe(Layer.provideMerge(TestApp))

/** What the visitor of this index calls: every fourth thing, so that one of the four calls each; all of them in the long form. */
const turnOf = <A>(all: ReadonlyArray<A>, index: number): ReadonlyArray<A> =>
  inForm({ short: all.filter((_, at) => at % 4 === index), long: all })

const call = (tool: string, args: unknown, as: string) =>
  post(as, { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } })

/** What a response to someone who may not see the repository gives away. */
const leaks = (name: string, [hidden, absent]: readonly [Answer, Answer], [there, plain]: readonly [World, World]) => {
  const parted = difference(comparable(hidden, there), comparable(absent, plain))
  const whole = withOpenCursors(JSON.stringify(hidden.headers) + hidden.text)
  const shown = whole.includes(hiddenContent) ? [`${name} shows ${hidden.text.slice(0, 400)}`] : []
  return [...(parted === null ? [] : [`${name}: ${parted}`]), ...shown]
}

/** Operations whose call names the restricted repository, or what belongs to it. */
const ofHidden = (world: World) => {
  const [hidden, absent] = [restCalls(world, hiddenName), restCalls({ ...world, ...absentObjects }, absentName)]
  return callers.filter(({ name }) => JSON.stringify(hidden.get(name)) !== JSON.stringify(absent.get(name)))
}

layer(WorkspacesLive)("of a restricted repository", (it) => {
  it.effect(
    "each operation has a case: on it or what belongs to it, on something else, or on the whole workspace",
    () =>
      Effect.gen(function* () {
        const { there } = yield* Workspaces
        const known = samples(there.world)
        assert.sameMembers(
          Object.keys(known),
          callers.map(({ name }) => name)
        )
        assert.sameMembers(
          Object.keys(toolSamples(there.world)),
          (yield* Tools).map(({ name }) => name)
        )
        const onIt = ofHidden(there.world).map(({ name }) => name)
        const named = Object.keys(known).filter((name) => known[name]?.named === true && !onIt.includes(name))
        assert.sameMembers(named, ofOtherObjects, "let its sample name something of the restricted repository")
      })
  )

  it.effect(
    "everything is shown to the owner, to those with a role on its project and to those with one above it",
    () =>
      Effect.gen(function* () {
        const { there, plain } = yield* Workspaces
        const [rest, tools] = [restCalls(there.world, hiddenName), toolCalls(there.world, hiddenName)]
        const known = samples(there.world)
        const reads = ofHidden(there.world).filter(({ access }) => access === "read")
        assert.isAtLeast(reads.length, 30)
        const unexpected: Array<string> = []
        for (const who of ["owner", "insider", "above"] as const) {
          const visitor = there.visitors[who]
          for (const operation of reads) {
            const { name, scopes } = operation
            // Settings are for admins, whatever they may see.
            if (who !== "owner" && scopes.includes("manage_tenant_settings")) continue
            for (const credential of credentialsFor(operation)) {
              const answer = yield* send({ ...rest.get(name)!, as: visitor[credential] })
              if (answer.status !== known[name]?.status) unexpected.push(`${name}, ${who}: ${answer.text}`)
            }
          }
          for (const { name, operation } of yield* Tools) {
            if (!reads.includes(operation)) continue
            const answer = yield* call(name, tools.get(name), visitor.key)
            if (answer.text.includes('"isError":true')) unexpected.push(`${name}, ${who}: ${answer.text}`)
          }
          // The comparison that finds nothing for others finds all of these for them.
          for (const name of richer) {
            const [credential] = credentialsFor(callers.find((operation) => operation.name === name)!)
            const of = (as: Visitor) => send({ ...rest.get(name)!, as: as[credential!] })
            const both = yield* Effect.all([of(visitor), of(plain.visitors[who])])
            if (leaks(name, both, [there.world, plain.world]).length === 0) unexpected.push(`${name}, ${who}: the same`)
          }
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual(unexpected, [])
      }),
    600_000
  )

  it.effect(
    "nothing is shown to those who may not see it: every tool of the MCP server",
    () =>
      Effect.gen(function* () {
        const { there, plain, pairs } = yield* Workspaces
        const worlds = [there.world, plain.world] as const
        const [hidden, absent] = [toolCalls(there.world, hiddenName), toolCalls(plain.world, absentName)]
        const found: Array<string> = []
        for (const [turn, [visitor, counterpart]] of pairs.entries()) {
          for (const [index, { name }] of turnOf(yield* Tools, turn).entries()) {
            if (index % 20 === 19) yield* TestClock.adjust("1 minute")
            const both = yield* Effect.all(
              [call(name, hidden.get(name), visitor.key), call(name, absent.get(name), counterpart.key)],
              { concurrency: 2 }
            )
            found.push(...leaks(`${name}, ${visitor.name}'s key`, both, worlds))
          }
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual(found, [])
      }),
    600_000
  )

  it.effect(
    "nothing is shown to those who may not see it: every operation of the REST API",
    () =>
      Effect.gen(function* () {
        const { there, plain, pairs } = yield* Workspaces
        const worlds = [there.world, plain.world] as const
        const [hidden, absent] = [restCalls(there.world, hiddenName), restCalls(plain.world, absentName)]
        const found: Array<string> = []
        for (const [index, [visitor, counterpart]] of pairs.entries()) {
          for (const operation of turnOf(callers, index)) {
            const { name } = operation
            const credentials = credentialsFor(operation)
            // With each credential by half of its visitors.
            const credential = credentials[Math.floor(index / 2) % credentials.length]!
            const of = (path: Call | undefined, as: Visitor) => send({ ...path!, as: as[credential] })
            const both = yield* Effect.all([of(hidden.get(name), visitor), of(absent.get(name), counterpart)], {
              concurrency: 2
            })
            found.push(...leaks(`${name}, ${visitor.name}'s ${credential}`, both, worlds))
          }
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual(found, [])
      }),
    600_000
  )
})
