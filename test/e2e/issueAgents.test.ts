import { assert, layer } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { Effect, Redacted } from "effect"
import { maxAnswer } from "../../src/mcp/answerSize.ts"
import { scopes } from "../../src/schema/Key.ts"
import { keyPrefix } from "../../src/services/access/apiKeyFormat.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import { allObservations, endedJob, type LoopJob, unsafeLoader } from "../support/fixLoop.ts"
import { inForm } from "../support/forms.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aClientOf, callTool, structureOf, textOf } from "../support/mcp.ts"
import { anEditor, send } from "../support/people.ts"
import { withoutRateLimits } from "../support/rateLimits.ts"
import { aServer, aTemporaryFolder, call, keysOf, ownerSession, type RunningServer } from "../support/server.ts"

const issueCount = inForm({ short: 8, long: 50 })
const project = "checkout"

/** One defect of the same rule in each of as many files. */
const files = Object.fromEntries(
  Array.from({ length: issueCount }, (_, n) => [
    `services/service_${n}/settings.py`,
    unsafeLoader.replace("read_settings", `read_settings_of_${n}`)
  ])
)

/**
 * A server whose one repository was audited, a key of its owner, two keys of an editor of the project, and a process of
 * the API for each of them.
 */
const anAuditedWorkspace = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const dataDir = yield* aTemporaryFolder
  const repository = aRepository(files, { bare: true })
  const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
  const server = yield* aServer({ dataDir, env })
  yield* withoutRateLimits(Redacted.value(url))
  const owner = yield* ownerSession(server)
  const [lead = ""] = yield* keysOf(server, owner, { scopes, count: 1, name: "lead" })
  yield* send(server, "POST", "/api/projects", owner, { name: "Checkout", slug: project })
  const editor = yield* anEditor(server, owner, project, "editor@example.org")
  const keys = yield* keysOf(server, editor.headers, {
    scopes: ["view_issues", "manage_issues"],
    count: 2,
    name: "agent"
  })
  yield* call(server, lead, "POST", "/api/repos", {
    github_org: "acme",
    github_repo: "shop",
    clone_url: repository.path
  })
  const submitted = yield* call<LoopJob>(server, lead, "POST", "/api/repos/acme/shop/main/jobs", { workflow: "audit" })
  const job = yield* endedJob(server, lead, submitted.body.id)
  assert.strictEqual(job.status, "completed", job.error ?? "")
  const processes = yield* Effect.forEach(keys, () => aServer({ dataDir, env, role: "api" }), { concurrency: 2 })
  const agents = yield* Effect.forEach(keys, (key, n) => anAgent(processes[n] ?? server, key))
  return { server, lead, agents }
})

/** A client with all that its calls answered. */
interface Agent {
  readonly client: Client
  readonly prefix: string
  readonly transcript: Array<{ readonly tool: string; readonly size: number }>
  readonly rejections: Array<string>
  readonly worked: Array<string>
}

const anAgent = (server: RunningServer, key: string) =>
  Effect.map(
    aClientOf(server.api, key),
    (client): Agent => ({ client, prefix: keyPrefix(key), transcript: [], rejections: [], worked: [] })
  )

type Args = Readonly<Record<string, unknown>>

const answerOf = ({ client, transcript }: Agent, tool: string, args: Args) =>
  Effect.map(callTool(client, tool, args), (result) => {
    const size = Math.max(textOf(result).length, JSON.stringify(result.structuredContent ?? null).length)
    transcript.push({ tool, size })
    return result
  })

/** A call that has to succeed. */
const use = <A>(agent: Agent, tool: string, args: Args) =>
  Effect.map(answerOf(agent, tool, args), (result) => {
    assert.notStrictEqual(result.isError, true, `${tool}: ${textOf(result)}`)
    return structureOf<A>(result)
  })

/** The references of the first page of work that no one does yet. */
const readyFor = (agent: Agent) =>
  Effect.map(
    use<{ readonly data: ReadonlyArray<{ readonly ref: string }> }>(agent, "list_issues", { project, ready: true }),
    ({ data }) => data.map(({ ref }) => ref)
  )

/** The fence of a claim; null where the other agent was faster. */
const claimed = (agent: Agent, ref: string) =>
  Effect.map(answerOf(agent, "claim_issue", { ref }), (result) => {
    if (result.isError !== true) return structureOf<{ readonly fence: number }>(result).fence
    assert.match(textOf(result), /^\[(?:already_claimed|issue_closed)\] /)
    agent.rejections.push(textOf(result))
    return null
  })

