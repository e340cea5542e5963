import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { throughGitHub } from "../../../src/layers/GitHubCodeHost.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { RepositoryId, WorkspaceId } from "../../../src/schema/Ids.ts"
import { CodeHost } from "../../../src/services/ports/CodeHost.ts"
import type { InlineComment, ReviewPosting } from "../../../src/services/ports/PullRequest.ts"
import { aGitHub } from "../../support/GitHubServer.ts"
import { appAt, grantedPermissions } from "../../support/github/app.ts"
import type { Permissions } from "../../support/github/state.ts"
import { aFolder } from "../../support/gitRepository.ts"

const workspace_id = WorkspaceId.make("01a1f7f4-73e5-765f-a9a3-1ade393e2cf4")
const repository_id = RepositoryId.make("01a1f7f4-73e5-765f-a9a3-1ade393e2cf5")

const commentOn = (fingerprint: string, more: Partial<InlineComment> = {}): InlineComment => ({
  fingerprint,
  path: "a.txt",
  line: 1,
  body: `About ${fingerprint}.`,
  ...more
})

const reviewOf = (comments: ReadonlyArray<InlineComment>) => ({
  title: `${comments.length} new observations`,
  summary: `This change introduces ${comments.length} observations.`,
  conclusion: comments.length === 0 ? ("success" as const) : ("failure" as const),
  comments,
  maxComments: 10,
  fingerprints: comments.map(({ fingerprint }) => fingerprint),
  isComplete: true
})

/** A pull request of a private repository that the app covers. */
const aPull = (permissions: Permissions = grantedPermissions) =>
  Effect.gen(function* () {
    const github = yield* aGitHub
    const installation = github.state.install("acme", permissions)
    const hosted = github.state.host("acme", "shop", { "a.txt": "one\n" }, { isPrivate: true, installation })
    hosted.bare.git("branch", "feature", "main")
    const push = (text: string) => {
      const commit = hosted.bare.commit({ "a.txt": text }, { branch: "feature" })
      github.state.follow(hosted)
      return commit
    }
    const commit = push("two\n")
    const pull = github.state.open(hosted, { title: "Change", body: "", head: "feature", base: "main", by: "ann" })
    const git = PlainGitCodeHost.layer({ dataDir: aFolder(), localRoots: [], allowPrivateNetwork: true })
    const host = yield* Effect.provide(CodeHost, throughGitHub(git, appAt(github)))
    const access = { workspace_id, repository_id, access_mode: "installed" as const }
    const remote = { url: `${github.url}/acme/shop.git`, access }
    const show = (comments: ReadonlyArray<InlineComment>, more: Partial<ReviewPosting> = {}) =>
      host.postReview({ remote, number: pull.number, commit, ...reviewOf(comments), ...more })
    const shown = () => ({
      summaries: pull.comments.map(({ body }) => body.split("\n").at(-1)),
      comments: pull.reviewComments.map(
        ({ body, resolved }) => `${body.split("\n").at(-1)}${resolved ? " resolved" : ""}`
      ),
      checks: hosted.checkRuns.map(({ head_sha, conclusion }) => [head_sha, conclusion])
    })
    return { github, hosted, pull, commit, push, host, remote, show, shown }
  })

const addReview = "POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews"

