import { assert, layer } from "@effect/vitest"
import { Effect, TestClock, TestServices } from "effect"
import { Projects } from "../../src/services/projects/Projects.ts"
import {
  aBulkOperation,
  aChangeReview,
  aCredential,
  aDelivery,
  aJob,
  aKey,
  aMember,
  anInvitation,
  anObservation,
  aProject,
  aRegisteredRepository,
  as,
  aView,
  aWebhook,
  aWorkspace,
  withFeatures
} from "../support/builders.ts"
import { aSetOfEntries, type KnownEntries } from "../support/contextSamples.ts"
import { reportCpu } from "../support/cpu.ts"
import { type DescribedOperation, describedOperations } from "../support/document.ts"
import { inForm } from "../support/forms.ts"
import { Chance, compiler } from "../support/generate.ts"
import { knownIssues } from "../support/issueRequests.ts"
import { missionsOf } from "../support/missions.ts"
import { type Generated, generated, type Known } from "../support/requests.ts"
import { aRunningClock } from "../support/runningClock.ts"
import { App, TestApp } from "../support/TestApp.ts"
import { type Answer, type Call, send } from "../support/wire.ts"

const total = Number(process.env.ASSAY_GENERATED_REQUESTS ?? inForm({ short: 120, long: 1000 }))
const seed = Number(process.env.ASSAY_GENERATED_SEED ?? 20_261_120)
// The tightest bucket takes five calls a minute; after a round the clock goes on by one.
const callsPerRound = 4
/** For the operations of which no request happened to meet the state that they need. */
const furtherRounds = 40
/** Operations that do not succeed in these either. */
const mostUnlucky = 4

const operations = describedOperations()

const compile = compiler()
const validators = new Map<string, ReturnType<typeof compile>>()

/** Many responses have the same schema, and to compile one takes far longer than to write it out. */
const validatorOf = (schema: object) => {
  const text = JSON.stringify(schema)
  const validator = validators.get(text) ?? compile(schema)
  validators.set(text, validator)
  return validator
}

/** A call that hangs is named, long before the test's own time is up. */
const answered = <A, R>(call: Effect.Effect<A, never, R>, name: string) =>
  TestServices.provideLive(
    Effect.timeoutFail(call, {
      duration: "5 minutes",
      onTimeout: () => new Error(`${name.slice(0, 300)} got no response.`)
    })
  ).pipe(Effect.orDie)

/** Differences between a response and the document. */
const objections = (operation: DescribedOperation, response: Answer): ReadonlyArray<string> => {
  const found: Array<string> = []
  const described = operation.responses[response.status]
  // Nothing answers at the address of the tracker that requests set up.
  if (response.status >= 500 && !response.text.includes('"code":"tracker_unavailable"')) found.push("is our fault")
  if (described === undefined) return [...found, "has an undocumented status"]
  if (!/^req_[0-9a-f]{32}$/.test(String(response.headers["x-request-id"]))) found.push("has no request id")
  if (response.status === 429 && response.headers["retry-after"] === undefined) found.push("has no Retry-After")
  const media = described.content?.["application/json"]
  if (media === undefined) return response.text === "" ? found : [...found, "has a body"]
  if (!String(response.headers["content-type"]).startsWith("application/json")) return [...found, "is no JSON"]
  const validate = validatorOf(media.schema)
  if (!validate(JSON.parse(response.text))) found.push(`is not as documented: ${JSON.stringify(validate.errors)}`)
  return found
}

const typed = (schema: { readonly type?: unknown }, text: string): unknown =>
  schema.type === "integer" && /^-?\d{1,15}$/.test(text)
    ? Number(text)
    : schema.type === "boolean" && /^(true|false)$/.test(text)
      ? text === "true"
      : text

