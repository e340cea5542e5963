import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, FastCheck, Ref, Schema } from "effect"
import { ObservationsPage } from "../../../src/http/ObservationsApi.ts"
import { ObservationId } from "../../../src/schema/Ids.ts"
import {
  Category,
  CloseReason,
  Domain,
  Effort,
  Kind,
  type Observation,
  type ObservationsQuery,
  order as orders,
  Priority,
  Risk
} from "../../../src/schema/Observation.ts"
import { Cursors } from "../../../src/services/access/Cursors.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { as, aTenant, type Tenant } from "../../support/jobs.ts"
import { type ObservationFields, observationsIn, servicesWith } from "../../support/services.ts"

// The word lists are small on purpose: random filters should meet random rows.
const wordsOf = <A extends string>(schema: Schema.Schema<A>) => Arbitrary.make(schema)

const instants = FastCheck.integer({ min: 0, max: 50 }).map((n) =>
  new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString()
)

// One of the engine's own, and two that only an earlier engine knew.
const tools = ["secret_detection", "old_tool", "older_tool"]
const rules = ["secret_detection.hardcoded_password", "old_tool.rule", "older_tool.rule"]

const paths = ["src/a.ts", "src/a/b.ts", "src/ab.ts", "lib/a.ts"]
const folders = ["src", "src/a", "./src/a/", "src/a.ts", "lib", "."]

const rowArbitrary: FastCheck.Arbitrary<ObservationFields & { readonly elsewhere: boolean }> = FastCheck.record({
  kind: wordsOf(Kind),
  priority: wordsOf(Priority),
  category: wordsOf(Category),
  domain: wordsOf(Domain),
  effort: wordsOf(Effort),
  risk: wordsOf(Risk),
  confidence: FastCheck.constantFrom(0, 0.1, 0.30000000000000004, 0.5, 1 / 3, 1),
  close_reason: FastCheck.option(wordsOf(CloseReason), { nil: null }),
  closed_at: instants,
  updated_at: instants,
  fix_attempts: FastCheck.integer({ min: 0, max: 4 }),
  tool: FastCheck.constantFrom(...tools),
  rule_id: FastCheck.constantFrom(...rules),
  first_seen_at: instants,
  file_path: FastCheck.constantFrom(...paths),
  elsewhere: FastCheck.boolean()
}).map((row) => ({ ...row, closed_at: row.close_reason === null ? null : row.closed_at }))

const optional = <A>(arbitrary: FastCheck.Arbitrary<A>) =>
  FastCheck.oneof({ weight: 3, arbitrary: FastCheck.constant(undefined) }, { weight: 1, arbitrary })

/** One or several of the words. */
const some = <A extends string>(words: ReadonlyArray<A>) => FastCheck.subarray([...words], { minLength: 1 })

type Query = { -readonly [K in keyof ObservationsQuery]?: ObservationsQuery[K] | undefined }

const queryArbitrary: FastCheck.Arbitrary<Query> = FastCheck.record({
  kind: optional(some(Kind.literals)),
  status: optional(FastCheck.constantFrom("new", "closed")),
  priority: optional(some(Priority.literals)),
  category: optional(some(Category.literals)),
  domain: optional(some(Domain.literals)),
  close_reason: optional(wordsOf(CloseReason)),
  tool: optional(some(tools)),
  rule: optional(some(rules)),
  path: optional(FastCheck.constantFrom(...folders)),
  first_seen_since: optional(instants),
  first_seen_until: optional(instants),
  repo: optional(FastCheck.constantFrom("api@main", "acme/api@main", "web@feat/one", "acme/web@feat/one")),
  since: optional(instants),
  has_fix_pr: optional(FastCheck.boolean()),
  easy_wins: optional(FastCheck.boolean()),
  needs_review: optional(FastCheck.boolean()),
  order: optional(FastCheck.constantFrom(...orders)),
  include: optional(FastCheck.constant("locations"))
})

const defined = (query: Query) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as ObservationsQuery

type Row = Observation & { readonly open_fix_pr: boolean; readonly in_flight: boolean }

