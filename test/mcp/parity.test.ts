import { HttpApi } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Option, TestClock } from "effect"
import { Api } from "../../src/http/Api.ts"
import { ServedOperation } from "../../src/http/wire.ts"
import { Tools } from "../../src/mcp/Tools.ts"
import { scopes } from "../../src/schema/Key.ts"
import { Repositories } from "../../src/services/repositories/Repositories.ts"
import { aJob, aKey, anObservation, aProject, as, aWorkspace } from "../support/builders.ts"
import { aSetOfEntries } from "../support/contextSamples.ts"
import { inForm } from "../support/forms.ts"
import { Chance } from "../support/generate.ts"
import { aSetOfIssues } from "../support/issueSamples.ts"
import { rpc, structureOf } from "../support/mcp.ts"
import { aWorld, samples, toolSamples, type World } from "../support/samples.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { errorOf, send } from "../support/wire.ts"

const total = Number(process.env.ASSAY_PARITY_CALLS ?? inForm({ short: 120, long: 600 }))
const seed = Number(process.env.ASSAY_PARITY_SEED ?? 20_261_120)
const keysPerWorld = 20
// The smallest bucket allows five calls a minute; the clock advances by one minute after a batch.
const batch = 40

const onRest = new Set<string>()
HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ mergedAnnotations }) => {
    const operation = Option.getOrUndefined(Context.getOption(mergedAnnotations, ServedOperation))
    if (operation !== undefined) onRest.add(operation.name)
  }
})

/** Owner of the object that a call names. */
type Whose = "own" | "another workspace's" | "missing"
const whose: ReadonlyArray<Whose> = ["own", "own", "another workspace's", "missing"]

const owners: Readonly<Record<Whose, string>> = { own: "acme", "another workspace's": "umbrella", missing: "absent" }

/** The same call of a repository of that owner. */
const ofOwner = <A>(value: A, owner: string): A =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll("/acme/", `/${owner}/`)
      .replaceAll('"github_org":"acme"', `"github_org":"${owner}"`)
      .replaceAll("api@main", `${owner}/api@main`)
      .replaceAll("api%40main", `${owner}%2Fapi%40main`)
  )

type Objects = Pick<World, "job_id" | "project" | "open" | "closed" | "entries" | "issues">

const missingObjects = (entries: World["entries"]): Objects => ({
  job_id: "01a1f7c5-495f-744f-8d63-41fef1b8b78f",
  project: "no-such-project",
  open: [1, 2, 3, 4, 5].map((n) => `OBS-${99_000 + n}`),
  closed: "OBS-99000",
  issues: {
    read: "ISS-99001",
    update: "ISS-99002",
    status: "ISS-99003",
    close: "ISS-99004",
    reopen: "ISS-99005",
    claim: "ISS-99006",
    criterion: "01a1f7c5-495f-744f-8d63-41fef1b8b78f",
    etag: "01a1f7c5-495f-744f-8d63-41fef1b8b78f:1"
  },
  entries: Object.fromEntries(
    Object.keys(entries).map((key) => [key, "01a1f7c5-495f-744f-8d63-41fef1b8b78f:1"])
  ) as World["entries"]
})

