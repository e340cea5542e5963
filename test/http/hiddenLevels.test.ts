import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Project } from "../../src/schema/Project.ts"
import type { ContextDigest, ContextEntriesPage, ContextEntry } from "../../src/schema/TeamContext.ts"
import { aKey, aMember, aProject, aRegisteredRepository, aWorkspace, type Person } from "../support/builders.ts"
import { rpc, structureOf } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"
import { type Call, errorOf, jsonOf, send } from "../support/wire.ts"

const note = { kind: "note", title: "Deploys", summary: "How we deploy." }

const agentScopes = ["view_context", "manage_context", "corroborate_context", "view_issues"] as const

/** What one request returned, decoded. */
const answered =
  <A>() =>
  (call: Call): Effect.Effect<A, never, Effect.Effect.Context<ReturnType<typeof send>>> =>
    Effect.map(send(call), (response): A => {
      assert.isBelow(response.status, 300, `${call.path} ${response.text}`)
      return JSON.parse(response.text)
    })
const projectAt = answered<Project>()
const entryAt = answered<ContextEntry>()
const listAt = answered<ContextEntriesPage>()
const digestAt = answered<ContextDigest>()

const viaTool = <A>(api_key: string, name: string, args: object) =>
  Effect.map(rpc(api_key, "tools/call", { name, arguments: args }), ({ result }) => structureOf<A>(result))

const repository = (github_repo: string) => ({ github_org: "acme", github_repo, github_base_branch: "main" })

/**
 * An owner, who sees all, and a member, who sees no restricted repository. The area `vault` holds one, and empty levels
 * below; `mixed` holds it, too, beside one that anyone sees; `empty` holds none.
 */
const aCompany = Effect.gen(function* () {
  const owner = yield* aWorkspace()
  const member = yield* aMember(owner.workspace_id, "member")
  for (const name of ["secret", "open"]) yield* aRegisteredRepository(owner, name)
  yield* aProject(owner, { name: "Vault", kind: "area" })
  yield* aProject(owner, { name: "Cellar", kind: "space", parent: "vault" })
  yield* aProject(owner, { name: "Box", parent: "cellar" })
  yield* aProject(owner, { name: "Inner", parent: "vault" })
  yield* aProject(owner, { name: "Mixed" })
  yield* aProject(owner, { name: "Empty" })
  const as = owner.session
  for (const [slug, name] of [
    ["inner", "secret"],
    ["mixed", "secret"],
    ["mixed", "open"]
  ] as const) {
    yield* projectAt({ as, path: `/api/projects/${slug}/repositories`, json: repository(name) })
  }
  const json = { visibility: "restricted" }
  yield* answered()({ as, path: "/api/repos/acme/secret/main", method: "PATCH", json })
  return { owner, member }
})

const at = (slug: string, rest = "") => `/api/projects/${slug}/context/entries${rest}`
const write = (person: Person, slug: string, json: object) => entryAt({ as: person.session, path: at(slug), json })

/** The body of an error, but for what names the request. */
const withoutRequest = (text: string) => text.replaceAll(/req_[0-9a-f]+/g, "req")