/** Whether the document rejects the query or the body. */
const isRejected = (operation: DescribedOperation, { query, body }: Generated): boolean => {
  const badQuery = query.some(([name, value]) => {
    const parameter = operation.parameters.find((one) => one.in === "query" && one.name === name)
    // A record's own name for its prototype is the one that the framework's reader of queries never shows.
    if (parameter === undefined) return name !== "__proto__"
    // More kinds of timestamps are taken than are promised.
    if (parameter.schema.format === "date-time") return false
    return !validatorOf(parameter.schema)(typed(parameter.schema, value))
  })
  // Where none is described, none is read.
  const isRead = operation.parameters.some((parameter) => parameter.in === "query")
  if (badQuery && isRead) return true
  const named = new Set(query.map(([name]) => name))
  if (named.size < query.length && isRead) return true
  if (body === undefined || operation.body === null) return false
  const schema = JSON.parse(JSON.stringify(operation.body.media.schema).replaceAll('"format":"date-time"', '"x":1'))
  return body !== null && !validatorOf(schema)(body)
}

const aKnownWorld = Effect.gen(function* () {
  const { cloneUrl } = yield* App
  const owner = yield* aWorkspace({ plan: "paid" })
  yield* withFeatures(owner)
  const api = yield* aRegisteredRepository(owner)
  const web = yield* aRegisteredRepository(owner, "web")
  yield* aRegisteredRepository(owner, "idle")
  const jobs = yield* Effect.forEach([api, web], (repository) => aJob(owner, repository))
  const refs = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9], (n) =>
    anObservation(owner, api, { closed: n % 3 === 0 })
  )
  const bulkOperations = yield* Effect.forEach([1, 2, 3, 4], () => aBulkOperation(owner))
  const victims = yield* Effect.forEach([1, 2, 3], () => aKey(owner))
  const credentials = yield* Effect.forEach(["a", "b"], (name) => aCredential(owner, { host: `${name}.example.org` }))
  const views = yield* Effect.forEach(["a", "b"], (name) => aView(owner, { name }))
  const { api_key } = yield* aKey(owner)
  const { api_key: narrow } = yield* aKey(owner, { scopes: ["view_context"] })
  const { api_key: foreign } = yield* aKey(yield* aWorkspace())
  const { slug } = yield* aProject(owner, { name: "Shop" })
  const members = yield* Effect.forEach([1, 2, 3, 4], () => aMember(owner.workspace_id, "member"))
  const leaving = yield* Effect.forEach([1, 2, 3], () => aMember(owner.workspace_id, "member"))
  const invitations = yield* Effect.forEach([1, 2, 3, 4], () => anInvitation(owner))
  const granting = Effect.flatMap(Projects, (service) =>
    Effect.forEach(members, ({ email }) => service.grant(slug, { email, role: "viewer" }))
  )
  yield* Effect.orDie(granting.pipe(as(owner)))
  const parameters = {
    slug: [slug],
    key: ["read"],
    user_id: members.map(({ user_id }) => user_id),
    github_org: ["acme"],
    github_repo: ["api"],
    github_base_branch: ["main"],
    job_id: jobs.map(({ id }) => id),
    key_id: victims.map(({ key }) => key.id),
    invitation_id: invitations.map(({ id }) => id),
    operation_id: bulkOperations,
    view_id: views.map(({ id }) => id),
    credential_id: credentials.map(({ id }) => id),
    ref: refs,
    repo: ["api@main", "acme/api@main"],
    repo_name: ["api@main", "acme/web@main"]
  }
  const register = {
    github_base_branch: ["main", "main", "main", "feature/x"],
    clone_url: [...Array.from({ length: 6 }, () => cloneUrl), "/nowhere", "ext::sh -c id", "https://127.0.0.1/x"]
  }
  const submit = { workflow: ["audit", "standard_audit", "fix", "scan", "AUDIT"] }
  const member = { github_org: ["acme"], github_repo: ["api", "web"], github_base_branch: ["main"] }
  const known: Known = {
    parameters,
    // Of the tools and rules that there are.
    complete: {
      tool: ["secret_detection", "secret_detection,sql_injection"],
      rule: ["sql_injection.untrusted_sql", "sql_injection.untrusted_sql,sql_injection.built_sql"]
    },
    queries: {},
    fields: {
      "repositories.register": register,
      "repositories.preview": register,
      "repositories.update": { clone_url: register.clone_url },
      "workspace.set_setting": { value: [true, false] },
      "sessions.switch_workspace": { workspace_id: [owner.workspace_id] },
      "jobs.submit": submit,
      // Other texts than queries of the list are rejected by a rule that no JSON Schema expresses.
      "views.create": { query: ["", "status=new&repo=api%40main", "q=key&priority=P0"] },
      "views.update": { query: ["", "status=closed"] },
      "projects.create": { parent: [null] },
      "context.create": { key: ["a", "b/c", "d:e"], scope: ["subtree", "project"] },
      "project_context.create": { key: ["a", "b/c", "d:e"] },
      "projects.add_repository": member,
      "projects.grant_role": { email: members.map(({ email }) => email) }
    },
    bodies: {
      "credentials.create": [
        { kind: "https", host: "git.example.org", secret: "token" },
        { kind: "https", host: "git.example.org:8443", repository: "api@main", username: "assay", secret: "token" },
        { kind: "ssh", host: "git.example.org", private_key: "none", known_hosts: "none" }
      ],
      "observations.triage_many": [
        { action: "acknowledge", refs },
        { action: "complete", filter: { kind: "finding,advisory", priority: "P0" }, note: "Fixed by hand." },
        { action: "reopen", refs: [refs[0]!, "OBS-99"], reopen_reason: "It is still there." },
        {
          action: "dismiss",
          filter: { rule: "sql_injection.untrusted_sql,sql_injection.built_sql", status: "new", needs_review: false },
          dismissal_category: "wont_fix",
          dismissal_note: "Nothing depends on it."
        },
        { action: "dismiss", filter: {}, preview: true }
      ]
    }
  }
  // What deletes must leave something for the others.
  const elsewhere = (...github_repo: ReadonlyArray<string>): Known => ({
    ...known,
    parameters: { ...parameters, github_repo }
  })
  // A change needs the entry's current ETag, which the change before made another.
  const entriesOf = (area: string, etags: KnownEntries): Readonly<Record<string, Known>> =>
    Object.fromEntries(
      (["put", "patch", "disable", "restore", "confirm", "claim"] as const).map((key) => [
        `${area}.${key === "claim" ? "corroborate" : key}`,
        { ...known, parameters: { ...parameters, key: [key], "if-match": [etags[key]], "if-none-match": ["*"] } }
      ])
    )
  const ofIssues = yield* knownIssues({ owner, api_key, project: slug, refs }, known)
  const { of: missions, free } = yield* missionsOf(owner, { id: api.id, slug: "api@main" })
  const review = yield* aChangeReview(owner)
  const [webhook, spareWebhook] = [yield* aWebhook(owner), yield* aWebhook(owner)]
  const delivery = yield* aDelivery(owner, webhook.id)
  const goal = { refs: [...free] }
  const ofMission = (name: keyof typeof missions): Known => ({
    ...known,
    parameters: {
      ...parameters,
      number: [String(missions[name].number)],
      step_id: [missions[name].step_id],
      repository: ["api@main"]
    },
    complete: { ref: [missions[name].ref], repo: ["api@main"], status: ["running", "running,paused"] },
    queries: {
      "missions.resolve": [{ repository: "api@main", number: String(missions[name].number) }, { branch: "assay/none" }]
    },
    bodies: {
      "missions.create": [{ repository: "api@main", title: "A mission", goal, budget_usd: 5 }],
      "missions.resubmit": [{ limits_md: "Leave `docs` alone." }],
      "missions.raise_budget": [{ budget_usd: 900 }]
    }
  })
  const ofReview: Known = {
    ...known,
    parameters: { ...parameters, branch: ["feature/x"] },
    complete: { name: [review.name], repo: ["acme/api"], readiness: ["running", "ready,not_ready"] },
    bodies: {
      "change_reviews.start": [{ branches: [{ repository: "api@main", branch: "feature/x" }] }],
      "change_reviews.set_criteria": [{ criteria: [{ text: "No secret" }, { text: "It is fast." }] }]
    }
  }
  const ofWebhook: Known = {
    ...known,
    parameters: { ...parameters, webhook_id: [webhook.id], delivery_id: [delivery.id] },
    bodies: {
      "webhooks.create": [{ url: "http://127.0.0.1:9/hook", events: ["*"] }],
      "webhooks.update": [{ description: "Of the shop" }, { min_priority: "P1" }, { repos: ["api@main"] }]
    }
  }
  const ofTracker: Known = {
    ...known,
    parameters: { ...parameters, kind: ["linear"] },
    bodies: { "trackers.set": [{ base_url: "http://127.0.0.1:9", project: "ENG", token: "lin_api_sample" }] }
  }
  const areas: ReadonlyArray<readonly [prefix: string, known: (name: string) => Known]> = [
    ["issues.", ofIssues],
    ["missions.", (name) => ofMission(name in missions ? (name as keyof typeof missions) : "read")],
    ["change_reviews.", () => ofReview],
    ["webhooks.", () => ofWebhook]
  ]
  const ofAreas = Object.fromEntries(
    operations.flatMap(({ name }) =>
      areas.flatMap(([prefix, knownOf]) =>
        name.startsWith(prefix) ? [[name, knownOf(name.slice(prefix.length))] as const] : []
      )
    )
  )
  const { id: spareView } = yield* aView(owner, { name: "c" })
  const perishable: Readonly<Record<string, Known>> = {
    ...ofAreas,
    ...Object.fromEntries(["trackers.set", "trackers.delete"].map((name) => [name, ofTracker])),
    "webhooks.delete": { ...ofWebhook, parameters: { ...parameters, webhook_id: [spareWebhook.id] } },
    "views.delete": { ...known, parameters: { ...parameters, view_id: [spareView] } },
    "repositories.delete": elsewhere("web", "gone"),
    "members.remove": { ...known, parameters: { ...parameters, user_id: leaving.map(({ user_id }) => user_id) } },
    "repositories.reset": elsewhere("idle", "web"),
    // The third takes a text.
    "workspace.set_setting": {
      ...known,
      parameters: { ...parameters, name: ["audit_suggestions", "automatic_discovery"] }
    },
    ...entriesOf("context", yield* aSetOfEntries(owner, null)),
    ...entriesOf("project_context", yield* aSetOfEntries(owner, slug))
  }
  return { owner, api_key, narrow, foreign, known, perishable }
})

