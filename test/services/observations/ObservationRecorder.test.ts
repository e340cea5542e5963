import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { scan } from "../../../src/engine/core/scan/Engine.ts"
import type { Finding } from "../../../src/engine/core/scan/ScanResult.ts"
import { gitObjects } from "../../../src/engine/core/source/gitObjects.ts"
import { tools } from "../../../src/engine/rules/index.ts"
import { JobId } from "../../../src/schema/Ids.ts"
import type { Observation } from "../../../src/schema/Observation.ts"
import { Cursors } from "../../../src/services/access/Cursors.ts"
import { Features } from "../../../src/services/access/Features.ts"
import { FeaturesRepo } from "../../../src/services/access/FeaturesRepo.ts"
import { ObservationQueries } from "../../../src/services/observations/ObservationQueries.ts"
import { ObservationRecorder } from "../../../src/services/observations/ObservationRecorder.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { RecordingRepo } from "../../../src/services/observations/RecordingRepo.ts"
import { Repositories } from "../../../src/services/repositories/Repositories.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { ServerSecrets } from "../../../src/services/support/ServerSecrets.ts"
import { AuditLogLive } from "../../support/auditLog.ts"
import { Database } from "../../support/Database.ts"
import { aFinding } from "../../support/findings.ts"
import { aRepository, type Repository } from "../../support/gitRepository.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { NoticeWriterLive } from "../../support/notices.ts"
import { numberOf, ObservationRepos } from "../../support/services.ts"

const Recording = Layer.merge(ObservationRecorder.Default, Observations.Default).pipe(
  Layer.provide(ObservationQueries.Default),
  Layer.provide(Layer.mock(Repositories, { _tag: "Repositories" })),
  Layer.provide(NoticeWriterLive),
  Layer.provide(
    Features.Default.pipe(
      Layer.provideMerge(Layer.mergeAll(RecordingRepo.Default, ObservationRepos, FeaturesRepo.Default))
    )
  ),
  Layer.provideMerge(Cursors.Default),
  Layer.provide(AuditLogLive),
  Layer.provide(ServerSecrets.Default),
  Layer.provideMerge(Database)
)

// Two functions that compare the same twice, distinguished by their code.
const repeated = (name: string, operator: string) => `export function ${name}(rows, limits) {
  if (rows.length ${operator} limits.low && rows.length ${operator} limits.low) return rows.length
  return 0
}
`
const score = repeated("score", ">")
const weight = repeated("weight", "<")
const plain = "export const answer = 42\n"

const scanOf = (repository: Repository, commit: string, watch: ReadonlyArray<string>) =>
  Effect.promise(() => scan(gitObjects(repository.gitDir, commit), { suite: "full", tools, watch }))

const renamesOf = (repository: Repository, from: string | null, to: string) => {
  const lines =
    from === null ? "" : repository.git("diff-tree", "-r", "-M", "--diff-filter=R", "--name-status", from, to)
  return new Map(
    lines
      .split("\n")
      .filter((line) => line.startsWith("R"))
      .map((line) => line.split("\t").slice(1) as [string, string])
  )
}

const aCompletedAudit = (tenant: Tenant) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const job_id = yield* newId(JobId)
    const { workspace_id } = tenant.caller
    yield* sql`INSERT INTO jobs (id, workspace_id, repository_id, workflow, dedupe_hash, original_job_id, requested_by,
        created_at, queued_at, status, started_at, finished_at)
      VALUES (${job_id}, ${workspace_id}, ${tenant.repository_id}, 'audit', ${job_id}, ${job_id}, '{}',
        '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'completed', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')`
    return job_id
  })

/** One audit of a commit, as the workflow makes it. */
const audit = (tenant: Tenant, repository: Repository, commit: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recorder = yield* ObservationRecorder
    const { workspace_id } = tenant.caller
    const job_id = yield* aCompletedAudit(tenant)
    const job = { workspace_id, repository_id: tenant.repository_id }
    const { openPaths } = yield* recorder.scanInput(job)
    const lastCommit = yield* recorder.lastCommit(job)
    const result = yield* scanOf(repository, commit, openPaths)
    const recording = {
      workspace_id,
      repository_id: tenant.repository_id,
      job_id,
      commit,
      scan: result,
      renames: renamesOf(repository, Option.getOrNull(lastCommit), commit),
      fileStatuses: new Map(Object.entries(result.watched))
    }
    const outcome = yield* sql.withTransaction(recorder.record(recording))
    return { outcome, recording, result }
  })