layer(TestApp)("a level whose repositories are all hidden from the caller", (it) => {
  it.effect("answers each route and tool as one that does not exist", () =>
    Effect.gen(function* () {
      const { owner, member } = yield* aCompany
      const { etag } = yield* write(owner, "vault", { key: "a", ...note })
      const { api_key } = yield* aKey(member, { scopes: agentScopes })
      const headers = { "if-match": etag }
      const calls = (slug: string): ReadonlyArray<Call> => [
        { path: `/api/projects/${slug}` },
        { path: `/api/projects?parent=${slug}` },
        { path: at(slug) },
        { path: at(slug, "/digest"), headers: { "if-none-match": "*" } },
        { path: at(slug, "/a") },
        { path: at(slug, "/a/history") },
        { path: at(slug), json: { key: "a", ...note } },
        { path: at(slug, "/a"), method: "PUT", headers, json: note },
        { path: at(slug, "/a"), method: "PATCH", headers, json: { title: "x" } },
        { path: at(slug, "/a"), method: "DELETE", headers, json: { reason: "x" } },
        { path: at(slug, "/a/restore"), method: "POST" },
        { path: at(slug, "/a/corroborate"), method: "POST", headers }
      ]
      const answers = (slug: string) =>
        Effect.forEach(calls(slug), (call) =>
          Effect.map(send({ ...call, as: api_key }), ({ status, headers, text }) => [
            status,
            headers.etag,
            withoutRequest(text).replaceAll(slug, "SLUG")
          ])
        )
      const hidden = yield* answers("vault")
      assert.deepStrictEqual(hidden, yield* answers("nowhere"))
      for (const [status, , text] of hidden) {
        assert.strictEqual(status, 404)
        assert.include(String(text), '"project_not_found"')
      }
      for (const session of [`/api/projects/vault/roles`, at("vault", "/a")]) {
        assert.strictEqual((yield* send({ as: member.session, path: session })).status, 404)
      }
      const tools = [
        ["get_project", { project: "vault" }],
        ["list_projects", { parent: "vault" }],
        ["get_context_digest", { project: "vault" }],
        ["list_context_entries", { project: "vault" }],
        ["get_context_entry", { project: "vault", key: "a" }],
        ["get_context_entry_history", { project: "vault", key: "a" }],
        ["create_context_entry", { project: "vault", key: "b", ...note }],
        ["update_context_entry", { project: "vault", key: "a", expected_etag: etag, title: "x" }]
      ] as const
      for (const [name, args] of tools) {
        const { error } = yield* viaTool<{ error?: { code: string } }>(api_key, name, args)
        assert.strictEqual(error?.code, "project_not_found", name)
      }
      assert.strictEqual((yield* entryAt({ as: owner.session, path: at("vault", "/a") })).etag, etag)
    })
  )

  it.effect(
    "is neither listed nor named by the levels below it; empty and mixed ones are seen, without the hidden",
    () =>
      Effect.gen(function* () {
        const { owner, member } = yield* aCompany
        const { api_key } = yield* aKey(member, { scopes: agentScopes })
        const listed = (as: Person) =>
          Effect.map(send({ as: as.session, path: "/api/projects?limit=3" }), (response) => jsonOf(response))
        const pages = yield* listed(member)
        assert.deepInclude(pages, { has_more: true })
        const { data } = yield* answered<{ data: ReadonlyArray<Project> }>()({
          as: member.session,
          path: "/api/projects"
        })
        assert.deepStrictEqual(
          data.map(({ slug, parent, ancestors, source_hidden }) => [slug, parent, ancestors, source_hidden]),
          [
            ["empty", null, [], false],
            ["mixed", null, [], false],
            ["box", "cellar", ["cellar", null], true],
            ["cellar", null, [null], true]
          ]
        )
        assert.deepStrictEqual(
          data.find(({ slug }) => slug === "mixed")?.repositories.map(({ repo_name }) => repo_name),
          ["open@main"]
        )
        const tool = yield* viaTool<{ data: ReadonlyArray<Project & { repository_count: number }> }>(
          api_key,
          "list_projects",
          {}
        )
        assert.deepStrictEqual(
          tool.data.map(({ slug, parent, ancestors, repository_count }) => [slug, parent, ancestors, repository_count]),
          [
            ["empty", null, [], 0],
            ["mixed", null, [], 1],
            ["box", "cellar", ["cellar", null], 0],
            ["cellar", null, [null], 0]
          ]
        )
        const seen = yield* projectAt({ as: owner.session, path: "/api/projects/box" })
        assert.deepStrictEqual([seen.ancestors, seen.source_hidden], [["cellar", "vault"], false])
      })
  )

  it.effect("passes its entries down without its name, and the chain is not whole", () =>
    Effect.gen(function* () {
      const { owner, member } = yield* aCompany
      const { api_key } = yield* aKey(member, { scopes: agentScopes })
      yield* write(owner, "vault", { key: "policy", ...note, scope: "subtree", labels: ["legal"] })
      const shared = yield* write(owner, "vault", { key: "shared", ...note, scope: "subtree" })
      yield* write(owner, "cellar", { key: "shared", ...note, scope: "subtree" })
      const as = member.session
      const source = (
        entry: Pick<ContextEntry, "key" | "level" | "distance" | "source_hidden" | "source_project_slug">
      ) => [entry.key, entry.level, entry.distance, entry.source_hidden, entry.source_project_slug]
      const expected = [
        ["policy", "inherited", 2, true, null],
        ["shared", "inherited", 1, false, "cellar"]
      ]
      const list = yield* listAt({ as, path: at("box") })
      assert.deepStrictEqual([list.chain_ok, list.data.map(source)], [false, expected])
      assert.deepStrictEqual(list.data[1]?.replaces, [
        { entry_id: shared.id, version: 1, level: "inherited", source_hidden: true, source_project_slug: null }
      ])
      const digest = yield* digestAt({ as, path: at("box", "/digest") })
      assert.deepStrictEqual([digest.chain_ok, digest.entries.map(source).sort()], [false, expected])
      const entry = yield* entryAt({ as, path: at("box", "/policy") })
      assert.deepStrictEqual([source(entry), entry.labels], [expected[0], ["legal"]])
      for (const [name, args] of [
        ["list_context_entries", { project: "box" }],
        ["get_context_digest", { project: "box" }],
        ["get_context_entry", { project: "box", key: "policy" }],
        ["get_project", { project: "box" }]
      ] as const) {
        const value = yield* viaTool(api_key, name, args)
        assert.notInclude(JSON.stringify(value), "vault", name)
        assert.include(JSON.stringify(value), '"source_hidden":true', name)
      }
      const whole = yield* listAt({ as: owner.session, path: at("box") })
      assert.deepStrictEqual(
        [whole.chain_ok, whole.data.map(({ source_project_slug }) => source_project_slug)],
        [true, ["vault", "cellar"]]
      )
      assert.isTrue((yield* digestAt({ as: owner.session, path: at("box", "/digest") })).chain_ok)
      assert.isTrue((yield* listAt({ as, path: at("mixed") })).chain_ok)
      assert.isTrue((yield* listAt({ as, path: "/api/context/entries" })).chain_ok)
    })
  )

  it.effect("shows of the history of what it passes down no text from before it was passed down", () =>
    Effect.gen(function* () {
      const { owner, member } = yield* aCompany
      const change = (etag: string, json: object) =>
        entryAt({ as: owner.session, path: at("vault", "/plan"), method: "PATCH", headers: { "if-match": etag }, json })
      const first = yield* write(owner, "vault", { key: "plan", ...note, body_md: "Among us." })
      const second = yield* change(first.etag, { scope: "subtree", body_md: "For all." })
      yield* change(second.etag, { body_md: "For all, again." })
      const history = (person: Person, slug: string) =>
        answered<{ data: ReadonlyArray<{ version: number; prev: { body_md: string | null } }> }>()({
          as: person.session,
          path: at(slug, "/plan/history")
        })
      const shown = ({ data }: Effect.Effect.Success<ReturnType<typeof history>>) =>
        data.map(({ version, prev }) => [version, prev.body_md])
      const all = [
        [3, "For all."],
        [2, "Among us."],
        [1, null]
      ]
      assert.deepStrictEqual(shown(yield* history(owner, "box")), all)
      assert.deepStrictEqual(shown(yield* history(member, "box")), [all[0], all[2]])
    })
  )

  it.effect(
    "changes no ETag, fingerprint or count by what happens in it, and all of them when it comes to be seen",
    () =>
      Effect.gen(function* () {
        const { owner, member } = yield* aCompany
        yield* write(owner, "vault", { key: "policy", ...note, scope: "subtree" })
        const views = Effect.gen(function* () {
          const as = member.session
          const list = yield* send({ as, path: at("box") })
          const digest = yield* send({ as, path: at("box", "/digest") })
          const counts = yield* answered<{ proposed_context_entries: number }>()({
            as,
            path: "/api/workspace/overview"
          })
          const todo = yield* answered<{ totals: object }>()({ as, path: "/api/workspace/todo" })
          return {
            texts: [list.text, digest.text],
            etags: [list.headers.etag, digest.headers.etag],
            counts: [counts.proposed_context_entries, todo.totals]
          }
        })
        const before = yield* views
        const { api_key } = yield* aKey(owner)
        yield* entryAt({ as: api_key, path: at("vault"), json: { key: "proposed", ...note } })
        yield* write(owner, "vault", { key: "own", ...note })
        yield* projectAt({ as: owner.session, path: "/api/projects/vault", method: "PATCH", json: { name: "Safe" } })
        assert.deepStrictEqual(yield* views, before)
        const unchanged = yield* send({
          as: member.session,
          path: at("box"),
          headers: { "if-none-match": before.etags[0] ?? "" }
        })
        assert.strictEqual(unchanged.status, 304)
        const json = { email: member.email, role: "viewer" }
        yield* answered()({ as: owner.session, path: "/api/projects/vault/roles", method: "PUT", json })
        const after = yield* views
        assert.notStrictEqual(after.etags[0], before.etags[0])
        assert.notStrictEqual(after.etags[1], before.etags[1])
        assert.deepStrictEqual([before.counts[0], after.counts[0]], [0, 1])
        const list = yield* listAt({ as: member.session, path: at("box") })
        assert.deepStrictEqual([list.chain_ok, list.data[0]?.source_project_slug], [true, "vault"])
        assert.strictEqual((yield* projectAt({ as: member.session, path: "/api/projects/vault" })).slug, "vault")
      })
  )

  it.effect("is no candidate of a repository's digest, and a hidden repository has none", () =>
    Effect.gen(function* () {
      const { owner, member } = yield* aCompany
      yield* projectAt({ as: owner.session, path: "/api/projects/empty/repositories", json: repository("open") })
      const as = member.session
      const digest = yield* digestAt({ as, path: "/api/repos/acme/open/main/context-digest" })
      assert.deepStrictEqual(digest.resolved_from?.candidates, ["empty", "mixed"])
      const [hidden, absent] = [
        yield* send({ as, path: "/api/repos/acme/secret/main/context-digest" }),
        yield* send({ as, path: "/api/repos/acme/nowhere/main/context-digest" })
      ]
      assert.deepStrictEqual([hidden.status, errorOf(hidden).code], [404, "not_found"])
      assert.strictEqual(
        withoutRequest(hidden.text).replaceAll("secret", "NAME"),
        withoutRequest(absent.text).replaceAll("nowhere", "NAME")
      )
    })
  )
})
