import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Projects, requireRole } from "../../../src/services/projects/Projects.ts"
import { aMember, aProject, aRegisteredRepository, as, aWorkspace, type Person } from "../../support/builders.ts"
import { TestApp } from "../../support/TestApp.ts"

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly spec: { readonly code: string } }, R>) =>
  Effect.match(effect, { onFailure: (error) => error.spec.code, onSuccess: () => "ok" })

/** An area with a space with a project, made by the owner. */
const aTree = (owner: Person) =>
  Effect.gen(function* () {
    yield* aProject(owner, { name: "Retail", kind: "area" })
    yield* aProject(owner, { name: "Checkout", kind: "space", parent: "retail" })
    return yield* aProject(owner, { name: "Cart & Basket", parent: "checkout" })
  })

layer(TestApp)("Projects", (it) => {
  it.effect("hang below each other as area, space, project, and know the line above them", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const project = yield* aTree(owner)
      assert.deepStrictEqual(
        [project.slug, project.kind, project.parent, project.ancestors, project.role],
        ["cart-basket", "project", "checkout", ["checkout", "retail"], "manager"]
      )
      const projects = yield* Projects
      const rejected = [
        projects.create({ name: "Area in a space", kind: "area", parent: "checkout" }),
        projects.create({ name: "Project in a project", parent: "cart-basket" }),
        projects.update("retail", { parent: "checkout" }),
        projects.create({ name: "Nowhere", parent: "nowhere" }),
        projects.create({ name: "Retail" }),
        projects.create({ name: "日本" })
      ]
      const codes = yield* Effect.forEach(rejected, codeOf).pipe(as(owner))
      assert.deepStrictEqual(codes, [
        "parent_invalid",
        "parent_invalid",
        "parent_invalid",
        "project_not_found",
        "slug_taken",
        "invalid_payload"
      ])
    })
  )

  it.effect("pass roles down, the widest along the line counting; admins are managers everywhere", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aTree(owner)
      const ada = yield* aMember(owner.workspace_id, "member")
      const projects = yield* Projects
      const roleAt = (slug: string) => Effect.map(projects.level(slug), ({ role }) => role).pipe(as(ada))
      assert.strictEqual(yield* roleAt("cart-basket"), null)
      yield* projects.grant("checkout", { email: ada.email.toUpperCase(), role: "editor" }).pipe(as(owner))
      yield* projects.grant("cart-basket", { email: ada.email, role: "viewer" }).pipe(as(owner))
      assert.deepStrictEqual(
        [yield* roleAt("retail"), yield* roleAt("checkout"), yield* roleAt("cart-basket")],
        [null, "editor", "editor"]
      )
      const wanting = (role: "viewer" | "editor" | "manager") =>
        Effect.flatMap(projects.level("cart-basket"), (level) => requireRole(level, role)).pipe(as(ada), codeOf)
      assert.deepStrictEqual(
        [yield* wanting("viewer"), yield* wanting("editor"), yield* wanting("manager")],
        ["ok", "ok", "project_access_required"]
      )
      const admin = yield* aMember(owner.workspace_id, "admin")
      assert.strictEqual((yield* projects.level("retail").pipe(as(admin))).role, "manager")
      yield* projects.withdraw("checkout", ada.user_id).pipe(as(owner))
      assert.strictEqual(yield* roleAt("checkout"), null)
      assert.strictEqual(yield* codeOf(projects.withdraw("checkout", ada.user_id).pipe(as(owner))), "not_found")
      const strange = projects.grant("checkout", { email: "stranger@example.org", role: "viewer" })
      assert.strictEqual(yield* codeOf(strange.pipe(as(owner))), "not_found")
    })
  )

  it.effect("are changed by managers of the level only, and moved where the mover manages both ends", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aTree(owner)
      yield* aProject(owner, { name: "Payments", kind: "area" })
      const lead = yield* aMember(owner.workspace_id, "member")
      const projects = yield* Projects
      yield* projects.grant("checkout", { email: lead.email, role: "manager" }).pipe(as(owner))
      const attempt = (effect: ReturnType<typeof projects.update>) => codeOf(effect.pipe(as(lead)))
      assert.strictEqual(yield* attempt(projects.update("cart-basket", { name: "Cart" })), "ok")
      assert.strictEqual(yield* attempt(projects.update("retail", { name: "R" })), "project_access_required")
      assert.strictEqual(yield* attempt(projects.update("checkout", { parent: "payments" })), "project_access_required")
      assert.strictEqual(yield* attempt(projects.update("cart-basket", { parent: null })), "project_access_required")
      const moved = yield* projects.update("checkout", { parent: "payments" }).pipe(as(owner))
      assert.deepStrictEqual([moved.ancestors, moved.name], [["payments"], "Checkout"])
      const below = yield* projects.get("cart-basket").pipe(as(owner))
      assert.deepStrictEqual(below.ancestors, ["checkout", "payments"])
    })
  )

  it.effect("hold repositories once each; the most specific level that holds one speaks for it", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      yield* aTree(owner)
      const { github_org, github_repo, github_base_branch } = yield* aRegisteredRepository(owner)
      const path = { github_org, github_repo, github_base_branch }
      const projects = yield* Projects
      const specific = Effect.map(projects.mostSpecificFor(path), ({ slugs }) => slugs).pipe(as(owner))
      assert.deepStrictEqual(yield* specific, [])
      yield* projects.addRepository("retail", path).pipe(as(owner))
      assert.deepStrictEqual(yield* specific, ["retail"])
      yield* projects.addRepository("cart-basket", path).pipe(as(owner))
      const twice = yield* projects.addRepository("cart-basket", path).pipe(as(owner))
      assert.deepStrictEqual(twice.repositories, [{ ...path, repo_name: "api@main" }])
      assert.deepStrictEqual(yield* specific, ["cart-basket"])
      yield* projects.removeRepository("cart-basket", path).pipe(as(owner))
      assert.deepStrictEqual(yield* specific, ["retail"])
    })
  )

  it.effect("stay where they are when one sends back what one sees of them below a hidden level", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const projects = yield* Projects
      yield* aTree(owner)
      const repository = yield* aRegisteredRepository(owner)
      yield* projects.addRepository("retail", repository).pipe(as(owner))
      const ada = yield* aMember(owner.workspace_id, "member")
      yield* projects.grant("checkout", { email: ada.email, role: "manager" }).pipe(as(owner))
      const blind = as({ caller: { ...ada.caller, hidden_repositories: [repository.id] } })
      const read = yield* projects.get("checkout").pipe(blind)
      assert.deepStrictEqual([read.parent, read.ancestors, read.source_hidden], [null, [null], true])
      const sentBack = yield* projects.update("checkout", { name: "Till", parent: read.parent }).pipe(blind)
      assert.deepStrictEqual([sentBack.name, sentBack.parent], ["Till", null])
      assert.strictEqual((yield* projects.get("checkout").pipe(as(owner))).parent, "retail")
      assert.strictEqual(
        yield* codeOf(projects.update("checkout", { parent: "retail" }).pipe(blind)),
        "project_not_found"
      )
    })
  )
})
