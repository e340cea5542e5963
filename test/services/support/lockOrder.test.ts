import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, FastCheck, Fiber, Layer } from "effect"
import { Caller } from "../../../src/services/access/Caller.ts"
import { ChangeReviews } from "../../../src/services/change_reviews/ChangeReviews.ts"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { IssueFiling } from "../../../src/services/issues/IssueFiling.ts"
import { IssueStatuses } from "../../../src/services/issues/IssueStatuses.ts"
import { IssuesFromFindings } from "../../../src/services/issues/IssuesFromFindings.ts"
import { JobAdmissionRepo } from "../../../src/services/jobs/JobAdmissionRepo.ts"
import { Missions } from "../../../src/services/missions/Missions.ts"
import { BulkTriage } from "../../../src/services/observations/BulkTriage.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { RecordingRepo } from "../../../src/services/observations/RecordingRepo.ts"
import { anObservation, aProject, aRegisteredRepository, as, aWorkspace, withFeatures } from "../../support/builders.ts"
import { asOwner, ParallelDatabase } from "../../support/Database.ts"
import { numberOf as issueNumberOf } from "../../support/issueSamples.ts"
import { fixableRule } from "../../support/missions.ts"
import { numberOf } from "../../support/services.ts"
import { testApp } from "../../support/TestApp.ts"

const aWorld = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const owner = yield* aWorkspace()
  yield* withFeatures(owner)
  yield* aProject(owner, { name: "Plans" })
  const repository = yield* aRegisteredRepository(owner)
  const { workspace_id } = owner
  yield* sql`UPDATE workspaces SET max_queued = 1000, credit_usd = 1000000 WHERE id = ${workspace_id}`
  return { owner, repository, workspace_id }
})

/** Runs `held` in a transaction of its own, `meanwhile` while that is open, and then ends it. */
const whileHolding = <A, E, R, A2, E2, R2>(held: Effect.Effect<A, E, R>, meanwhile: Effect.Effect<A2, E2, R2>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [holds, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const holder = yield* held.pipe(
      Effect.zipRight(Deferred.succeed(holds, undefined)),
      Effect.zipRight(Deferred.await(end)),
      sql.withTransaction,
      Effect.fork
    )
    yield* Deferred.await(holds)
    const result = yield* Effect.ensuring(meanwhile, Deferred.succeed(end, undefined))
    yield* Fiber.join(holder)
    return result
  })