type KnownWorld = Effect.Effect.Success<typeof aKnownWorld>

const callerOf = (world: KnownWorld, chance: Chance, operation: DescribedOperation) =>
  Effect.gen(function* () {
    const { owner, api_key, narrow, foreign } = world
    if (operation.security.length === 0) return { as: undefined, isUsual: true }
    // Of a person of its own: others are signed in while calls run at the same time.
    const leaves = operation.name.startsWith("sessions.sign_out")
    const { session } = leaves ? yield* aMember(owner.workspace_id, "member") : owner
    const usual = operation.security.some((one) => "apiKey" in one) ? api_key : session
    const others: ReadonlyArray<Call["as"]> = [
      session,
      api_key,
      narrow,
      foreign,
      undefined,
      "asy_nobody",
      "a b",
      { ...session, csrf: "forged" }
    ]
    return chance.oneIn(6) ? { as: chance.pick(others), isUsual: false } : { as: usual, isUsual: true }
  })

/** What cannot succeed in this world. */
const unsuccessful: ReadonlySet<string> = new Set([
  // Nothing was written for people, nothing was fixed, no pull request is open, and the tracker does not answer.
  "jobs.artifact",
  "observations.fix_diff",
  "observations.publish_ticket",
  "observations.request_fix",
  "observations.revise_fix",
  "observations.withdraw_fix",
  // Nothing was discovered in this world.
  "repositories.pattern",
  // A token, a password or a session that no one guesses.
  "sessions.accept_invitation",
  "sessions.change_password",
  "sessions.end",
  "sessions.sign_in",
  "sessions.use_link",
  // Without a provider.
  "single_sign_on.finish",
  "single_sign_on.start"
])

