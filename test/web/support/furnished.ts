import { Effect, Schedule } from "effect"
import type { Files } from "../../support/gitRepository.ts"
import { call, type RunningServer, readEvents } from "../../support/server.ts"
import { context, issues, type MissionTexts, missions, people, projects, reviewBranch } from "./contents.ts"
import { plantedRoutes } from "./planted.ts"
import type { World } from "./world.ts"

/** Addresses of one of each. */
export interface Furnished {
  readonly observation: string
  readonly issue: string
  readonly mission: string
  readonly changeReview: string
  readonly repository: string
  readonly job: string
}

const unsafeYaml = "import yaml\n\n\ndef read(stream):\n    return yaml.load(stream, Loader=yaml.Loader)\n"

/** Code with faults of several rules, some of which a fixer corrects without an agent. */
export const shopFiles: Files = {
  ...plantedRoutes(6),
  ...Object.fromEntries(["billing", "mail", "export"].map((name) => [`app/${name}.py`, unsafeYaml]))
}

type Session = Readonly<Record<string, string>>

/** A call of the person that has to succeed. */
const sender =
  ({ api }: RunningServer, session: Session) =>
  <A = { readonly id: string }>(method: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`${api}${path}`, {
        method,
        headers: session,
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return (text === "" ? null : JSON.parse(text)) as A
    })

type Send = ReturnType<typeof sender>

interface Page<A> {
  readonly data: ReadonlyArray<A>
}

const repository = { github_org: "acme", github_repo: "shop", github_base_branch: "main" }
const repositoryPath = "/api/repos/acme/shop/main"

const auditOf = (server: RunningServer, key: string, send: Send, path: string) =>
  Effect.gen(function* () {
    const { id } = yield* send("POST", `${path}/jobs`, { workflow: "audit" })
    yield* readEvents(server, key, id)
    return id
  })

const refsOf = (send: Send, query = "") =>
  Effect.map(send<Page<{ readonly ref: string }>>("GET", `/api/observations?status=new&limit=50${query}`), ({ data }) =>
    data.map(({ ref }) => ref)
  )

const repositories = (world: World["Type"], send: Send) =>
  Effect.gen(function* () {
    const { repository: git } = world
    yield* send("POST", "/api/repos", { ...repository, clone_url: git.path })
    yield* send("PUT", "/api/workspace/guidance", { text: "We deploy on Tuesdays. Money is counted in cents." })
    yield* send("PUT", `${repositoryPath}/guidance`, { text: "Every query goes through `src/db.js`." })
    yield* send("PUT", `${repositoryPath}/review-instructions`, { text: "Look twice at **payments**." })
    yield* send("PATCH", repositoryPath, { display_name: "Shop", description: "What customers see and buy." })
    const job = yield* auditOf(world.server, world.key, send, repositoryPath)
    git.commit({
      "src/search.js": 'export const search = (db, q) => db.query("SELECT * FROM items WHERE q = \'" + q)\n'
    })
    yield* auditOf(world.server, world.key, send, repositoryPath)
    return job
  })

const triaged = (send: Send, refs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const [first, second, third] = refs.slice(-3)
    yield* send("POST", `/api/observations/${first}/dismiss`, {
      dismissal_category: "false_positive",
      dismissal_note: "The value is checked in `requestGuard` before it gets here."
    })
    yield* send("POST", `/api/observations/${second}/complete`, {
      note: "The route is gone.",
      url: "https://git.example.org/1"
    })
    yield* send("POST", `/api/observations/${third}/acknowledge`)
    for (const name of ["Severe and new", "Injections"]) {
      yield* send("POST", "/api/views", { name, query: "priority=P0,P1", shared: true })
    }
    yield* send("PUT", "/api/rules/settings/complexity", { state: "off", reason: "The parsers are generated." })
  })

const issueBoard = (send: Send, refs: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const made: Array<string> = []
    for (const [n, { notes, status, ...issue }] of issues.entries()) {
      const { ref } = yield* send<{ readonly ref: string }>("POST", "/api/issues", {
        project: "checkout",
        ...issue,
        repos: ["shop@main"],
        observations: refs.slice(n, n + 1)
      })
      made.push(ref)
      for (const body_md of notes) yield* send("POST", `/api/issues/${ref}/notes`, { body_md })
      if (status === "claimed")
        yield* send("POST", `/api/issues/${ref}/claim`, { lease_minutes: 60, agent_label: "claude-code" })
      else if (status !== "open") yield* send("POST", `/api/issues/${ref}/status`, { status })
    }
    const [first, second] = made
    yield* send("POST", `/api/issues/${first}/relations`, { kind: "blocks", other: second })
    yield* send("POST", `/api/issues/${first}/pull-requests`, { url: "https://git.example.org/acme/shop/pull/7" })
    return first ?? ""
  })