/** Objects that no world under test can see, with numbers that none of them uses. */
const aStranger = Effect.gen(function* () {
  const { cloneUrl } = yield* App
  const owner = yield* aWorkspace()
  const repository = yield* Effect.flatMap(Repositories, (repositories) =>
    repositories.register({ github_org: "umbrella", github_repo: "api", clone_url: cloneUrl })
  ).pipe(as(owner), Effect.orDie)
  const refs = yield* Effect.forEach(Array.from({ length: 30 }), () => anObservation(owner, repository))
  const { slug: project } = yield* aProject(owner, { name: "Hidden" })
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE workspaces SET next_issue = 50000 WHERE id = ${owner.workspace_id}`)
  return {
    job_id: (yield* aJob(owner, repository)).id,
    project,
    issues: yield* aSetOfIssues(owner, project),
    open: refs.slice(-6, -1),
    closed: refs.at(-1)!,
    entries: yield* aSetOfEntries(owner, null)
  } satisfies Objects
})

const inWorld = (w: World, stranger: Objects, kind: Whose): World => ({
  ...w,
  ...(kind === "own" ? {} : kind === "missing" ? missingObjects(w.entries) : stranger)
})

layer(TestApp)("an operation on the REST API and the MCP server", (it) => {
  it.effect(
    "has the same outcome on each, whatever the scopes of the key and the object of the call",
    () =>
      Effect.gen(function* () {
        const chance = new Chance(seed)
        const tools = (yield* Tools).filter(({ operation }) => onRest.has(operation.name))
        const stranger = yield* aStranger
        // Two equal worlds: a change by a REST call in one is repeated by an MCP call in the other.
        const [restWorld, toolWorld] = [yield* aWorld, yield* aWorld]
        const subsets = Array.from({ length: keysPerWorld }, (_, i) =>
          i === 0 ? [...scopes] : scopes.filter(() => !chance.oneIn(3))
        )
        const keysOf = (w: World) =>
          Effect.forEach(subsets, (held) => Effect.map(aKey(w.owner, { scopes: held }), ({ api_key }) => api_key))
        const [restKeys, toolKeys] = [yield* keysOf(restWorld), yield* keysOf(toolWorld)]

        const triples = Array.from({ length: total }, (_, i) => ({
          key: chance.below(keysPerWorld),
          tool: tools[i % tools.length]!,
          kind: chance.pick(whose)
        }))
        type Triple = (typeof triples)[number]

        const callRest = ({ key, tool, kind }: Triple) =>
          Effect.gen(function* () {
            const sample = samples(inWorld(restWorld, stranger, kind))[tool.operation.name]
            assert.isDefined(sample, tool.operation.name)
            const response = yield* send({ ...ofOwner(sample!.call, owners[kind]), as: restKeys[key] })
            return response.status < 400 ? "ok" : errorOf(response).code
          })

        const callMcp = ({ key, tool, kind }: Triple) =>
          Effect.gen(function* () {
            const sample = toolSamples(inWorld(toolWorld, stranger, kind))[tool.name]
            assert.isDefined(sample, tool.name)
            const args = ofOwner(sample, owners[kind])
            const { result } = yield* rpc(toolKeys[key]!, "tools/call", { name: tool.name, arguments: args })
            return result?.isError === true
              ? structureOf<{ readonly error: { readonly code: string } }>(result).error.code
              : "ok"
          })

        const differences: Array<string> = []
        const decisions = new Map<string, number>()
        const compare = (triple: Triple, rest: string, mcp: string) => {
          decisions.set(rest, (decisions.get(rest) ?? 0) + 1)
          if (rest === mcp) return
          const held = subsets[triple.key]!.join(" ")
          differences.push(`${triple.tool.name}, ${triple.kind}: ${rest} on REST, ${mcp} on MCP; key: ${held}`)
        }
        for (let done = 0; done < total; done += batch) {
          const round = triples.slice(done, done + batch)
          const [rest, mcp] = yield* Effect.all([Effect.forEach(round, callRest), Effect.forEach(round, callMcp)], {
            concurrency: 2
          })
          for (const [i, triple] of round.entries()) compare(triple, rest[i]!, mcp[i]!)
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual(differences.slice(0, 20), [], `${differences.length} differences, seed ${seed}`)
        // Two interfaces that reject everything would agree, too.
        for (const decision of ["ok", "insufficient_scope", "not_found", "project_not_found"]) {
          assert.isAbove(decisions.get(decision) ?? 0, total / 100, decision)
        }
        assert.strictEqual(new Set(triples.map(({ tool }) => tool.name)).size, tools.length)
      }),
    600_000
  )
})
