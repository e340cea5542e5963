import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Ref, TestClock } from "effect"
import { closed } from "../../../src/schema/closed.ts"
import { ObservationRef } from "../../../src/schema/Observation.ts"
import { optional, text } from "../../../src/schema/Text.ts"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { FixPrs } from "../../../src/services/fixes/FixPrs.ts"
import { FixPrWatch } from "../../../src/services/fixes/FixPrWatch.ts"
import { FixWithdrawals } from "../../../src/services/fixes/FixWithdrawals.ts"
import { PullRequestHost } from "../../../src/services/fixes/PullRequestHost.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { Submissions } from "../../../src/services/jobs/Submissions.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import type { PullRequestKey, PullRequestState } from "../../../src/services/ports/PullRequest.ts"
import { CodeHostError } from "../../../src/services/ports/Remote.ts"
import { loggedIn } from "../../support/auditLog.ts"
import { as, aTenant, aWorkflow, ended, type Tenant } from "../../support/jobs.ts"
import { anOpenFinding, numberOf, observationsIn, servicesWith } from "../../support/services.ts"

const aFix = {
  ...aWorkflow("fix"),
  params: closed({ ref: ObservationRef, instructions: optional(text(1, 4000), "What to change.") })
}

const open: PullRequestState = { state: "open", head_commit: "decade", merge_commit: null, conflicted: false }
const merged: PullRequestState = { ...open, state: "merged", merge_commit: "facade" }
const closedUnmerged: PullRequestState = { ...open, state: "closed", head_commit: null, conflicted: null }

type Answer = Effect.Effect<PullRequestState, CodeHostError>

/** What the code host reports about each pull request, by remote and branch, and what it was asked. */
class Host extends Effect.Service<Host>()("test/Host", {
  effect: Effect.gen(function* () {
    const answers = new Map<string, Answer>()
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const closes = yield* Ref.make<ReadonlyArray<string>>([])
    const keyOf = ({ remote, head }: PullRequestKey) => `${remote.url} ${head}`
    return { answers, asked, closes, keyOf, closing: yield* Ref.make<Effect.Effect<void, CodeHostError>>(Effect.void) }
  })
}) {}

const host = Layer.unwrapEffect(
  Effect.map(Host, ({ answers, asked, closes, closing, keyOf }) =>
    Layer.mock(CodeHost, {
      pullRequest: (request) =>
        Effect.zipRight(
          Ref.update(asked, (all) => [...all, keyOf(request)]),
          Effect.suspend(() => answers.get(keyOf(request)) ?? Effect.succeed(open))
        ),
      closePullRequest: (request) =>
        Effect.zipRight(
          Ref.update(closes, (all) => [...all, keyOf(request)]),
          Effect.flatten(Ref.get(closing))
        )
    })
  )
)

const Lane = Layer.mergeAll(FixPrWatch.Default, FixWithdrawals.Default).pipe(
  Layer.provideMerge(PullRequestHost.Default),
  Layer.provide(host),
  Layer.provideMerge(Host.Default),
  Layer.provideMerge(servicesWith(aFix))
)

/** A tenant whose remote no other test has. */
const aRemote = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenant = yield* aTenant()
    yield* sql`UPDATE repositories SET clone_url = ${url} WHERE id = ${tenant.repository_id}`
    return { tenant, url }
  })

/** An observation with an open pull request, and how the host knows it. */
const anOpenPr = (tenant: Tenant, url: string, ref: string) =>
  Effect.gen(function* () {
    const [fixes, prs] = [yield* Fixes, yield* FixPrs]
    const { attempt_id, job_id } = yield* as(tenant)(fixes.submit(numberOf(ref), {}))
    const branch = `assay/fix-obs-${numberOf(ref)}`
    const key = { workspace_id: tenant.caller.workspace_id, id: attempt_id }
    yield* prs.opened(key, { pr_url: `${url}/pull/1`, pr_number: 1, branch })
    yield* ended(job_id, "completed")
    return { ref, key, job_id, at: `${url} ${branch}` }
  })

