import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ContextEntries } from "../../../src/services/context/ContextEntries.ts"
import { ContextEntryStates } from "../../../src/services/context/ContextEntryStates.ts"
import { TeamContext } from "../../../src/services/context/TeamContext.ts"
import { Projects } from "../../../src/services/projects/Projects.ts"
import { aMember, aProject, aWorkspace } from "../../support/builders.ts"
import { aKeyOf, as, codeOf, detailsOf, note, seen, whole } from "../../support/context.ts"
import { TestApp } from "../../support/TestApp.ts"

/** Two levels with an owner, a key of theirs and another one. */
const aTeam = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const writer = yield* aKeyOf(owner, "writer")
  const checker = yield* aKeyOf(owner, "checker")
  const { slug } = yield* aProject(owner, { name: "Shop" })
  return { owner, writer, checker, slug }
})

layer(TestApp)("writing context entries", (it) => {
  it.effect("a key's entry is proposed and says which key wrote it; a person's is live at once", () =>
    Effect.gen(function* () {
      const { owner, writer, slug } = yield* aTeam
      const entries = yield* ContextEntries
      const proposed = whole(yield* entries.create(slug, note("a", { agent_label: "Nightly agent" })).pipe(as(writer)))
      assert.deepStrictEqual(
        [proposed.status, proposed.version, proposed.etag, proposed.scope, proposed.level],
        ["proposed", 1, `${proposed.id}:1`, "project", "own"]
      )
      assert.deepStrictEqual(
        [proposed.created_by.kind, proposed.created_by.label, proposed.created_by.label_verified],
        ["api_key", "Nightly agent", false]
      )
      const plain = whole(yield* entries.create(slug, note("b")).pipe(as(writer)))
      assert.match(plain.created_by.label ?? "", /^writer \(asy_.{8}\)$/)
      assert.isTrue(plain.created_by.label_verified)
      const live = whole(yield* entries.create(slug, note("c")).pipe(as(owner)))
      assert.deepStrictEqual(
        [live.status, live.created_by.kind, live.created_by.user_id, live.created_by.label],
        ["live", "user", owner.user_id, owner.email]
      )
    })
  )

  it.effect("whatever a key writes is proposed again, even where a person had confirmed", () =>
    Effect.gen(function* () {
      const { owner, writer, slug } = yield* aTeam
      const [entries, states] = [yield* ContextEntries, yield* ContextEntryStates]
      const first = yield* entries.create(slug, note("a")).pipe(as(writer))
      const confirmed = whole(yield* states.confirm(slug, "a", seen(first.etag)).pipe(as(owner)))
      assert.deepStrictEqual(
        [confirmed.status, confirmed.version, confirmed.last_confirmed_by_user_id],
        ["live", 2, owner.user_id]
      )
      const patched = yield* entries.patch(slug, "a", { title: "Other" }, seen(confirmed.etag)).pipe(as(writer))
      assert.strictEqual(patched.status, "proposed")
      const again = yield* states.confirm(slug, "a", seen(patched.etag)).pipe(as(owner))
      const edited = yield* entries.patch(slug, "a", { title: "Third" }, seen(again.etag)).pipe(as(owner))
      assert.strictEqual(edited.status, "live")
      const gone = yield* states.disable(slug, "a", "Old.", seen(edited.etag)).pipe(as(owner))
      assert.strictEqual((yield* states.restore(slug, "a").pipe(as(writer))).status, "proposed")
      assert.notStrictEqual(gone.etag, edited.etag)
    })
  )

  it.effect("a change needs the current ETag; a stale one gets the current entry, if it may be read", () =>
    Effect.gen(function* () {
      const { owner, writer, slug } = yield* aTeam
      const entries = yield* ContextEntries
      const first = yield* entries.create(slug, note("a")).pipe(as(writer))
      const second = yield* entries.patch(slug, "a", { summary: "New." }, seen(`"${first.etag}"`)).pipe(as(writer))
      const stale = entries.patch(slug, "a", { summary: "Lost." }, seen(first.etag))
      assert.strictEqual(yield* codeOf(stale.pipe(as(writer))), "version_conflict")
      const details = yield* detailsOf(stale.pipe(as(writer)))
      assert.deepInclude(details as object, { current_etag: second.etag })
      assert.deepInclude((details as { readonly current: object }).current, { summary: "New.", version: 2 })
      const blind = yield* aKeyOf(owner, "blind", ["manage_context"])
      assert.deepStrictEqual(yield* detailsOf(stale.pipe(as(blind))), { current_etag: second.etag })
      const attempts = [undefined, "*", `W/"${first.etag}"`, `"${first.etag}", "x"`, "7"].map((etag) =>
        codeOf(entries.patch(slug, "a", {}, seen(etag)).pipe(as(writer)))
      )
      assert.deepStrictEqual(yield* Effect.all(attempts), ["precondition_required", ...Array(4).fill("malformed_etag")])
      assert.strictEqual(yield* codeOf(entries.patch(slug, "b", {}, seen(first.etag)).pipe(as(writer))), "not_found")
    })
  )

  it.effect("PUT replaces the whole entry but for data and tags that are not sent", () =>
    Effect.gen(function* () {
      const { writer, slug } = yield* aTeam
      const entries = yield* ContextEntries
      const put = { kind: "note", title: "T", summary: "S" } as const
      const made = yield* entries
        .create(slug, { ...put, key: "a", tags: ["x"], data: { a: 1 }, body_md: "long" })
        .pipe(as(writer))
      assert.strictEqual(yield* codeOf(entries.create(slug, { ...put, key: "a" }).pipe(as(writer))), "key_taken")
      const replacement = entries.replace(slug, "a", { ...put, kind: "runbook" }, seen(made.etag))
      const { kind, tags, data, body_md, version } = whole(yield* replacement.pipe(as(writer)))
      assert.deepStrictEqual(
        { kind, tags, data, body_md, version },
        { kind: "runbook", tags: ["x"], data: { a: 1 }, body_md: "", version: 2 }
      )
    })
  )

  it.effect("PATCH merges data as a JSON merge patch and leaves what is null or missing", () =>
    Effect.gen(function* () {
      const { writer, slug } = yield* aTeam
      const entries = yield* ContextEntries
      const data = { keep: 1, drop: 2, deep: { a: 1, b: 2 }, list: [1] }
      const { etag } = yield* entries.create(slug, note("a", { data, tags: ["t"] })).pipe(as(writer))
      const patch = { data: { drop: null, deep: { b: null, c: 3 }, list: [2] }, title: null }
      const patched = whole(yield* entries.patch(slug, "a", patch, seen(etag)).pipe(as(writer)))
      assert.deepStrictEqual(patched.data, { keep: 1, deep: { a: 1, c: 3 }, list: [2] })
      assert.deepStrictEqual([patched.title, patched.tags], ["About a", ["t"]])
    })
  )

  it.effect("a disabled entry frees its key; the newest can be restored while nothing holds it", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const [entries, states] = [yield* ContextEntries, yield* ContextEntryStates]
      const context = yield* TeamContext
      const first = yield* entries.create(slug, note("a", { title: "First" })).pipe(as(owner))
      yield* states.disable(slug, "a", "Replaced.", seen(first.etag)).pipe(as(owner))
      assert.strictEqual(yield* codeOf(context.get(slug, "a").pipe(as(owner))), "not_found")
      const second = yield* entries.create(slug, note("a", { title: "Second" })).pipe(as(owner))
      assert.notStrictEqual(second.id, first.id)
      assert.strictEqual(yield* codeOf(states.restore(slug, "a").pipe(as(owner))), "key_taken")
      yield* states.disable(slug, "a", "Replaced, too.", seen(second.etag)).pipe(as(owner))
      const restored = whole(yield* states.restore(slug, "a").pipe(as(owner)))
      assert.deepStrictEqual([restored.id, restored.version, restored.disabled_at], [second.id, 3, null])
      assert.strictEqual(yield* codeOf(states.restore(slug, "never").pipe(as(owner))), "not_found")
      const history = yield* context.history(slug, "a", {}).pipe(as(owner))
      assert.deepStrictEqual(
        history.data.map(({ event, version, prev }) => [event, version, prev.title]),
        [
          ["restored", 3, "Second"],
          ["deleted", 2, "Second"],
          ["created", 1, null]
        ]
      )
      assert.deepStrictEqual(history.data[1]?.detail, { reason: "Replaced, too." })
    })
  )

  it.effect("corroboration is another key's, once per version, of proposed entries; any change takes it away", () =>
    Effect.gen(function* () {
      const { owner, writer, checker, slug } = yield* aTeam
      const [entries, states] = [yield* ContextEntries, yield* ContextEntryStates]
      const corroborate = (etag: string, key = "a") => states.corroborate(slug, key, seen(etag))
      const { etag } = yield* entries.create(slug, note("a")).pipe(as(writer))
      assert.strictEqual(yield* codeOf(corroborate(etag).pipe(as(writer))), "self_corroboration")
      const done = whole(yield* corroborate(etag).pipe(as(checker)))
      assert.deepStrictEqual(
        [done.etag, done.corroborated_by?.api_key?.name, done.status],
        [etag, "checker", "proposed"]
      )
      assert.strictEqual(yield* codeOf(corroborate(etag).pipe(as(checker))), "already_corroborated")
      const changed = whole(yield* entries.patch(slug, "a", { title: "N" }, seen(etag)).pipe(as(checker)))
      assert.isNull(changed.corroborated_by)
      // Now both have written it.
      for (const key of [writer, checker]) {
        assert.strictEqual(yield* codeOf(corroborate(changed.etag).pipe(as(key))), "self_corroboration")
      }
      const live = yield* states.confirm(slug, "a", seen(changed.etag)).pipe(as(owner))
      assert.strictEqual(yield* codeOf(corroborate(live.etag).pipe(as(checker))), "not_proposed")
    })
  )

  it.effect("who may not read gets the acknowledgement only, with its warnings", () =>
    Effect.gen(function* () {
      const { owner, slug } = yield* aTeam
      const entries = yield* ContextEntries
      const blind = yield* aKeyOf(owner, "blind", ["manage_context"])
      const ack = yield* entries.create(slug, note("a", { body_md: "password: hunter2hunter2x9" })).pipe(as(blind))
      assert.deepStrictEqual(Object.keys(ack).sort(), ["etag", "id", "key", "secret_warnings", "status", "version"])
      assert.deepStrictEqual(
        ack.secret_warnings?.map(({ field, secret_kind }) => [field, secret_kind]),
        [["body_md", "generic-api-key"]]
      )
      assert.notInclude(JSON.stringify(ack), "hunter2")
    })
  )

  it.effect("writes need a role on the level or above, and manage_projects where they reach further", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aProject(owner, { name: "Retail", kind: "area" })
      yield* aProject(owner, { name: "Shop", parent: "retail" })
      const ada = yield* aMember(owner.workspace_id, "member")
      const entries = yield* ContextEntries
      const attempt = (address: string | null, fields = {}) =>
        codeOf(entries.create(address, note(`k${Math.random()}`, fields)).pipe(as(ada)))
      assert.strictEqual(yield* attempt("shop"), "project_access_required")
      assert.strictEqual(yield* attempt("nowhere"), "project_not_found")
      assert.strictEqual(yield* attempt(null), "insufficient_scope")
      const grant = (role: "viewer" | "editor") =>
        Effect.flatMap(Projects, (projects) => projects.grant("retail", { email: ada.email, role })).pipe(as(owner))
      yield* grant("viewer")
      assert.strictEqual(yield* attempt("shop"), "project_access_required")
      yield* grant("editor")
      assert.strictEqual(yield* attempt("shop"), "ok")
      assert.strictEqual(yield* attempt("shop", { scope: "subtree" }), "ok")
      assert.strictEqual(yield* attempt("retail"), "ok")
      assert.strictEqual(yield* attempt("retail", { scope: "subtree" }), "insufficient_scope")
      assert.strictEqual(
        yield* codeOf(entries.create(null, note("w", { scope: "project" })).pipe(as(owner))),
        "scope_invalid"
      )
    })
  )
})