const listed = (tenant: Tenant, query: { readonly status?: "new" | "closed" } = {}) =>
  Effect.flatMap(Observations, (observations) => observations.list({ ...query, include: "locations" })).pipe(
    Effect.map(({ data }) => data),
    as(tenant)
  )

const named = (rows: ReadonlyArray<Observation>, symbol: string) => {
  const found = rows.filter((row) => row.locations?.[0]?.symbol?.endsWith(symbol) === true)
  assert.strictEqual(found.length, 1, `one observation of ${symbol}`)
  return found[0]!
}

const start = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const repository = aRepository({ "src/score.js": score + weight, "src/plain.js": plain })
  yield* audit(tenant, repository, repository.git("rev-parse", "HEAD"))
  return { tenant, repository, first: yield* listed(tenant) }
})

layer(Recording)("an audit", (it) => {
  it.effect("of the same tree gives byte-equal fingerprints, and every OBS-N is seen again", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const head = repository.git("rev-parse", "HEAD")
      const once = yield* scanOf(repository, head, [])
      const twice = yield* scanOf(repository, head, [])
      assert.strictEqual(JSON.stringify(once.findings), JSON.stringify(twice.findings))
      const { outcome } = yield* audit(tenant, repository, head)
      assert.deepStrictEqual(outcome, {
        created: 0,
        seen_again: first.length,
        resurfaced: 0,
        kept_closed: 0,
        expired: 0
      })
      assert.deepStrictEqual(
        (yield* listed(tenant)).map(({ ref }) => ref),
        first.map(({ ref }) => ref)
      )
    })
  )

  it.effect("recorded twice for one job changes nothing more", () =>
    Effect.gen(function* () {
      const { tenant, repository } = yield* start
      const sql = yield* SqlClient.SqlClient
      const recorder = yield* ObservationRecorder
      const { recording } = yield* audit(tenant, repository, repository.git("rev-parse", "HEAD"))
      const before = yield* listed(tenant)
      yield* sql.withTransaction(recorder.record(recording))
      assert.deepStrictEqual(yield* listed(tenant), before)
    })
  )

  it.effect("gives each member one notice with the number of new P0 and P1 observations, suggestions aside", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const recorder = yield* ObservationRecorder
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      yield* sql`INSERT INTO users (id, email, created_at)
        VALUES (${workspace_id}, ${`${workspace_id}@example.org`}, '2026-01-01T00:00:00Z')`
      yield* sql`INSERT INTO memberships (workspace_id, user_id, role, created_at)
        VALUES (${workspace_id}, ${workspace_id}, 'viewer', '2026-01-01T00:00:00Z')`
      const finding = (located: string, fields: Partial<Finding>) =>
        aFinding({ ...fields, signatures: { version: 1, primary: located, located, moved: located, sites: [] } })
      const recording = {
        workspace_id,
        repository_id: tenant.repository_id,
        job_id: yield* aCompletedAudit(tenant),
        commit: "c0ffee",
        renames: new Map(),
        fileStatuses: new Map(),
        scan: {
          findings: [
            finding("a", { priority: "P0" }),
            finding("b", { priority: "P1", kind: "advisory" }),
            finding("c", { priority: "P2" }),
            finding("d", { priority: "P0", kind: "suggestion" })
          ],
          tools: [],
          also_present: []
        }
      }
      yield* sql.withTransaction(recorder.record(recording))
      yield* sql.withTransaction(recorder.record(recording))
      yield* sql.withTransaction(recorder.record({ ...recording, job_id: yield* aCompletedAudit(tenant) }))
      const notices = yield* sql<{ readonly text: string }>`SELECT text FROM notices WHERE user_id = ${workspace_id}`
      assert.deepStrictEqual(
        notices.map(({ text }) => text),
        ["An audit of api@main found 2 new observations of priority P0 or P1."]
      )
    })
  )

  it.effect("keeps every OBS-N when lines are inserted above, a function moves and a file is renamed", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const inserted = repository.commit({ "src/score.js": `// one\n\n// two\n${score}${weight}` })
      yield* audit(tenant, repository, inserted)
      const moved = repository.commit({ "src/score.js": score, "src/weights.js": `${plain}\n${weight}` })
      yield* audit(tenant, repository, moved)
      const renamed = repository.commit({}, { rename: { "src/score.js": "lib/points/score.js" } })
      const { outcome } = yield* audit(tenant, repository, renamed)
      assert.deepStrictEqual(outcome, {
        created: 0,
        seen_again: first.length,
        resurfaced: 0,
        kept_closed: 0,
        expired: 0
      })
      const now = yield* listed(tenant)
      for (const symbol of ["score", "weight"]) assert.strictEqual(named(now, symbol).ref, named(first, symbol).ref)
      assert.strictEqual(named(now, "score").locations?.[0]?.file_path, "lib/points/score.js")
      assert.strictEqual(named(now, "weight").locations?.[0]?.file_path, "src/weights.js")
    })
  )

  it.effect("closes as expired what is no longer there, and reopens the same OBS-N when it comes back", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      yield* audit(tenant, repository, repository.commit({ "src/score.js": score }))
      const closed = yield* listed(tenant, { status: "closed" })
      assert.deepStrictEqual(
        closed.map(({ ref, close_reason }) => [ref, close_reason]),
        [[named(first, "weight").ref, "expired"]]
      )
      yield* audit(tenant, repository, repository.commit({}, { remove: ["src/score.js"] }))
      assert.deepStrictEqual(yield* listed(tenant, { status: "new" }), [])
      const { outcome } = yield* audit(tenant, repository, repository.commit({ "src/score.js": score + weight }))
      assert.strictEqual(outcome.resurfaced, first.length)
      assert.deepStrictEqual(
        (yield* listed(tenant, { status: "new" })).map(({ ref }) => ref),
        first.map(({ ref }) => ref)
      )
    })
  )

  it.effect("leaves open what lies in a file that could not be inspected", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const huge = `${score}${weight}// ${"x".repeat(600_000)}\n`
      const { outcome } = yield* audit(tenant, repository, repository.commit({ "src/score.js": huge }))
      assert.strictEqual(outcome.expired, 0)
      assert.strictEqual((yield* listed(tenant, { status: "new" })).length, first.length)
    })
  )

  it.effect("keeps a sticky dismissal closed, counts the sighting, and reopens the other dismissals", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const observations = yield* Observations
      const [sticky, other] = [named(first, "score"), named(first, "weight")]
      const dismissal_note = "We looked at it together."
      yield* as(tenant)(observations.dismiss(numberOf(sticky.ref), { dismissal_category: "wont_fix", dismissal_note }))
      yield* as(tenant)(observations.dismiss(numberOf(other.ref), { dismissal_category: "stale", dismissal_note }))
      const { outcome } = yield* audit(tenant, repository, repository.git("rev-parse", "HEAD"))
      assert.deepStrictEqual([outcome.kept_closed, outcome.resurfaced], [1, 1])
      const [kept] = yield* listed(tenant, { status: "closed" })
      assert.deepStrictEqual([kept?.ref, kept?.times_seen], [sticky.ref, 2])
      const reopened = yield* as(tenant)(observations.get(numberOf(other.ref)))
      assert.deepStrictEqual(
        [reopened.status, reopened.dismissal_category, reopened.events.at(-1)?.event],
        ["new", null, "resurfaced"]
      )
    })
  )

  it.effect("keeps a sticky dismissal when only the name of the function changed", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const observations = yield* Observations
      const { ref } = named(first, "score")
      const dismissal = { dismissal_category: "wont_fix", dismissal_note: "It is fast enough." } as const
      yield* as(tenant)(observations.dismiss(numberOf(ref), dismissal))
      const renamed = repository.commit({ "src/score.js": repeated("rating", ">") + weight })
      const { outcome } = yield* audit(tenant, repository, renamed)
      assert.deepStrictEqual([outcome.created, outcome.kept_closed, outcome.resurfaced], [0, 1, 0])
      const closed = yield* listed(tenant, { status: "closed" })
      assert.deepStrictEqual(
        closed.map((row) => [row.ref, row.locations?.[0]?.symbol]),
        [[ref, "rating"]]
      )
    })
  )

  it.effect("reopens what was fixed and is found again, unless its fix is newer than the audit's commit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tenant, repository, first } = yield* start
      const { ref, id } = named(first, "score")
      const observations = yield* Observations
      const statusAfterFix = (at: string) =>
        Effect.gen(function* () {
          yield* sql`UPDATE observations SET status = 'closed', close_reason = 'fixed', closed_at = ${at} WHERE id = ${id}`
          yield* audit(tenant, repository, repository.git("rev-parse", "HEAD"))
          return (yield* as(tenant)(observations.get(numberOf(ref)))).status
        })
      // The audits of this test start with the year 2026.
      assert.strictEqual(yield* statusAfterFix("2026-01-01T00:00:01Z"), "closed")
      assert.strictEqual(yield* statusAfterFix("2025-12-31T23:59:59Z"), "new")
    })
  )

  it.effect("reopens what was completed as a regression", () =>
    Effect.gen(function* () {
      const { tenant, repository, first } = yield* start
      const observations = yield* Observations
      const { ref } = named(first, "score")
      yield* as(tenant)(observations.complete(numberOf(ref), { note: "done" }))
      yield* audit(tenant, repository, repository.git("rev-parse", "HEAD"))
      const again = yield* as(tenant)(observations.get(numberOf(ref)))
      assert.strictEqual(again.status, "new")
      assert.match(again.events.at(-1)?.reason ?? "", /^regression/)
    })
  )

  it.effect(
    "that was not asked for suggestions leaves those there are, and is asked where the workspace wants them",
    () =>
      Effect.gen(function* () {
        const { tenant, repository, first } = yield* start
        const sql = yield* SqlClient.SqlClient
        const recorder = yield* ObservationRecorder
        const job = { workspace_id: tenant.caller.workspace_id, repository_id: tenant.repository_id }
        assert.isFalse((yield* recorder.scanInput(job)).suggestions)
        yield* sql`UPDATE workspaces SET features = '{missions,audit_suggestions}' WHERE id = ${tenant.caller.workspace_id}`
        assert.isTrue((yield* recorder.scanInput(job)).suggestions)
        yield* sql`UPDATE observations SET kind = 'suggestion' WHERE symbol = 'score'`
        const { outcome } = yield* audit(tenant, repository, repository.commit({ "src/score.js": plain }))
        assert.strictEqual(outcome.expired, first.length - 1)
        assert.strictEqual(named(yield* listed(tenant), "score").status, "new")
      })
  )
})