const reports = (at: string, answer: PullRequestState | CodeHostError) =>
  Effect.map(Host, ({ answers }) => answers.set(at, answer instanceof CodeHostError ? answer : Effect.succeed(answer)))

const detail = (tenant: Tenant, ref: string) =>
  as(tenant)(Effect.flatMap(Fixes, (fixes) => fixes.detail(numberOf(ref))))

const shortly = (tenant: Tenant, ref: string) =>
  Effect.map(detail(tenant, ref), ({ status, close_reason, attempts }) => [
    status,
    close_reason,
    attempts.at(-1)?.outcome,
    attempts.at(-1)?.status
  ])

const look = (tenant: Tenant) =>
  Effect.flatMap(FixPrWatch, (watch) =>
    watch.look({ workspace_id: tenant.caller.workspace_id, repository_id: tenant.repository_id })
  )

const tick = Effect.flatMap(FixPrWatch, (watch) => watch.tick())

layer(Lane)("the watch of fix pull requests", (it) => {
  it.effect("closes what was merged as fixed, brings back what was closed, and follows conflicts", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://one.example.org/acme/api")
      const refs = yield* observationsIn(tenant, [{}, {}, {}, {}])
      const [a, b, c, d] = yield* Effect.forEach(refs, (ref) => anOpenPr(tenant, url, ref))
      yield* reports(a!.at, merged)
      yield* reports(b!.at, closedUnmerged)
      yield* reports(c!.at, { ...open, conflicted: true })
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, a!.ref), ["closed", "fixed", "pr_merged", "merged"])
      assert.deepStrictEqual(yield* shortly(tenant, b!.ref), ["new", null, "pr_rejected", "closed"])
      assert.deepStrictEqual(yield* shortly(tenant, c!.ref), ["new", null, "started", "needs_attention"])
      assert.deepStrictEqual(yield* shortly(tenant, d!.ref), ["new", null, "started", "in_review"])
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT merge_commit FROM fix_attempts WHERE id = ${a!.key.id}`, [
        { merge_commit: "facade" }
      ])
      yield* reports(c!.at, open)
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, c!.ref), ["new", null, "started", "in_review"])
    })
  )

  it.effect("takes up again what was reopened within a day", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://two.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      yield* reports(pr.at, closedUnmerged)
      yield* look(tenant)
      yield* reports(pr.at, open)
      yield* TestClock.adjust("11 minutes")
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "in_review"])
      yield* reports(pr.at, closedUnmerged)
      yield* look(tenant)
      yield* reports(pr.at, merged)
      yield* TestClock.adjust("11 minutes")
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["closed", "fixed", "pr_merged", "merged"])
    })
  )

  it.effect("asks for each once a minute, and a host that fails holds up no other", () =>
    Effect.gen(function* () {
      const { asked } = yield* Host
      const failing = yield* aRemote("https://down.example.org/acme/api")
      const working = yield* aRemote("https://up.example.org/acme/api")
      const down = yield* Effect.forEach(yield* observationsIn(failing.tenant, [{}, {}, {}]), (ref) =>
        anOpenPr(failing.tenant, failing.url, ref)
      )
      const up = yield* anOpenPr(working.tenant, working.url, yield* anOpenFinding(working.tenant))
      for (const { at } of down)
        yield* reports(at, new CodeHostError({ reason: "unreachable", message: "It is down." }))
      yield* reports(up.at, merged)
      yield* TestClock.adjust("1 minute")
      yield* Ref.set(asked, [])
      yield* tick
      const first = yield* Ref.get(asked)
      assert.strictEqual(first.filter((at) => at.includes("down.")).length, 1)
      assert.deepStrictEqual(yield* shortly(working.tenant, up.ref), ["closed", "fixed", "pr_merged", "merged"])
      yield* tick
      assert.strictEqual((yield* Ref.get(asked)).length, first.length)
      for (const { at } of down) yield* reports(at, closedUnmerged)
      yield* TestClock.adjust("1 minute")
      yield* tick
      for (const { ref } of down) {
        assert.deepStrictEqual(yield* shortly(failing.tenant, ref), ["new", null, "pr_rejected", "closed"])
      }
    })
  )

  it.effect("gives up a pull request that the host has not known for a week", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://lost.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      yield* reports(pr.at, new CodeHostError({ reason: "not_found", message: "No such pull request." }))
      yield* look(tenant)
      yield* TestClock.adjust("6 days")
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "in_review"])
      yield* TestClock.adjust("2 days")
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "failed", "abandoned"])
    })
  )
})

const withdraw = (tenant: Tenant, ref: string) =>
  as(tenant)(Effect.flatMap(FixWithdrawals, (withdrawals) => withdrawals.withdraw(numberOf(ref))))

const rejected = <A, E extends { readonly spec: { readonly status: number; readonly code: string } }, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(effect), ({ spec }) => [spec.status, spec.code])

layer(Lane)("the withdrawal of a fix pull request", (it) => {
  it.effect("closes it at the code host, is no try, and leaves one record; a second one is rejected", () =>
    Effect.gen(function* () {
      const { closes } = yield* Host
      const { tenant, url } = yield* aRemote("https://three.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      const before = yield* loggedIn(tenant.caller.workspace_id)
      const observation = yield* withdraw(tenant, pr.ref)
      assert.deepStrictEqual([observation.ref, observation.status, observation.fix_attempts], [pr.ref, "new", 0])
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "withdrawn", "closed"])
      assert.isTrue((yield* Ref.get(closes)).includes(pr.at))
      assert.deepStrictEqual(yield* rejected(withdraw(tenant, pr.ref)), [409, "no_open_fix_pr"])
      const added = (yield* loggedIn(tenant.caller.workspace_id)).slice(before.length)
      assert.deepStrictEqual(
        added.map(({ object_ref, after }) => [object_ref, after]),
        [[pr.ref, { fix_pr: "withdrawn" }]]
      )
      const { events } = yield* detail(tenant, pr.ref)
      assert.deepStrictEqual([events.at(-1)?.event, events.at(-1)?.actor.label], ["fix_pr_withdrawn", "ci"])
      yield* as(tenant)(Effect.flatMap(Fixes, (fixes) => fixes.submit(numberOf(pr.ref), {})))
    })
  )

  it.effect("of one that was merged meanwhile is rejected, and the merge counts", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://four.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      yield* reports(pr.at, merged)
      assert.deepStrictEqual(yield* rejected(withdraw(tenant, pr.ref)), [409, "no_open_fix_pr"])
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["closed", "fixed", "pr_merged", "merged"])
    })
  )

  it.effect("that the code host does not carry out is 503, and the pull request stays as it was", () =>
    Effect.gen(function* () {
      const { closing } = yield* Host
      const { tenant, url } = yield* aRemote("https://five.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      yield* Ref.set(closing, new CodeHostError({ reason: "unreachable", message: "It is down." }))
      assert.deepStrictEqual(yield* rejected(withdraw(tenant, pr.ref)), [503, "repo_unverified"])
      yield* Ref.set(closing, Effect.void)
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "in_review"])
    })
  )

  it.effect("that was interrupted before the code host was asked is finished by the watch, as the person's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { closes } = yield* Host
      const { tenant, url } = yield* aRemote("https://six.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      yield* sql`UPDATE fix_attempts SET withdrawn_by = ${JSON.stringify(tenant.caller.actor)}::jsonb WHERE id = ${pr.key.id}`
      yield* look(tenant)
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "withdrawn", "closed"])
      assert.isTrue((yield* Ref.get(closes)).includes(pr.at))
      assert.strictEqual((yield* detail(tenant, pr.ref)).events.at(-1)?.actor.label, "ci")
    })
  )

  it.effect("cancels the revision that is under way", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://seven.example.org/acme/api")
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      const fixes = yield* Fixes
      const { job_id } = yield* as(tenant)(fixes.revise(numberOf(pr.ref), "Keep the old name."))
      yield* withdraw(tenant, pr.ref)
      const job = yield* as(tenant)(Effect.flatMap(Jobs, (jobs) => jobs.get(job_id)))
      assert.strictEqual(job.status, "cancelled")
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "withdrawn", "closed"])
    })
  )

  it.effect("and a merge at the same time end in one of both, never in two", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://eight.example.org/acme/api")
      const prs = yield* FixPrs
      for (const ref of yield* observationsIn(
        tenant,
        Array.from({ length: 6 }, () => ({}))
      )) {
        const pr = yield* anOpenPr(tenant, url, ref)
        const [taken, landed] = yield* Effect.all(
          [Effect.either(withdraw(tenant, ref)), prs.merged(pr.key, { merge_commit: "facade" })],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(taken._tag === "Right", !landed)
        const [status, , outcome] = yield* shortly(tenant, ref)
        assert.deepStrictEqual([status, outcome], landed ? ["closed", "pr_merged"] : ["new", "withdrawn"])
      }
    })
  )
})

layer(Lane)("the revision of a fix pull request", (it) => {
  it.effect("that fails leaves it open for people, one that is cancelled returns it to review", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://nine.example.org/acme/api")
      const [fixes, prs, submissions, jobs] = [yield* Fixes, yield* FixPrs, yield* Submissions, yield* Jobs]
      const pr = yield* anOpenPr(tenant, url, yield* anOpenFinding(tenant))
      const number = numberOf(pr.ref)
      const revise = as(tenant)(fixes.revise(number, "Keep the old name."))
      const first = yield* revise
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "revising"])
      assert.deepStrictEqual(yield* rejected(revise), [409, "no_open_fix_pr"])
      yield* ended(first.job_id, "failed")
      const failed = (yield* detail(tenant, pr.ref)).attempts[0]
      assert.deepStrictEqual(
        [failed?.outcome, failed?.status, failed?.last_failure_reason, failed?.job_ids],
        ["started", "needs_attention", "Too slow.", [pr.job_id, first.job_id]]
      )
      // Run again it is the same revision.
      const { job } = yield* as(tenant)(submissions.retry(first.job_id))
      const begun = yield* prs.begin({ id: job.id, workspace_id: tenant.caller.workspace_id, number })
      assert.deepInclude(begun, { _tag: "Some" })
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "revising"])
      yield* as(tenant)(jobs.cancel(job.id))
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "in_review"])
      assert.strictEqual((yield* detail(tenant, pr.ref)).fix_attempts, 1)

      const last = yield* revise
      const proposal = { base_commit: "c0ffee", head_commit: "beaded", diff: "-one\n+two\n", runner: "agent" }
      assert.isTrue(yield* prs.revised(pr.key, proposal))
      yield* ended(last.job_id, "completed")
      assert.deepStrictEqual(yield* shortly(tenant, pr.ref), ["new", null, "started", "in_review"])
      assert.strictEqual((yield* as(tenant)(fixes.diff(number))).head_commit, "beaded")
      assert.strictEqual((yield* as(tenant)(jobs.get(last.job_id))).pr_url, `${url}/pull/1`)
    })
  )

  it.effect("a cancel and the opening of the pull request at the same time leave one of both", () =>
    Effect.gen(function* () {
      const { tenant, url } = yield* aRemote("https://ten.example.org/acme/api")
      const [fixes, prs, jobs] = [yield* Fixes, yield* FixPrs, yield* Jobs]
      for (const ref of yield* observationsIn(
        tenant,
        Array.from({ length: 6 }, () => ({}))
      )) {
        const { attempt_id, job_id } = yield* as(tenant)(fixes.submit(numberOf(ref), {}))
        const key = { workspace_id: tenant.caller.workspace_id, id: attempt_id }
        const [, opened] = yield* Effect.all(
          [as(tenant)(jobs.cancel(job_id)), prs.opened(key, { pr_url: url, pr_number: null, branch: "fix" })],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          (yield* shortly(tenant, ref)).slice(2),
          opened ? ["started", "in_review"] : ["cancelled", null]
        )
      }
    })
  )
})