const isEasyWin = (row: Row) =>
  row.status === "new" && row.kind === "finding" && row.priority <= "P1" && row.effort === "small" && row.risk === "low"

const isBelow = (path: string, folder: string) => {
  const root = folder.replace(/^\.\/?/, "").replace(/\/$/, "")
  return root === "" || path === root || path.startsWith(`${root}/`)
}

/** What the contract says of each filter, over rows in memory. */
const passes = (query: ObservationsQuery) => (row: Row) =>
  [
    query.kind === undefined || query.kind.includes(row.kind),
    query.status === undefined || row.status === query.status,
    query.status !== "new" || !row.open_fix_pr,
    query.priority === undefined || query.priority.includes(row.priority),
    query.category === undefined || query.category.includes(row.category),
    query.domain === undefined || query.domain.includes(row.domain),
    query.close_reason === undefined || row.close_reason === query.close_reason,
    query.tool === undefined || query.tool.includes(row.tool),
    query.rule === undefined || query.rule.includes(row.rule_id),
    query.path === undefined || isBelow(row.locations?.[0]?.file_path ?? "", query.path),
    query.first_seen_since === undefined || row.first_seen_at >= query.first_seen_since,
    query.first_seen_until === undefined || row.first_seen_at < query.first_seen_until,
    query.repo === undefined || query.repo.endsWith(row.repo_name),
    query.since === undefined || row.updated_at > query.since,
    query.has_fix_pr === undefined || row.has_fix_pr === query.has_fix_pr,
    query.easy_wins !== true || isEasyWin(row),
    query.needs_review !== true || (row.kind === "finding" && row.fix_attempts >= 3 && !row.in_flight)
  ].every(Boolean)

const numberOf = (row: Row) => Number(row.ref.slice("OBS-".length))

const byRank = (a: Row, b: Row) =>
  a.priority.localeCompare(b.priority) ||
  b.confidence - a.confidence ||
  Number(isEasyWin(b)) - Number(isEasyWin(a)) ||
  numberOf(b) - numberOf(a)

const comparisons = {
  recency: (a: Row, b: Row) => numberOf(b) - numberOf(a),
  display_rank: byRank,
  resolved: (a: Row, b: Row) => (b.closed_at ?? "").localeCompare(a.closed_at ?? "") || numberOf(b) - numberOf(a)
}

const list = (tenant: Tenant, query: ObservationsQuery) =>
  Effect.flatMap(Observations, (observations) => observations.list(query)).pipe(as(tenant))

const page = Schema.decodeUnknown(Schema.parseJson(ObservationsPage), { onExcessProperty: "error" })

/** The page that the database prints is the schema's, with nothing that the schema does not have. */
const printedList = (tenant: Tenant, query: ObservationsQuery) =>
  Effect.flatMap(Observations, (observations) => observations.printedList(query)).pipe(
    as(tenant),
    Effect.flatMap((text) => Effect.orDie(page(text)))
  )

/** Every ref of a list, page by page; `between` runs before each next page. */
const walk = <E, R>(tenant: Tenant, query: ObservationsQuery, between: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const refs: Array<string> = []
    let cursor: string | null = null
    do {
      const page: Effect.Effect.Success<ReturnType<typeof list>> = yield* list(tenant, {
        ...query,
        ...(cursor === null ? {} : { cursor })
      })
      assert.strictEqual(page.has_more, page.next_cursor !== null)
      refs.push(...page.data.map(({ ref }) => ref))
      cursor = page.next_cursor
      yield* between
    } while (cursor !== null)
    return refs
  })

const aSecondRepository = (tenant: Tenant) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const id = yield* newId(ObservationId)
    yield* sql`INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode,
        clone_url, created_at)
      VALUES (${id}, ${tenant.caller.workspace_id}, 'acme', 'web', 'feat/one', 'anonymous', 'x', '2026-01-01T00:00:00Z')`
    return id
  }).pipe(Effect.orDie)