describe("a review on GitHub", () => {
  it.scopedLive("is one summary, its comments on lines and one check; shown again, it changes nothing", () =>
    Effect.gen(function* () {
      const { github, hosted, pull, commit, show, shown } = yield* aPull()
      const comments = [commentOn("f1"), commentOn("f2")]
      const posted = Option.getOrThrow(yield* show(comments))
      assert.strictEqual(posted.comments, 2)
      assert.match(posted.summary_url, /\/comments\/\d+$/)
      assert.match(posted.check_url ?? "", /\/checks\/\d+$/)
      const first = shown()
      assert.deepStrictEqual(first, {
        summaries: ["This change introduces 2 observations."],
        comments: ["About f1.", "About f2."],
        checks: [[commit, "failure"]]
      })
      assert.lengthOf(pull.reviews, 1)
      const [check] = hosted.checkRuns
      assert.deepStrictEqual([check?.status, check?.title], ["completed", "2 new observations"])
      github.calls.length = 0
      assert.deepStrictEqual(Option.getOrThrow(yield* show(comments)), posted)
      assert.deepStrictEqual(shown(), first)
      assert.deepStrictEqual(
        github.calls.filter((call) => !call.startsWith("GET ")),
        ["PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}"]
      )
    })
  )

  it.scopedLive(
    "follows a push: edits the summary, keeps comments that still hold, resolves those of what is gone",
    () =>
      Effect.gen(function* () {
        const { pull, commit: first, push, show, shown } = yield* aPull()
        yield* show([commentOn("f1"), commentOn("f2"), commentOn("f3")])
        const [, kept, reworded] = pull.reviewComments.map(({ id }) => id)
        const second = push("three\n")
        yield* show([commentOn("f2"), commentOn("f3", { body: "Worse." }), commentOn("f4")], { commit: second })
        assert.deepStrictEqual(shown(), {
          summaries: ["This change introduces 3 observations."],
          comments: ["About f1. resolved", "About f2.", "Worse.", "About f4."],
          checks: [
            [first, "failure"],
            [second, "failure"]
          ]
        })
        assert.include(pull.reviewComments[0]?.body, `No longer found at ${second}.`)
        assert.deepStrictEqual(
          pull.reviewComments.slice(1, 3).map(({ id }) => id),
          [kept, reworded]
        )
        const third = push("four\n")
        yield* show([commentOn("f1")], { commit: third })
        assert.deepStrictEqual(
          shown().comments,
          ["About f1. resolved", "About f2. resolved", "Worse. resolved", "About f4. resolved", "About f1."],
          "what comes back is a comment of its own"
        )
      })
  )

  it.scopedLive("resolves nothing when not everything was looked for", () =>
    Effect.gen(function* () {
      const { push, show, shown } = yield* aPull()
      yield* show([commentOn("f1")])
      yield* show([], { commit: push("three\n"), isComplete: false })
      assert.deepStrictEqual(shown().comments, ["About f1."])
    })
  )

  it.scopedLive("shows ten comments at most, with those of earlier reviews", () =>
    Effect.gen(function* () {
      const { push, show, shown } = yield* aPull()
      const many = (name: string, count: number) => Array.from({ length: count }, (_, i) => commentOn(`${name}${i}`))
      yield* show(many("a", 12))
      assert.lengthOf(shown().comments, 10)
      const posted = yield* show([...many("b", 12), ...many("a", 4)], { commit: push("three\n") })
      assert.strictEqual(Option.getOrThrow(posted).comments, 10)
      assert.lengthOf(
        shown().comments.filter((comment) => !comment.endsWith("resolved")),
        10
      )
    })
  )

  it.scopedLive("shows the other comments when GitHub does not show the place of one", () =>
    Effect.gen(function* () {
      const { show, shown } = yield* aPull()
      const posted = yield* show([commentOn("f1"), commentOn("f2", { path: "elsewhere.txt" }), commentOn("f3")])
      assert.strictEqual(Option.getOrThrow(posted).comments, 2)
      assert.deepStrictEqual(shown().comments, ["About f1.", "About f3."])
    })
  )

  const effects = [
    addReview,
    "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    "POST /repos/{owner}/{repo}/check-runs",
    "PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}",
    "POST /graphql"
  ]
  for (const operation of effects) {
    it.scopedLive(`repeats no effect when the connection is cut after ${operation}`, () =>
      Effect.gen(function* () {
        const { github, pull, push, show, shown } = yield* aPull()
        github.misbehave({ operation, times: 1, how: { kind: "cut", after: true } })
        yield* show([commentOn("f1"), commentOn("f2")])
        yield* show([commentOn("f2"), commentOn("f3")], { commit: push("three\n") })
        assert.deepStrictEqual(shown().comments, ["About f1. resolved", "About f2.", "About f3."])
        assert.lengthOf(shown().summaries, 1)
        assert.lengthOf(shown().checks, 2)
        assert.lengthOf(pull.reviews, 2)
      })
    )
  }

  it.scopedLive("is completed by the next run when the one before ended in the middle", () =>
    Effect.gen(function* () {
      const { github, pull, show, shown } = yield* aPull()
      github.misbehave({ operation: addReview, times: 3, how: { kind: "cut", after: false } })
      assert.strictEqual((yield* Effect.flip(show([commentOn("f1")]))).reason, "unreachable")
      assert.deepStrictEqual(shown().comments, [])
      yield* show([commentOn("f1")])
      assert.deepStrictEqual([shown().comments, pull.reviews.length], [["About f1."], 1])
    })
  )

  it.scopedLive("leaves comments of others alone, though they quote its marker", () =>
    Effect.gen(function* () {
      const { pull, show, shown } = yield* aPull()
      yield* show([commentOn("f1")])
      const [ours] = pull.reviewComments
      pull.reviewComments.push({ ...ours!, id: 5, body: `As said:\n${ours?.body}` })
      yield* show([])
      assert.deepStrictEqual(shown().comments, ["About f1. resolved", "About f1."])
    })
  )

  it.scopedLive("is not shown on a pull request that has ended or moved on", () =>
    Effect.gen(function* () {
      const { pull, commit, push, show, shown } = yield* aPull()
      const newer = push("three\n")
      assert.deepStrictEqual(yield* show([commentOn("f1")], { commit }), Option.none())
      pull.state = "closed"
      assert.deepStrictEqual(yield* show([commentOn("f1")], { commit: newer }), Option.none())
      assert.deepStrictEqual(shown(), { summaries: [], comments: [], checks: [] })
    })
  )

  it.scopedLive("has no check where the app may not write checks", () =>
    Effect.gen(function* () {
      const { checks: _, ...others } = grantedPermissions
      const { show, shown } = yield* aPull(others)
      const posted = Option.getOrThrow(yield* show([commentOn("f1")]))
      assert.deepStrictEqual([posted.comments, posted.check_url], [1, null])
      assert.deepStrictEqual(shown().checks, [])
    })
  )

  it.scopedLive("is not shown where the repository is plain git to us", () =>
    Effect.gen(function* () {
      const { github, commit, host, remote, pull } = yield* aPull()
      const { access: _, ...anonymous } = remote
      const review = { number: pull.number, commit, ...reviewOf([commentOn("f1")]) }
      assert.deepStrictEqual(yield* host.postReview({ remote: anonymous, ...review }), Option.none())
      assert.deepStrictEqual(github.calls, [])
    })
  )
})