const missionBoard = (send: Send) =>
  Effect.gen(function* () {
    const refs = yield* refsOf(send, "&kind=finding&tool=insecure_deserialization")
    const submit = (texts: MissionTexts, n: number) =>
      send<{ readonly ref: string }>("POST", "/api/missions", {
        repository: "shop@main",
        title: texts.title,
        goal: { refs: refs.slice(n, n + 1), text: texts.goal },
        budget_usd: 5,
        limits_md: texts.limits
      })
    const made = yield* Effect.forEach(missions, submit)
    return made[0]?.ref ?? ""
  })

const teamContext = (server: RunningServer, key: string, send: Send) =>
  Effect.gen(function* () {
    for (const { by, path, ...entry } of context) {
      const entries = path === null ? "/api/context/entries" : `/api/projects/${path}/context/entries`
      if (by === "person") yield* send("POST", entries, entry)
      else {
        const { status, body } = yield* call(server, key, "POST", entries, { ...entry, agent_label: "claude-code" })
        if (status !== 201) yield* Effect.dieMessage(`${entry.key}: ${status} ${JSON.stringify(body)}`)
      }
    }
  })

const settings = (send: Send) =>
  Effect.gen(function* () {
    for (const [email, role] of people) yield* send("POST", "/api/workspace/invitations", { email, role })
    for (const name of ["CI of the shop", "Claude Code"]) {
      yield* send("POST", "/api/keys", {
        name,
        scopes: ["view_observations", "view_jobs"],
        agent_label: "claude-code",
        expires_at: new Date(Date.now() + 5 * 86_400_000).toISOString()
      })
    }
    yield* send("POST", "/api/credentials", {
      kind: "https",
      host: "git.example.org",
      username: "assay",
      secret: "a-token-for-tests"
    })
    yield* send("POST", "/api/webhooks", {
      url: "https://hooks.example.org/assay",
      events: ["job.completed"],
      description: "Posts to the team's channel."
    })
  })

const changeReview = (send: Send, { repository: git }: World["Type"]) =>
  Effect.gen(function* () {
    git.commit({ "src/pay.js": "export const pay = (cents) => cents\n" }, { branch: reviewBranch })
    const { name } = yield* send<{ readonly name: string }>("POST", "/api/change-reviews", {
      branches: [{ repository: "acme/shop@main", branch: reviewBranch }],
      title: "Retry payments that time out",
      criteria: [
        { text: "A failed payment is **retried** once." },
        { text: "Few files", check: { kind: "max_size", files: 20 } }
      ]
    })
    return name
  })

const noJobRuns = (send: Send) =>
  Effect.repeat(send<Page<unknown>>("GET", "/api/jobs/active"), {
    until: ({ data }) => data.length === 0,
    schedule: Schedule.passthrough(Schedule.spaced("250 millis") as Schedule.Schedule<number, Page<unknown>>)
  })

/** A workspace with some of everything that a view shows, made over the API as people and agents would. */
export const furnish = (world: World["Type"]): Effect.Effect<Furnished> =>
  Effect.gen(function* () {
    const { server, key, owner } = world
    const send = sender(server, owner)
    const job = yield* repositories(world, send)
    for (const project of projects) yield* send("POST", "/api/projects", project)
    yield* send("POST", "/api/projects/checkout/repositories", repository)
    const refs = yield* refsOf(send)
    yield* triaged(send, refs)
    const issue = yield* issueBoard(send, refs)
    const mission = yield* missionBoard(send)
    yield* teamContext(server, key, send)
    yield* settings(send)
    const review = yield* changeReview(send, world)
    yield* noJobRuns(send)
    return {
      observation: `/observations/${refs[0]}`,
      issue: `/issues/${issue}`,
      mission: `/missions/${mission}`,
      changeReview: `/change-reviews/${review}`,
      repository: "/repos/acme/shop/main",
      job: `/jobs/${job}`
    }
  })
