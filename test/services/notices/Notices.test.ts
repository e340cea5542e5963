import { SqlClient } from "@effect/sql"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, TestClock } from "effect"
import { JobId } from "../../../src/schema/Ids.ts"
import { maxNotices } from "../../../src/schema/Notice.ts"
import { ContextEntries } from "../../../src/services/context/ContextEntries.ts"
import { ContextEntryStates } from "../../../src/services/context/ContextEntryStates.ts"
import { Jobs } from "../../../src/services/jobs/Jobs.ts"
import { JobsRepo } from "../../../src/services/jobs/JobsRepo.ts"
import { Notices } from "../../../src/services/notices/Notices.ts"
import { NoticeWriter } from "../../../src/services/notices/NoticeWriter.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { newId } from "../../../src/services/support/ids.ts"
import { loggedIn } from "../../support/auditLog.ts"
import {
  aJob,
  aMember,
  anInvitation,
  aProject,
  aRegisteredRepository,
  as,
  aWorkspace,
  type Person
} from "../../support/builders.ts"
import { aKeyOf, note, seen } from "../../support/context.ts"
import { aNotice, noticesOf } from "../../support/notices.ts"
import { TestApp } from "../../support/TestApp.ts"
import { send } from "../../support/wire.ts"

const textsOf = (person: Person) => Effect.map(noticesOf(person), (found) => found.map(({ text }) => text))

/** Ends a job as the engine would. */
const finished = (id: JobId, end: "completed" | "failed") =>
  Effect.gen(function* () {
    const repo = yield* JobsRepo
    const sql = yield* SqlClient.SqlClient
    const at = DateTime.formatIso(yield* DateTime.now)
    yield* sql`UPDATE jobs SET status = 'running', started_at = ${at} WHERE id = ${id}`
    return yield* end === "completed"
      ? repo.complete({ id, run: 1, last_stage: null, at })
      : repo.fail({ id, run: 1, failure_kind: "worker_lost", error: "Lost.", at })
  }).pipe(Effect.orDie)

