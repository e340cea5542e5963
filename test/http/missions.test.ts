import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import {
  aKey,
  aKeyWithout,
  aMember,
  anObservation,
  aRegisteredRepository,
  aWorkspace,
  type Person,
  withFeatures
} from "../support/builders.ts"
import { aMission, fixableRule, missionIn } from "../support/missions.ts"
import { noticesOf } from "../support/notices.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, errorOf, jsonOf, outcome, send } from "../support/wire.ts"

interface Shown {
  readonly ref: string
  readonly number: number
  readonly status: string
  readonly budget_usd: number
  readonly plan_version: number
  readonly waiting: { readonly kind: string; readonly message: string } | null
  readonly sent_back: { readonly reason: string } | null
  readonly left_out: ReadonlyArray<{ readonly ref: string; readonly reason: string }>
  readonly steps: ReadonlyArray<{
    readonly id: string
    readonly title: string
    readonly status: string
    readonly observations: ReadonlyArray<string>
  }>
  readonly etag: string
}

const shown = (call: Call) => Effect.map(send(call), (answer) => jsonOf(answer) as unknown as Shown)

/** A workspace with the feature, a repository and open findings that a fixer can fix. */
const aPlace = (count: number) =>
  Effect.gen(function* () {
    const owner = yield* aWorkspace()
    yield* withFeatures(owner)
    const repository = yield* aRegisteredRepository(owner)
    const refs = yield* Effect.forEach(Array.from({ length: count }), () =>
      anObservation(owner, repository, { rule_id: fixableRule })
    )
    return { owner, repository, refs }
  })

const mailsOf = ({ workspace_id }: Person) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql<{ readonly to: string; readonly subject: string; readonly text: string }>`
      SELECT "to", subject, text FROM outbox_mails WHERE workspace_id = ${workspace_id} ORDER BY created_at, id`
  }).pipe(Effect.orDie)

const post = (owner: Person, path: string, json: object = {}) => ({
  method: "POST",
  path: `/api/missions${path}`,
  as: owner.session,
  ...(Object.keys(json).length === 0 ? {} : { json })
})

const statusAfter = (owner: Person, path: string, json?: object) =>
  Effect.map(send(post(owner, path, json)), (answer) =>
    answer.status === 200 ? (jsonOf(answer) as unknown as Shown).status : `${answer.status} ${errorOf(answer).code}`
  )

