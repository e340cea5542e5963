import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { throughGitHub } from "../../../src/layers/GitHubCodeHost.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { Observations } from "../../../src/services/observations/Observations.ts"
import { aGitHub, type GitHubServer } from "../../support/GitHubServer.ts"
import { appAt, grantedPermissions } from "../../support/github/app.ts"
import { aFolder } from "../../support/gitRepository.ts"
import { as, aTenant } from "../../support/jobs.ts"
import { numberOf } from "../../support/services.ts"
import { observed, ran, workshopWith } from "../../support/workflows.ts"

const query = (name: string) =>
  `export const ${name} = (req, db) => db.query("SELECT * FROM ${name} WHERE id = " + req.query.id)\n`

const bound = 'export const a = (req, db) => db.query("SELECT 1 WHERE id = $1", [req.query.id])\n'

class GitHub extends Context.Tag("test/GitHub")<GitHub, GitHubServer>() {}

/** Services whose repositories are on a GitHub that the app is used for. */
const WorkshopOnGitHub = Layer.unwrapEffect(
  Effect.map(GitHub, (server) => {
    const git = PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [], allowPrivateNetwork: true })
    return workshopWith({ host: throughGitHub(git, appAt(server)) })
  })
).pipe(Layer.provideMerge(Layer.scoped(GitHub, aGitHub)))

let organisations = 0

/** A pull request that adds these files to the repository of a workspace. */
const aPull = (mode: "installed" | "anonymous") =>
  Effect.gen(function* () {
    const github = yield* GitHub
    const sql = yield* SqlClient.SqlClient
    const owner = `acme-${++organisations}`
    const installation = github.state.install(owner, grantedPermissions)
    const files = { "src/lib.js": "export const one = 1\n", "src/known.js": query("known") }
    const hosted = github.state.host(owner, "shop", files, { isPrivate: false, installation })
    const tenant = yield* aTenant()
    yield* sql`UPDATE repositories SET clone_url = ${`${github.url}/${owner}/shop.git`}, access_mode = ${mode}
      WHERE id = ${tenant.repository_id}`
    const branched = () => hosted.bare.git("branch", "feature", "main")
    const push = (...[changed, change]: Parameters<typeof hosted.bare.commit>) => {
      const commit = hosted.bare.commit(changed, { ...change, branch: "feature" })
      github.state.follow(hosted)
      return commit
    }
    const open = () =>
      github.state.open(hosted, { title: "Change", body: "", head: "feature", base: "main", by: "ann" })
    const review = (head: string) => ran(tenant, "review", { pull_request: 1, head })
    return { github, hosted, tenant, branched, push, open, review }
  })

type World = Effect.Effect.Success<ReturnType<typeof aPull>>

/** Audits the base branch, dismisses all that is found there, and removes that code. */
const dismissAll = ({ tenant, hosted }: World) =>
  Effect.gen(function* () {
    const { status, error } = yield* ran(tenant, "standard_audit")
    assert.strictEqual(status, "completed", error ?? "")
    const refs = [...(yield* observed(tenant)).keys()]
    assert.isNotEmpty(refs)
    const observations = yield* Observations
    for (const ref of refs) {
      yield* as(tenant)(
        observations.dismiss(numberOf(ref), { dismissal_category: "wont_fix", dismissal_note: "We live with it." })
      )
    }
    hosted.bare.commit({ "src/lib.js": "export const two = 2\n" }, { remove: ["src/known.js"] })
  })

layer(WorkshopOnGitHub, { timeout: "10 minutes", excludeTestServices: true })("a review of a pull request", (it) => {
  it.effect(
    "is shown on it without what was dismissed; the next push edits it and resolves what is gone",
    () =>
      Effect.gen(function* () {
        const world = yield* aPull("installed")
        const { hosted, branched, push, open, review } = world
        yield* dismissAll(world)
        branched()
        const first = push({ "src/known.js": query("known"), "src/a.js": query("a"), "src/b.js": query("b") })
        const pull = open()
        const { result, error } = yield* review(first)
        const introduced = (result?.introduced ?? []) as ReadonlyArray<{ readonly file_path: string }>
        assert.isTrue(
          introduced.some(({ file_path }) => file_path === "src/known.js"),
          error ?? "the job has what was dismissed, too"
        )
        const unresolved = () => pull.reviewComments.filter(({ resolved }) => !resolved)
        const paths = () => [...new Set(unresolved().map(({ path }) => path))].sort()
        assert.deepStrictEqual(paths(), ["src/a.js", "src/b.js"])
        assert.lengthOf(pull.comments, 1)
        assert.notInclude(pull.comments[0]?.body, "src/known.js")
        assert.include(pull.comments[0]?.body, "src/a.js")
        assert.deepInclude(result?.posted, {
          summary_url: `${world.github.url}/comments/${pull.comments[0]?.id}`,
          comments: unresolved().length
        })
        assert.deepStrictEqual(
          hosted.checkRuns.map(({ head_sha, status }) => [head_sha, status]),
          [[first, "completed"]]
        )
        const kept = unresolved().filter(({ path }) => path === "src/b.js")

        const second = push({
          "src/a.js": bound,
          "src/b.js": `// One more line.\n${query("b")}`,
          "src/c.js": query("c")
        })
        yield* review(second)
        assert.deepStrictEqual(paths(), ["src/b.js", "src/c.js"])
        assert.deepStrictEqual(
          unresolved()
            .filter(({ path }) => path === "src/b.js")
            .map(({ id }) => id),
          kept.map(({ id }) => id)
        )
        assert.lengthOf(pull.comments, 1)
        assert.notInclude(pull.comments[0]?.body, "src/a.js")
        assert.deepStrictEqual(
          hosted.checkRuns.map(({ head_sha }) => head_sha),
          [first, second]
        )
      }),
    600_000
  )

  it.effect(
    "keeps its result when GitHub does not take it",
    () =>
      Effect.gen(function* () {
        const { github, branched, push, open, review } = yield* aPull("installed")
        branched()
        const head = push({ "src/a.js": query("a") })
        const pull = open()
        github.misbehave({
          operation: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
          times: 1,
          how: { kind: "answer", status: 403, message: "Resource not accessible by integration" }
        })
        const { status, result } = yield* review(head)
        assert.deepStrictEqual([status, result?.posted, pull.comments], ["completed", null, []])
        assert.isAbove(Number(result?.introduced_count), 0)
      }),
    600_000
  )

  it.effect(
    "stays in the job where the repository is plain git",
    () =>
      Effect.gen(function* () {
        const { hosted, branched, push, open, review } = yield* aPull("anonymous")
        branched()
        const head = push({ "src/a.js": query("a") })
        const pull = open()
        const { status, result } = yield* review(head)
        assert.deepStrictEqual([status, result?.posted], ["completed", null])
        assert.isAbove(Number(result?.comments_count), 0)
        assert.deepStrictEqual([pull.comments, pull.reviews, hosted.checkRuns], [[], [], []])
      }),
    600_000
  )
})