/** Attempts at fixes of every third observation, in every state they can be in. */
const someAttempts = (tenant: Tenant) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, outcome, pr_status, pr_url, started_at,
        updated_at, finished_at)
      SELECT gen_random_uuid(), workspace_id, repository_id, o.id, outcome, pr_status,
        CASE WHEN pr_status IS NULL THEN NULL ELSE 'https://example.org/pr' END, created_at, created_at,
        CASE WHEN outcome = 'started' THEN NULL ELSE created_at END
      FROM observations o JOIN (VALUES (0, 'started', NULL), (1, 'started', 'in_review'), (2, 'started', 'needs_attention'),
          (3, 'pr_rejected', 'closed'), (4, 'failed', NULL), (5, 'withdrawn', 'closed'), (6, 'pr_merged', 'merged'))
        AS s (n, outcome, pr_status) ON o.number % 21 = s.n * 3
      WHERE workspace_id = ${tenant.caller.workspace_id}`
  ).pipe(
    // Seen by the triggers; the counts they wrote are then made random, as the rows are.
    Effect.zipRight(
      Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`UPDATE observations SET fix_attempts = number % 5
          WHERE workspace_id = ${tenant.caller.workspace_id}`
      )
    ),
    Effect.orDie
  )

const memory = (tenant: Tenant) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const flags = yield* Effect.orDie(
      sql<{ readonly ref: string; readonly open_fix_pr: boolean; readonly in_flight: boolean }>`
        SELECT 'OBS-' || number AS ref, open_fix_pr, EXISTS (SELECT FROM fix_attempts a
          WHERE a.observation_id = o.id AND a.outcome = 'started') AS in_flight
        FROM observations o WHERE workspace_id = ${tenant.caller.workspace_id}`
    )
    const byRef = new Map(flags.map((row) => [row.ref, row]))
    const { data } = yield* list(tenant, { limit: 1000, include: "locations" })
    return data.map((row): Row => ({ ...row, ...byRef.get(row.ref)! }))
  })

const aFullTenant = Effect.gen(function* () {
  const tenant = yield* aTenant()
  const other = yield* aSecondRepository(tenant)
  const rows = FastCheck.sample(rowArbitrary, { numRuns: 400, seed: 20 })
  yield* observationsIn(
    tenant,
    rows.map(({ elsewhere, ...row }) => (elsewhere ? { ...row, repository_id: other } : row))
  )
  yield* someAttempts(tenant)
  return tenant
})

layer(servicesWith())("the list of observations", (it) => {
  it.effect("is printed by the database as the schema encodes it, page by page", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const sql = yield* SqlClient.SqlClient
      // What JSON escapes, and text that is no ASCII.
      yield* sql`UPDATE observations SET title = ${'a "quoted" \\ title\n\t\u0001 </script> \u2028 \ud83d\ude00'},
        snippet = ${"x\u007f"}, dismissal_note = ${"ö"} WHERE workspace_id = ${tenant.caller.workspace_id} AND number % 7 = 0`
      for (const query of FastCheck.sample(queryArbitrary, { numRuns: 20, seed: 22 }).map(defined)) {
        for (const limit of [3, 400]) {
          const request = { ...query, limit }
          const { next_cursor, data, has_more } = yield* list(tenant, request)
          const text = yield* printedList(tenant, request)
          const rows = data.map(({ sort_key: _, ...row }: Record<string, unknown>) => row)
          assert.deepStrictEqual({ data: text.data, has_more: text.has_more }, { data: rows as never, has_more })
          if (next_cursor === null) assert.isNull(text.next_cursor)
          else
            assert.deepStrictEqual(
              (yield* printedList(tenant, { ...request, cursor: text.next_cursor! })).data.map(({ ref }) => ref),
              (yield* list(tenant, { ...request, cursor: next_cursor })).data.map(({ ref }) => ref)
            )
        }
      }
    })
  )

  it.effect("answers what each filter says, in the order asked for, over random rows and queries", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const rows = yield* memory(tenant)
      assert.strictEqual(rows.length, 400)
      let met = 0
      for (const query of FastCheck.sample(queryArbitrary, { numRuns: 400, seed: 21 }).map(defined)) {
        const expected = rows
          .filter(passes(query))
          .sort(comparisons[query.order ?? "recency"])
          .map(({ ref }) => ref)
        const { data } = yield* list(tenant, { ...query, limit: 1000 })
        assert.deepStrictEqual(
          data.map(({ ref }) => ref),
          expected,
          JSON.stringify(query)
        )
        for (const row of data) assert.strictEqual(row.locations !== undefined, query.include === "locations")
        if (expected.length > 0) met++
      }
      assert.isAbove(met, 100)
    })
  )

  it.effect("answers each filter alone, each meeting some rows and not all", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const rows = yield* memory(tenant)
      const alone: ReadonlyArray<ObservationsQuery> = [
        ...Kind.literals.map((kind) => ({ kind: [kind] })),
        { status: "new" },
        { status: "closed" },
        ...Priority.literals.map((priority) => ({ priority: [priority] })),
        ...Category.literals.map((category) => ({ category: [category] })),
        ...Domain.literals.map((domain) => ({ domain: [domain] })),
        ...tools.map((tool) => ({ tool: [tool] })),
        ...rules.map((rule) => ({ rule: [rule] })),
        ...folders.filter((path) => path !== ".").map((path) => ({ path })),
        { first_seen_since: "2026-01-01T00:00:25.000Z" },
        { first_seen_until: "2026-01-01T00:00:25.000Z" },
        { kind: ["finding", "advisory"], priority: ["P0", "P1"] },
        ...CloseReason.literals.map((close_reason) => ({ close_reason })),
        { repo: "web@feat/one" },
        { since: "2026-01-01T00:00:25.000Z" },
        { has_fix_pr: true },
        { has_fix_pr: false },
        { easy_wins: true },
        { needs_review: true }
      ]
      for (const query of alone) {
        const expected = rows.filter(passes(query)).sort(comparisons[query.order ?? "recency"])
        const { data } = yield* list(tenant, { ...query, limit: 1000 })
        assert.deepStrictEqual(
          data.map(({ ref }) => ref),
          expected.map(({ ref }) => ref),
          JSON.stringify(query)
        )
        assert.isAbove(data.length, 0, JSON.stringify(query))
        assert.isBelow(data.length, 400, JSON.stringify(query))
      }
    })
  )

  it.effect("rejects a tool or a rule that neither the engine nor an observation of the workspace knows", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aFullTenant, yield* aTenant()]
      const outcome = (who: Tenant, query: ObservationsQuery) =>
        Effect.map(Effect.either(list(who, query)), (found) =>
          found._tag === "Left" ? `${found.left._tag}: ${found.left.message}` : found.right.data.length > 0
        )
      const hint = "the facets of observations list those that have any"
      assert.isTrue(yield* outcome(tenant, { tool: ["old_tool"], rule: ["old_tool.rule"] }))
      assert.isFalse(yield* outcome(stranger, { tool: ["secret_detection"], rule: [rules[0]!] }))
      const noTool = `InvalidPayload: tool: there is no tool old_tool; ${hint}`
      assert.strictEqual(yield* outcome(stranger, { tool: ["secret_detection", "old_tool"] }), noTool)
      const noRule = `InvalidPayload: rule: there is no rule secret_detection.none; ${hint}`
      assert.strictEqual(yield* outcome(tenant, { rule: [rules[0]!, "secret_detection.none"] }), noRule)
    })
  )

  it.effect("orders by resolution without leaving out what is open: that comes last, newest first", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const [{ data: all }, { data: resolved }] = yield* Effect.all([
        list(tenant, { limit: 1000 }),
        list(tenant, { limit: 1000, order: "resolved" })
      ])
      assert.sameMembers(
        resolved.map(({ ref }) => ref),
        all.map(({ ref }) => ref)
      )
      const firstOpen = resolved.findIndex(({ status }) => status === "new")
      assert.isAbove(firstOpen, 0)
      assert.deepStrictEqual(
        resolved.slice(firstOpen).map(({ ref }) => ref),
        all.filter(({ status }) => status === "new").map(({ ref }) => ref)
      )
    })
  )

  for (const order of orders) {
    it.effect(`in order of ${order} is walked exactly once while rows are inserted`, () =>
      Effect.gen(function* () {
        const tenant = yield* aFullTenant
        const queries: ReadonlyArray<ObservationsQuery> = [
          { order },
          { order, status: "new" },
          { order, status: "closed", include: "locations" }
        ]
        for (const query of queries) {
          const before = (yield* memory(tenant)).filter(passes(query)).map(({ ref }) => ref)
          const seed = yield* Ref.make(30)
          // Five more before each next page: some sort before the cursor, some behind it.
          const insertMore = Effect.gen(function* () {
            const rows = FastCheck.sample(rowArbitrary, {
              numRuns: 5,
              seed: yield* Ref.getAndUpdate(seed, (n) => n + 1)
            })
            yield* observationsIn(
              tenant,
              rows.map(({ elsewhere: _, ...row }) => row)
            )
          })
          const seen = yield* walk(tenant, { ...query, limit: 37 }, insertMore)
          assert.strictEqual(new Set(seen).size, seen.length)
          assert.includeMembers(seen, before)
          const after = (yield* memory(tenant)).filter(passes(query)).sort(comparisons[order])
          const known = new Set(seen)
          assert.deepStrictEqual(
            seen,
            after.map(({ ref }) => ref).filter((ref) => known.has(ref))
          )
        }
      })
    )
  }

  it.effect("binds a cursor to its filters, its order and its workspace, but not to its size or what it includes", () =>
    Effect.gen(function* () {
      const [tenant, stranger] = [yield* aFullTenant, yield* aTenant()]
      const { next_cursor } = yield* list(tenant, { kind: ["finding"], limit: 10 })
      const cursor = next_cursor!
      const outcome = (who: Tenant, query: ObservationsQuery) =>
        Effect.map(Effect.either(list(who, { ...query, cursor })), (found) =>
          found._tag === "Left" ? found.left._tag : "page"
        )
      assert.strictEqual(yield* outcome(tenant, { kind: ["finding"], limit: 3 }), "page")
      assert.strictEqual(yield* outcome(tenant, { kind: ["finding"], include: "locations" }), "page")
      assert.strictEqual(yield* outcome(tenant, {}), "InvalidCursor")
      assert.strictEqual(yield* outcome(tenant, { kind: ["advisory"] }), "InvalidCursor")
      assert.strictEqual(yield* outcome(tenant, { kind: ["finding"], order: "display_rank" }), "InvalidCursor")
      assert.strictEqual(yield* outcome(tenant, { kind: ["finding"], status: "new" }), "InvalidCursor")
      assert.strictEqual(yield* outcome(stranger, { kind: ["finding"] }), "InvalidCursor")
    })
  )

  it.effect("shows nothing of a deleted repository", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const sql = yield* SqlClient.SqlClient
      const at = DateTime.formatIso(yield* DateTime.now)
      yield* sql`UPDATE repositories SET deleted_at = ${at} WHERE id = ${tenant.repository_id}`
      const { data } = yield* list(tenant, { limit: 1000 })
      assert.isNotEmpty(data)
      assert.deepStrictEqual(
        data.filter(({ repo_name }) => repo_name !== "web@feat/one"),
        []
      )
      assert.strictEqual((yield* Effect.flip(list(tenant, { repo: "api@main" })))._tag, "RepositoryNotFound")
    })
  )

  it.effect("has cursors that a single changed character spoils", () =>
    Effect.gen(function* () {
      const tenant = yield* aFullTenant
      const cursors = yield* Cursors
      const { next_cursor } = yield* list(tenant, { limit: 10 })
      const cursor = next_cursor!
      for (const at of FastCheck.sample(FastCheck.nat(cursor.length - 2), { numRuns: 50, seed: 3 })) {
        const spoilt = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1)
        const rejection = yield* Effect.flip(as(tenant)(cursors.open("observations", {}, spoilt)))
        assert.strictEqual(rejection._tag, "InvalidCursor", spoilt)
      }
    })
  )
})