/** Keys, hosts and projects are parsed in ways that a document of the API cannot describe. */
const parsedFurther: ReadonlySet<string> = new Set(["trackers.set", "credentials.create"])

layer(TestApp)("requests made from the document", (it) => {
  it.scoped(
    "never fail, and every response is one that the document describes",
    () =>
      Effect.gen(function* () {
        const world = yield* aKnownWorld
        // Some calls wait, such as those that fetch the same repository at the same time.
        yield* aRunningClock
        const chance = new Chance(seed)
        const problems: Array<string> = []
        const seen = new Map<string, number>()
        const succeeded = new Set<string>()
        const check = (operation: DescribedOperation, wrong?: null) =>
          Effect.gen(function* () {
            const request = generated(chance, operation, world.perishable[operation.name] ?? world.known, wrong)
            const { as, isUsual } = yield* callerOf(world, chance, operation)
            const response = yield* answered(send({ ...request.call, as }), `${operation.name} ${request.call.path}`)
            const key = `${operation.name} ${response.status}`
            seen.set(key, (seen.get(key) ?? 0) + 1)
            if (response.status < 300) succeeded.add(operation.name)
            const found = [...objections(operation, response)]
            if (response.status < 300 && isRejected(operation, request)) found.push("accepts what the document rejects")
            const isExpected = request.isValid === true && isUsual && !parsedFurther.has(operation.name)
            if (isExpected && response.status === 422 && response.text.includes('"errors":')) {
              found.push("rejects what the document allows")
            }
            for (const problem of found) {
              problems.push(
                `${operation.method} ${request.call.path.slice(0, 300)} ${JSON.stringify(request.body ?? request.call.body ?? null).slice(0, 300)}: ${response.status} ${response.text.slice(0, 400)} ${problem.slice(0, 600)}`
              )
            }
          })
        const before = process.cpuUsage()
        for (let done = 0; done < total; done += operations.length * callsPerRound) {
          const round = Array.from({ length: callsPerRound }, () => operations).flat()
          yield* Effect.forEach(round.slice(0, total - done), (operation) => check(operation), {
            concurrency: 8,
            discard: true
          })
          yield* TestClock.adjust("1 minute")
        }
        const unlucky = () => operations.filter(({ name }) => !unsuccessful.has(name) && !succeeded.has(name))
        for (let round = 0; round < furtherRounds && unlucky().length > mostUnlucky; round++) {
          const again = Array.from({ length: callsPerRound }, unlucky).flat()
          yield* Effect.forEach(again, (operation) => check(operation, null), { concurrency: 8, discard: true })
          yield* TestClock.adjust("1 minute")
        }
        assert.deepStrictEqual(problems.slice(0, 20), [], `${problems.length} problems, seed ${seed}`)
        const statuses = new Map<string, number>()
        for (const [key, count] of seen) {
          const status = key.split(" ")[1]!
          statuses.set(status, (statuses.get(status) ?? 0) + count)
        }
        reportCpu(total, before, Object.fromEntries(statuses))
        // It would be easy to have no problem where nothing succeeds.
        const barren = unlucky().map(({ name }) => name)
        assert.isAtMost(barren.length, mostUnlucky, `${barren.join(", ")} never succeeded, seed ${seed}`)
      }),
    1_800_000
  )
})