layer(TestApp)((it) => {
  describe("the notice of a job's end", () => {
    it.effect("goes to the person who requested it, or whose key did, once, and to no one else", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const member = yield* aMember(owner.workspace_id, "member")
        const repository = yield* aRegisteredRepository(owner)
        const first = yield* aJob(member, repository)
        yield* finished(first.id, "completed")
        yield* finished(first.id, "failed")
        const [notice, ...others] = yield* noticesOf(member)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(notice, {
          kind: "job_ended",
          text: "The job standard_audit of api@main has completed.",
          link: `/jobs/${first.id}`,
          read_at: null
        })
        assert.match(notice!.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        const key = yield* aKeyOf(member, "ci", ["submit_audit_jobs"])
        yield* TestClock.adjust("1 hour")
        const second = yield* aJob({ ...member, caller: key.caller }, repository)
        yield* finished(second.id, "failed")
        yield* TestClock.adjust("1 hour")
        const third = yield* aJob(member, repository)
        yield* Effect.flatMap(Jobs, (jobs) => jobs.cancel(third.id)).pipe(as(owner))
        assert.deepStrictEqual((yield* textsOf(member)).slice(0, 2), [
          "The job standard_audit of api@main was cancelled.",
          "The job standard_audit of api@main has failed: worker lost."
        ])
        assert.deepStrictEqual(yield* noticesOf(owner), [])
      })
    )

    it.effect("is not there when the end is rolled back", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* aJob(owner, yield* aRegisteredRepository(owner))
        const undone = finished(id, "completed").pipe(Effect.zipRight(Effect.fail("undone")), sql.withTransaction)
        assert.strictEqual(yield* Effect.flip(undone), "undone")
        assert.deepStrictEqual(yield* noticesOf(owner), [])
      })
    )
  })

  describe("the notice of new observations", () => {
    it.effect("goes to every member, one for each job, with their number", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const viewer = yield* aMember(owner.workspace_id, "viewer")
        const { id: repository_id } = yield* aRegisteredRepository(owner)
        const writer = yield* NoticeWriter
        const request = { workspace_id: owner.workspace_id, repository_id, at: "2026-11-20T08:00:00.000Z" }
        const job_id = yield* newId(JobId)
        yield* writer.newFindings({ ...request, job_id, count: 3 })
        yield* writer.newFindings({ ...request, job_id, count: 3 })
        yield* writer.newFindings({ ...request, job_id: yield* newId(JobId), count: 0 })
        const link = "/triage?repo=acme%2Fapi%40main&priority=P0%2CP1"
        const text = "An audit of api@main found 3 new observations of priority P0 or P1."
        for (const person of [owner, viewer]) {
          const found = yield* noticesOf(person)
          assert.deepStrictEqual(
            found.map(({ kind, text, link }) => ({ kind, text, link })),
            [{ kind: "new_finding", text, link }]
          )
        }
      })
    )
  })

  describe("the notice of entries that wait for confirmation", () => {
    it.effect("goes to those who may confirm them: one a level, unread again with each proposal of a key", () =>
      Effect.gen(function* () {
        const entries = yield* ContextEntries
        const owner = yield* aWorkspace()
        const [editor, viewer] = [
          yield* aMember(owner.workspace_id, "member"),
          yield* aMember(owner.workspace_id, "member")
        ]
        yield* aProject(owner, { name: "Retail", kind: "area" })
        yield* aProject(owner, { name: "Shop", parent: "retail" })
        const projects = yield* Projects
        yield* projects.grant("retail", { email: editor.email, role: "editor" }).pipe(as(owner))
        yield* projects.grant("shop", { email: viewer.email, role: "viewer" }).pipe(as(owner))
        const key = yield* aKeyOf(owner, "agent")
        yield* entries.create("shop", note("one")).pipe(as(key))
        yield* entries.create("shop", note("by-a-person")).pipe(as(owner))
        const one = "A context entry of shop waits for confirmation."
        assert.deepStrictEqual(yield* textsOf(editor), [one])
        yield* Effect.flatMap(Notices, (notices) => notices.markRead({ all: true })).pipe(as(editor))
        yield* entries.create("shop", note("two")).pipe(as(key))
        yield* entries.create(null, note("for-all")).pipe(as(key))
        const [waiting, ...others] = yield* noticesOf(editor)
        assert.deepStrictEqual(others, [])
        assert.deepInclude(waiting, {
          kind: "waiting_on_me",
          text: "2 context entries of shop wait for confirmation.",
          link: "/context?status=proposed&project=shop",
          read_at: null
        })
        // It is unread already, and counts this one, too.
        yield* entries.create("shop", note("three")).pipe(as(key))
        assert.deepStrictEqual(yield* textsOf(editor), ["3 context entries of shop wait for confirmation."])
        assert.deepStrictEqual(yield* noticesOf(viewer), [])
        assert.includeMembers(
          [...(yield* textsOf(owner))],
          ["A context entry of the workspace waits for confirmation."]
        )
        yield* projects.withdraw("retail", editor.user_id).pipe(as(owner))
        assert.deepStrictEqual(yield* noticesOf(editor), [])
      })
    )

    it.effect("is written when a key restores or changes an entry, not when it corroborates one", () =>
      Effect.gen(function* () {
        const entries = yield* ContextEntries
        const states = yield* ContextEntryStates
        const owner = yield* aWorkspace()
        const [key, second] = [yield* aKeyOf(owner, "agent"), yield* aKeyOf(owner, "second")]
        const { etag } = yield* entries.create(null, note("one")).pipe(as(key))
        const notices = yield* Notices
        assert.deepStrictEqual(yield* notices.markRead({ all: true }).pipe(as(owner)), { read: 1, unread: 0 })
        yield* states.corroborate(null, "one", seen(etag)).pipe(as(second))
        assert.deepStrictEqual((yield* notices.list({ unread: true }).pipe(as(owner))).data, [])
      })
    )
  })

  describe("the notice of an accepted invitation", () => {
    it.effect("goes to the person who sent it, as long as they are a member", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const admin = yield* aMember(owner.workspace_id, "admin")
        const { email, token } = yield* anInvitation(admin)
        const accepted = yield* send({
          path: "/api/session/invitation",
          json: { token, password: "correct horse battery" }
        })
        assert.strictEqual(accepted.status, 200)
        const text = `${email} accepted your invitation and is now a member of the workspace.`
        const found = yield* noticesOf(admin)
        assert.deepStrictEqual(
          found.map(({ kind, text }) => [kind, text]),
          [["invitation_accepted", text]]
        )
        assert.deepStrictEqual(yield* noticesOf(owner), [])
      })
    )
  })

  describe("notices", () => {
    it.effect("are read by their person only, some or all, and each change is logged once", () =>
      Effect.gen(function* () {
        const notices = yield* Notices
        const owner = yield* aWorkspace()
        const other = yield* aMember(owner.workspace_id, "admin")
        for (const subject of ["a", "b", "c"]) {
          yield* TestClock.adjust("1 minute")
          yield* aNotice(owner, subject)
          yield* aNotice(owner, subject)
        }
        yield* aNotice(other, "theirs")
        const theirs = (yield* noticesOf(other))[0]!
        const all = yield* noticesOf(owner)
        assert.deepStrictEqual(
          all.map(({ text }) => text),
          ["c has joined.", "b has joined.", "a has joined."]
        )
        const read = (request: Parameters<typeof notices.markRead>[0]) => notices.markRead(request).pipe(as(owner))
        assert.deepStrictEqual(yield* read({ ids: [all[1]!.id, theirs.id] }), { read: 1, unread: 2 })
        assert.deepStrictEqual(yield* read({ ids: [all[1]!.id] }), { read: 0, unread: 2 })
        const unread = yield* notices.list({ unread: true, limit: 1 }).pipe(as(owner))
        const rest = yield* notices.list({ unread: true, limit: 1, cursor: unread.next_cursor! }).pipe(as(owner))
        assert.deepStrictEqual([unread.data[0]?.id, rest.data[0]?.id, rest.has_more], [all[0]!.id, all[2]!.id, false])
        assert.deepStrictEqual((yield* notices.list({ unread: false }).pipe(as(owner))).data.length, 1)
        assert.deepStrictEqual(yield* read({ all: true }), { read: 2, unread: 0 })
        assert.isNull((yield* noticesOf(other))[0]?.read_at)
        for (const request of [{}, { ids: [all[0]!.id], all: true as const }]) {
          assert.strictEqual((yield* Effect.flip(read(request)))._tag, "InvalidPayload")
        }
        const logged = (yield* loggedIn(owner.workspace_id)).filter(({ object_kind }) => object_kind === "notices")
        assert.deepStrictEqual(
          logged.map(({ object_ref, after }) => [object_ref, after]),
          [
            [owner.user_id, { read: 1 }],
            [owner.user_id, { read: 2 }]
          ]
        )
      })
    )

    it.effect("are not written to people who have left, and go with those who leave", () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const leaver = yield* aMember(owner.workspace_id, "member")
        const sql = yield* SqlClient.SqlClient
        yield* aNotice(leaver, "before")
        yield* Effect.orDie(sql`DELETE FROM memberships WHERE user_id = ${leaver.user_id}`)
        yield* aNotice(leaver, "after")
        assert.deepStrictEqual(yield* noticesOf(leaver), [])
      })
    )

    it.effect(`are deleted after 90 days, and of one person all but the newest ${maxNotices}`, () =>
      Effect.gen(function* () {
        const owner = yield* aWorkspace()
        const other = yield* aMember(owner.workspace_id, "admin")
        const writer = yield* NoticeWriter
        const sql = yield* SqlClient.SqlClient
        const countOf = (person: Person) =>
          Effect.map(
            Effect.orDie(sql<{ n: number }>`SELECT count(*)::int AS n FROM notices WHERE user_id = ${person.user_id}`),
            (found) => found[0]?.n
          )
        yield* aNotice(owner, "old")
        yield* aNotice(other, "old")
        yield* TestClock.adjust("90 days")
        yield* writer.forget()
        assert.deepStrictEqual([yield* countOf(owner), yield* countOf(other)], [1, 1])
        yield* TestClock.adjust("1 millis")
        yield* writer.forget()
        assert.deepStrictEqual([yield* countOf(owner), yield* countOf(other)], [0, 0])
        yield* aNotice(owner, "n0")
        yield* Effect.orDie(sql`INSERT INTO notices (id, workspace_id, user_id, kind, subject, text, link, at)
        SELECT gen_random_uuid(), workspace_id, user_id, kind, 'n' || n, text, link, at
        FROM notices, generate_series(1, ${maxNotices - 1}) n WHERE user_id = ${owner.user_id}`)
        yield* TestClock.adjust("1 second")
        yield* aNotice(owner, "newest")
        yield* aNotice(other, "of another")
        yield* writer.forget()
        assert.deepStrictEqual([yield* countOf(owner), yield* countOf(other)], [maxNotices, 1])
        assert.strictEqual((yield* noticesOf(owner))[0]?.text, "newest has joined.")
      })
    )
  })
})