/** Columns that an observation has of itself; all others come from the finding and follow it. */
const ownColumns = new Set(
  `id workspace_id repository_id number status close_reason dismissal_category dismissal_note closed_at closed_by
  completion_url completion_note acknowledged_at first_seen_at last_seen_at first_seen_job_id last_seen_job_id times_seen
  fix_attempts has_fix_pr open_fix_pr ticket_url created_at updated_at`.split(/\s+/)
)

/** What a finding is known by from one audit to the next, and what follows from other columns. */
const identity = new Set(["rule_id", "located", "easy_win"])

layer(Recording)("the next finding of an observation", (it) => {
  it.effect("replaces every column that the finding before decided", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const recorder = yield* ObservationRecorder
      const tenant = yield* aTenant()
      const { workspace_id } = tenant.caller
      const { repository_id } = tenant
      const first = aFinding()
      const next: Finding = {
        tool: "another_tool",
        tool_version: 2,
        rule_id: first.rule_id,
        kind: "advisory",
        priority: "P2",
        category: "correctness",
        domain: "reliability",
        confidence: 0.75,
        effort: "large",
        risk: "high",
        cwe: [564],
        title: "Another title",
        description: "Another description.",
        locations: [{ file_path: "b.ts", symbol: "search", line_start: 7, line_end: 9 }],
        steps: [{ file_path: "b.ts", line: 7, note: "`query` runs SQL" }],
        snippet: "another()",
        suggested_change: "A change.",
        suggested_diff: "A diff.",
        identifiers: ["query"],
        signatures: { ...first.signatures, moved: "another" },
        anchor: "another",
        evidence: {
          citation: { checked_at_stage: "verify", line_in_range: true, missing_identifiers: [], path_resolved: true },
          detection_query: { absence_hint: false, match_count: 1, status: "confirmed" }
        }
      }
      const recorded = (finding: Finding) =>
        Effect.gen(function* () {
          const scan = { findings: [finding], tools: [], also_present: [], suggestions: false }
          const job_id = yield* aCompletedAudit(tenant)
          const recording = { workspace_id, repository_id, job_id, commit: "c", scan }
          yield* sql.withTransaction(recorder.record({ ...recording, renames: new Map(), fileStatuses: new Map() }))
          const rows = yield* sql<
            Record<string, unknown>
          >`SELECT * FROM observations WHERE repository_id = ${repository_id}`
          assert.strictEqual(rows.length, 1)
          return rows[0]!
        })
      const before = yield* recorded(first)
      const after = yield* recorded(next)
      const unchanged = Object.keys(after).filter(
        (name) => !ownColumns.has(name) && JSON.stringify(after[name]) === JSON.stringify(before[name])
      )
      assert.deepStrictEqual(
        unchanged.filter((name) => !identity.has(name)),
        []
      )
      assert.deepStrictEqual([after.steps, after.evidence], [next.steps, next.evidence])
    })
  )
})