/** Works an issue off, unless the other agent does. */
const workOff = (agent: Agent, ref: string) =>
  Effect.gen(function* () {
    const fence = yield* claimed(agent, ref)
    if (fence === null) return
    yield* use(agent, "note_issue", { ref, body_md: "The loader is safe on a branch.", fence })
    yield* use(agent, "attach_pr", { ref, url: `https://git.example.org/acme/shop/pull/${ref.slice("ISS-".length)}` })
    yield* use(agent, "close_issue", { ref, reason: "completed", note: "The branch is merged.", fence })
    agent.worked.push(ref)
  })

/** Works off what is ready, page after page, until nothing is. */
const workEverythingOff = (agent: Agent, first: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let refs = first
    while (refs.length > 0) {
      for (const ref of refs) yield* workOff(agent, ref)
      refs = yield* readyFor(agent)
    }
  })

interface Filed {
  readonly created: ReadonlyArray<{ readonly ref: string }>
  readonly existing: ReadonlyArray<unknown>
  readonly skipped: ReadonlyArray<unknown>
}

/** Files an issue for each finding of the audit. */
const fileIssues = (server: RunningServer, lead: Agent, key: string) =>
  Effect.gen(function* () {
    const found = yield* allObservations(server, key)
    const refs = found.filter(({ rule_id }) => /unsafe_yaml_load$/.test(rule_id)).map(({ ref }) => ref)
    assert.lengthOf(refs, issueCount)
    const filed = yield* use<Filed>(lead, "file_issues_from_findings", { project, refs, group_by: "none" })
    assert.deepStrictEqual([filed.existing, filed.skipped], [[], []])
    assert.lengthOf(filed.created, issueCount)
    return filed.created.map(({ ref }) => ref)
  })

interface Event {
  readonly event: string
  readonly actor: { readonly api_key: { readonly prefix: string } | null }
}

/** Who did what to an issue after it was filed, the first thing first. */
const deedsOn = (server: RunningServer, key: string, ref: string) =>
  Effect.map(
    call<{ readonly data: ReadonlyArray<Event> }>(server, key, "GET", `/api/issues/${ref}/events?limit=200`),
    ({ body }) =>
      body.data
        .map(({ event, actor }) => `${event} ${actor.api_key?.prefix}`)
        .reverse()
        .filter((deed) => !deed.startsWith("created "))
  )

const statusOf = (server: RunningServer, key: string, ref: string) =>
  Effect.map(
    call<{ readonly status: string; readonly claim: unknown }>(server, key, "GET", `/api/issues/${ref}`),
    ({ body }) => [body.status, body.claim]
  )

layer(Database, { excludeTestServices: true })("two scripted agents", (it) => {
  it.scoped(
    `work off ${issueCount} issues of a real audit without working on the same one, in answers of at most 8,000 tokens`,
    () =>
      Effect.gen(function* () {
        const { server, lead, agents } = yield* anAuditedWorkspace
        const [one, other] = agents as [Agent, Agent]
        const filing = yield* anAgent(server, lead)
        const filed = yield* fileIssues(server, filing, lead)

        // Both have read the same page before either claims: the first claims of one of them are too late.
        const pages = [yield* readyFor(one), yield* readyFor(other)] as const
        yield* Effect.all([workEverythingOff(one, pages[0]), workEverythingOff(other, pages[1])], { concurrency: 2 })

        assert.isAbove(one.rejections.length + other.rejections.length, 0)
        assert.isAbove(Math.min(one.worked.length, other.worked.length), 0)
        assert.sameMembers([...one.worked, ...other.worked], filed)
        for (const agent of [one, other])
          for (const ref of agent.worked) {
            assert.deepStrictEqual(yield* statusOf(server, lead, ref), ["done", null], ref)
            const deeds = ["claimed", "noted", "pull_request_attached", "closed"]
            assert.deepStrictEqual(
              yield* deedsOn(server, lead, ref),
              deeds.map((deed) => `${deed} ${agent.prefix}`),
              ref
            )
          }
        const calls = [filing, one, other].flatMap(({ transcript }) => transcript)
        assert.deepStrictEqual(
          calls.filter(({ size }) => size > maxAnswer),
          []
        )
      }),
    600_000
  )
})