layer(TestApp)("a mission", (it) => {
  it.effect("has a plan that waits for a person before anything begins", () =>
    Effect.gen(function* () {
      const { owner, repository, refs } = yield* aPlace(1)
      const { api_key } = yield* aKey(owner)
      const closed = yield* anObservation(owner, repository, { rule_id: fixableRule, closed: true })
      const unfixable = yield* anObservation(owner, repository)
      const json = {
        repository: "api@main",
        title: "No outdated TLS",
        goal: { refs: [refs[0], closed, unfixable, "OBS-999"] },
        budget_usd: 5
      }
      const created = yield* send({ path: "/api/missions", as: api_key, json })
      assert.strictEqual(created.status, 201, created.text)
      const mission = jsonOf(created) as unknown as Shown
      assert.deepStrictEqual([mission.status, mission.waiting?.kind], ["awaiting_approval", "plan"])
      assert.match(mission.waiting?.message ?? "", /^Approve the plan of 1 step, estimated at .* leaves out 3 of/)
      assert.deepStrictEqual(
        mission.steps.map(({ status, observations }) => [status, observations]),
        [["pending", [refs[0]]]]
      )
      assert.sameMembers(
        mission.left_out.map(({ ref }) => ref),
        [closed, unfixable, "OBS-999"]
      )
      assert.strictEqual(created.headers.etag, `"${mission.etag}"`)
      const known = {
        path: `/api/missions/${mission.ref}`,
        as: api_key,
        headers: { "if-none-match": `"${mission.etag}"` }
      }
      assert.strictEqual((yield* send(known)).status, 304)
      for (const name of ["approve", "resume", "cancel"]) {
        const call = { method: "POST", path: `/api/missions/${mission.ref}/${name}`, as: api_key }
        assert.strictEqual(yield* outcome(call), "403 session_required", name)
      }
    })
  )

  it.effect("of words alone needs an agent, and one of nothing that can be fixed is no mission", () =>
    Effect.gen(function* () {
      const { owner, repository } = yield* aPlace(0)
      const unfixable = yield* anObservation(owner, repository)
      const created = (goal: object) =>
        send(post(owner, "", { repository: "api@main", title: "Better", goal, budget_usd: 1 }))
      const words = errorOf(yield* created({ text: "Make it better." }))
      assert.strictEqual(words.code, "goal_needs_agent")
      const nothing = errorOf(yield* created({ refs: [unfixable], text: "Make it better." }))
      assert.strictEqual(nothing.code, "goal_empty")
      assert.match(nothing.message, new RegExp(`${unfixable}: There is no fixer for the rule`))
      assert.strictEqual(
        yield* outcome(post(owner, "", { repository: "api@main", title: "x", goal: {}, budget_usd: 1 })),
        "422 goal_needs_agent"
      )
    })
  )

  it.effect("informs whom it waits on, by mail and notice, and no longer once they have decided", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(1)
      const admin = yield* aMember(owner.workspace_id, "admin")
      const mission = yield* aMission(owner, { repository: "api@main", refs, title: "TLS\n1.2" })
      const mails = yield* mailsOf(owner)
      assert.deepStrictEqual(
        mails.map(({ to, subject }) => [to, subject]),
        [[owner.email, `${mission.ref} waits for your approval of its plan: TLS 1.2`]]
      )
      assert.include(mails[0]?.text, `/missions/${mission.ref}`)
      const waiting = { path: "/api/missions/waiting", as: owner.session }
      const refsOf = (call: Call) =>
        Effect.map(send(call), (answer) => (jsonOf(answer).data as ReadonlyArray<Shown>).map(({ ref }) => ref))
      assert.deepStrictEqual(yield* refsOf(waiting), [mission.ref])
      assert.deepStrictEqual(yield* refsOf({ ...waiting, as: admin.session }), [])
      const counted = (as: Call["as"]) =>
        Effect.map(send({ path: "/api/workspace/overview", as }), (answer) => jsonOf(answer).missions_waiting_on_me)
      const withoutJobs = yield* aKeyWithout(owner, ["view_jobs"])
      assert.deepStrictEqual(yield* Effect.forEach([owner.session, admin.session, withoutJobs], counted), [1, 0, 0])
      const unread = Effect.map(noticesOf(owner), (notices) =>
        notices.filter(({ kind, read_at }) => kind === "waiting_on_me" && read_at === null).map(({ link }) => link)
      )
      assert.deepStrictEqual(yield* unread, [`/missions/${mission.ref}`])
      assert.strictEqual(yield* statusAfter(owner, `/${mission.ref}/approve`), "running")
      assert.deepStrictEqual([yield* unread, yield* refsOf(waiting)], [[], []])
    })
  )

  it.effect("waits on every owner and admin once who submitted it may not decide any more", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(1)
      const admin = yield* aMember(owner.workspace_id, "admin")
      yield* aMission(admin, { repository: "api@main", refs })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE memberships SET role = 'member' WHERE user_id = ${admin.user_id}`
      const count = (person: Person) =>
        Effect.map(
          send({ path: "/api/missions/waiting", as: person.session }),
          (answer) => (jsonOf(answer).data as ReadonlyArray<unknown>).length
        )
      assert.deepStrictEqual([yield* count(owner), yield* count(admin)], [1, 0])
    })
  )

  it.effect("that is sent back is planned again, and what is done stays done", () =>
    Effect.gen(function* () {
      const { owner, repository, refs } = yield* aPlace(1)
      const other = yield* anObservation(owner, repository, { rule_id: "weak_cryptography.small_key" })
      const { ref, id } = yield* aMission(owner, { repository: "api@main", refs: [...refs, other] })
      assert.strictEqual(
        yield* outcome(post(owner, `/${ref}/resubmit`, { limits_md: "none" })),
        "409 illegal_transition"
      )
      const back = yield* shown(post(owner, `/${ref}/send-back`, { reason: "One at a time." }))
      assert.deepStrictEqual([back.status, back.sent_back?.reason, back.waiting], ["planning", "One at a time.", null])
      const again = yield* shown(post(owner, `/${ref}/resubmit`, { goal: { refs } }))
      assert.deepStrictEqual([again.status, again.plan_version, again.steps.length], ["awaiting_approval", 2, 1])
      const sql = yield* SqlClient.SqlClient
      yield* missionIn({ id }, { status: "failed" })
      yield* sql`UPDATE mission_steps SET status = 'completed', finished_at = ${"2026-01-01T00:00:00Z"}, commits = '{c0ffee}'
        WHERE mission_id = ${id} AND plan_version = 2`
      const third = yield* shown(post(owner, `/${ref}/resubmit`, { goal: { refs: [...refs, other] } }))
      assert.deepStrictEqual(
        third.steps.map(({ status, observations }) => [status, observations]),
        [
          ["completed", refs],
          ["pending", [other]]
        ]
      )
      assert.deepStrictEqual(third.left_out, [
        { ref: refs[0]!, reason: "A completed step of this mission is about it." }
      ])
    })
  )

  it.effect("moves by the table of transitions, and each decision is made once", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(1)
      const { ref } = yield* aMission(owner, { repository: "api@main", refs })
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/pause`), "409 illegal_transition")
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/approve`), "running")
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/approve`), "running")
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/pause`), "paused")
      const rejected = errorOf(yield* send(post(owner, `/${ref}/send-back`, { reason: "Too late." })))
      assert.deepStrictEqual(rejected.details, {
        from: "paused",
        to: "planning",
        allowed: ["running", "failed", "cancelled"]
      })
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/resume`), "running")
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/cancel`), "cancelled")
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/cancel`), "cancelled")
      const events = jsonOf(yield* send({ path: `/api/missions/${ref}/events`, as: owner.session }))
      assert.deepStrictEqual(
        (events.data as ReadonlyArray<{ readonly event: string }>).map(({ event }) => event),
        ["cancelled", "resumed", "paused", "approved", "planned", "submitted"]
      )
    })
  )

  it.effect("takes a higher budget only, and goes on where it waited for one", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(1)
      const { ref, id } = yield* aMission(owner, { repository: "api@main", refs, budget_usd: 0.3 })
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/budget`, { budget_usd: 0.3 }), "422 budget_not_raised")
      assert.strictEqual((yield* shown(post(owner, `/${ref}/budget`, { budget_usd: 0.4 }))).budget_usd, 0.4)
      yield* missionIn({ id }, { status: "paused", waiting: "budget" })
      assert.strictEqual(yield* statusAfter(owner, `/${ref}/budget`, { budget_usd: 0.7 }), "running")
    })
  )

  it.effect("goes on after a failed step once a person retries, answers or skips it", () =>
    Effect.gen(function* () {
      for (const [path, json, step] of [
        ["retry", {}, "pending"],
        ["skip", { reason: "By hand." }, "skipped"],
        ["answer", { text: "Keep the name." }, "pending"]
      ] as const) {
        const { owner, refs } = yield* aPlace(1)
        const { ref, id, steps } = yield* aMission(owner, { repository: "api@main", refs })
        yield* missionIn({ id }, { status: "waiting_on_person", waiting: "step", step: "failed" })
        const route = path === "answer" ? `/${ref}/answer` : `/${ref}/steps/${steps[0]?.id}/${path}`
        const after = yield* shown(post(owner, route, json))
        assert.deepStrictEqual([after.status, after.steps[0]?.status, after.waiting], ["running", step, null], path)
      }
    })
  )

  it.effect("is found by its number below the repository, by its branch and by its pull request", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(1)
      const { api_key } = yield* aKey(owner)
      const { ref, id, number } = yield* aMission(owner, { repository: "api@main", refs })
      const sql = yield* SqlClient.SqlClient
      const url = "https://example.org/pull/7?x=1"
      yield* sql`UPDATE missions SET branch = 'assay/mission', pr_url = ${url} WHERE id = ${id}`
      const found = (query: string) => outcome({ path: `/api/missions/resolve?${query}`, as: api_key })
      assert.strictEqual((yield* shown({ path: `/api/repos/acme/api/main/missions/${number}`, as: api_key })).ref, ref)
      assert.strictEqual(yield* found(`repository=api%40main&number=${number}`), "200")
      assert.strictEqual(yield* found("repository=acme%2Fapi%40main&branch=assay%2Fmission"), "200")
      assert.strictEqual(yield* found(`url=${encodeURIComponent(url)}`), "200")
      assert.strictEqual(yield* found("repository=api%40main&number=99"), "404 not_found")
      assert.strictEqual(yield* found("url=https%3A%2F%2Fexample.org%2F8"), "404 not_found")
      assert.strictEqual(yield* found(`number=${number}`), "422 invalid_payload")
      assert.strictEqual(yield* found("repository=api%40main"), "422 invalid_payload")
      assert.strictEqual(yield* outcome({ path: "/api/missions/MSN-99999999999", as: api_key }), "422 invalid_payload")
    })
  )

  it.effect("has a number that is never used again, however many are submitted at once", () =>
    Effect.gen(function* () {
      const { owner, refs } = yield* aPlace(4)
      const numbers = yield* Effect.forEach(
        refs,
        (ref) => Effect.map(aMission(owner, { repository: "api@main", refs: [ref] }), ({ number }) => number),
        { concurrency: "unbounded" }
      )
      assert.sameMembers([...numbers], [1, 2, 3, 4])
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM missions WHERE workspace_id = ${owner.workspace_id}`
      assert.strictEqual((yield* aMission(owner, { repository: "api@main", refs: [refs[0]!] })).number, 5)
    })
  )

  it.effect("needs the scope before the plan, the plan before the switch", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace({ plan: "free" })
      const { api_key } = yield* aKey(owner)
      const { api_key: narrow } = yield* aKey(owner, { scopes: ["view_repositories"] })
      const call = { path: "/api/missions", as: api_key }
      assert.strictEqual(yield* outcome({ ...call, as: narrow }), "403 insufficient_scope")
      const restricted = errorOf(yield* send(call))
      assert.deepStrictEqual([restricted.code, restricted.required_features], ["plan_restricted", ["missions"]])
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE workspaces SET plan = 'paid' WHERE id = ${owner.workspace_id}`
      assert.strictEqual(yield* outcome(call), "403 feature_not_enabled")
      yield* withFeatures(owner)
      assert.strictEqual(yield* outcome(call), "200")
    })
  )
})