const untilOneWaits = asOwner(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(
      sql<{ readonly n: number }>`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      { until: ([row]) => row?.n === 1 }
    )
  )
)

const kinds = [
  "file",
  "file from findings",
  "close",
  "review",
  "mission",
  "fix",
  "acknowledge",
  "complete",
  "reopen",
  "triage many",
  "record"
] as const
type Kind = (typeof kinds)[number]

const schedules = FastCheck.array(
  FastCheck.record({
    kind: FastCheck.constantFrom(...kinds),
    nths: FastCheck.uniqueArray(FastCheck.nat(3), { minLength: 2, maxLength: 2 })
  }),
  { minLength: 150, maxLength: 150 }
)

layer(testApp().pipe(Layer.provideMerge(ParallelDatabase)))("the order of locks", (it) => {
  type World = Effect.Effect.Success<typeof aWorld>
  const waiting: ReadonlyArray<
    readonly [name: string, held: (world: World) => Effect.Effect<void, never, RecordingRepo | JobAdmissionRepo>]
  > = [
    [
      "an audit's recording",
      ({ workspace_id, repository }) =>
        Effect.flatMap(RecordingRepo, (repo) => repo.lockRepository({ workspace_id, repository_id: repository.id }))
    ],
    [
      "the admission of a job",
      ({ workspace_id }) => Effect.flatMap(JobAdmissionRepo, (repo) => repo.lock(workspace_id))
    ]
  ]
  for (const [name, held] of waiting) {
    it.effect(`has a new review wait for ${name} before it locks the workspace`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const world = yield* aWorld
        const reviews = yield* ChangeReviews
        const starting = reviews
          .start({ branches: [{ repository: "api@main", branch: "feature/x" }] })
          .pipe(as(world.owner))
        const meanwhile = Effect.gen(function* () {
          const started = yield* Effect.fork(starting)
          yield* untilOneWaits
          const locked = yield* Effect.exit(
            sql`SELECT 1 FROM workspaces WHERE id = ${world.workspace_id} FOR NO KEY UPDATE NOWAIT`
          )
          return { started, locked }
        })
        const { started, locked } = yield* whileHolding(held(world), meanwhile)
        assert.isTrue(Exit.isSuccess(locked))
        assert.strictEqual((yield* Fiber.join(started)).review.name, "hx-1")
      })
    )
  }

  it.effect("lets an issue be filed about an observation whose fix is being asked for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, repository, workspace_id } = yield* aWorld
      const observation = numberOf(yield* anObservation(owner, repository))
      const filing = yield* IssueFiling
      // As a fix has it until its job is queued.
      const held = sql`SELECT 1 FROM observations WHERE workspace_id = ${workspace_id} FOR NO KEY UPDATE`
      const filed = filing.file({ project: "plans", title: "Keys", observations: [observation] }).pipe(as(owner))
      assert.strictEqual((yield* whileHolding(held, filed)).ref, "ISS-1")
    })
  )

  it.effect("leaves writers of issues, reviews, missions, fixes, triage and audits no way to wait in a circle", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, repository, workspace_id } = yield* aWorld
      const refs = yield* Effect.replicateEffect(anObservation(owner, repository, { rule_id: fixableRule }), 4)
      const numbers = refs.map((ref) => numberOf(ref))
      const filing = yield* IssueFiling
      const fromFindings = yield* IssuesFromFindings
      const statuses = yield* IssueStatuses
      const reviews = yield* ChangeReviews
      const missions = yield* Missions
      const fixes = yield* Fixes
      const observations = yield* Observations
      const bulk = yield* BulkTriage
      const recording = yield* RecordingRepo
      // As an audit writes: the repository's lock, all its observations, numbers.
      const record = Effect.gen(function* () {
        yield* recording.lockRepository({ workspace_id, repository_id: repository.id })
        yield* sql`UPDATE observations SET times_seen = times_seen + 1 WHERE repository_id = ${repository.id}`
        yield* recording.drawNumbers({ workspace_id, count: 1 })
      }).pipe(sql.withTransaction)
      const first = issueNumberOf((yield* filing.file({ project: "plans", title: "One" }).pipe(as(owner))).ref)
      const writing = (kind: Kind, [a, b]: ReadonlyArray<(typeof numbers)[number]>) => {
        const both = [a!, b!]
        const writers = {
          file: () => filing.file({ project: "plans", title: "Keys", observations: both }),
          "file from findings": () => fromFindings.run({ project: "plans", refs: both }),
          close: () =>
            Effect.zipRight(
              statuses.close(first, { reason: "completed" }),
              statuses.reopen(first, { reason: "It is." })
            ),
          review: () =>
            reviews.start({ branches: [{ repository: "api@main", branch: `feature/${a! % 2 ? "x" : "y"}` }] }),
          mission: () =>
            missions.create({ repository: "api@main", title: "A mission", goal: { refs: both }, budget_usd: 5 }),
          fix: () => fixes.submit(a!, { extra_attempt: true }),
          acknowledge: () => observations.acknowledge(a!),
          complete: () => observations.complete(a!, { note: "By hand." }),
          reopen: () => observations.reopen(a!, { reopen_reason: "It is there." }),
          "triage many": () => bulk.run({ action: "reopen", refs: both, reopen_reason: "It is there." }),
          record: () => record
        } satisfies Record<Kind, () => unknown>
        return Effect.either<unknown, unknown, Caller>(writers[kind]())
      }
      const [schedule = []] = FastCheck.sample(schedules, { numRuns: 1, seed: 14 })
      // A deadlock would be a defect; typed errors are results.
      const done = yield* Effect.forEach(
        schedule,
        ({ kind, nths }) =>
          Effect.map(
            writing(
              kind,
              nths.map((nth) => numbers[nth]!)
            ),
            ({ _tag }) => `${kind} ${_tag}`
          ),
        { concurrency: 8 }
      ).pipe(as(owner))
      const successes = new Set(done.filter((one) => one.endsWith(" Right")))
      assert.deepStrictEqual(
        kinds.filter((kind) => !successes.has(`${kind} Right`)),
        []
      )
      const [counted] =
        yield* sql`SELECT w.next_issue - 1 AS drawn, (SELECT count(*) FROM issues i WHERE i.workspace_id = w.id) AS filed
        FROM workspaces w WHERE w.id = ${workspace_id}`
      assert.strictEqual(counted?.drawn, counted?.filed)
    })
  )
})
