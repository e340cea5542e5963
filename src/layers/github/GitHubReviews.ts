import { Effect } from "effect"
import type { InlineComment, ReviewPosting } from "../../services/ports/PullRequest.ts"
import { fromGitHub } from "./failures.ts"
import type { GitHubFailure } from "./GitHubClient.ts"
import { everyPage, type GitHubAccess, lookAt, named, pageSize, writeComment } from "./GitHubPullRequests.ts"

const checkName = "Assay"

const markerOf = (fingerprint: string) => `<!-- assay:finding ${fingerprint} -->`
const markerLine = /^<!-- assay:finding (\S+) -->/
/** In place of the marker once the finding is gone: a finding that comes back is a new comment. */
const goneMarker = "<!-- assay:gone -->"

const textOf = ({ fingerprint, body }: InlineComment) => `${markerOf(fingerprint)}\n${body}`

const goneText = (body: string, commit: string) =>
  body.replace(markerLine, `${goneMarker}\nNo longer found at ${commit}.\n`)

interface Posted {
  readonly id: number
  readonly fingerprint: string
  readonly body: string
}

/** Our comments on lines: anyone may copy a marker, but only a bot's comment can be ours. */
const postedOn = (access: GitHubAccess, pull_number: number) =>
  Effect.map(
    everyPage((page) =>
      access.look((ask) =>
        ask("GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", {
          ...named(access),
          pull_number,
          per_page: pageSize,
          page
        })
      )
    ),
    (comments) =>
      comments.flatMap(({ id, body, user }): ReadonlyArray<Posted> => {
        const fingerprint = markerLine.exec(body)?.[1]
        return fingerprint === undefined || user?.type !== "Bot" ? [] : [{ id: Number(id), fingerprint, body }]
      })
  )

interface Threads {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewThreads: {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
        readonly nodes: ReadonlyArray<{
          readonly id: string
          readonly isResolved: boolean
          readonly comments: { readonly nodes: ReadonlyArray<{ readonly fullDatabaseId: string | null }> }
        } | null>
      }
    } | null
  } | null
}

const threadsQuery = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { fullDatabaseId } } }
      }
    }
  }
}`

const resolveMutation = `mutation ($thread: ID!) {
  resolveReviewThread(input: { threadId: $thread }) { thread { id isResolved } }
}`

/** The open threads that begin with one of these comments. */
const openThreads = (
  access: GitHubAccess,
  number: number,
  comments: ReadonlySet<string>,
  after: string | null = null
): Effect.Effect<ReadonlyArray<string>, GitHubFailure> =>
  Effect.flatMap(access.graphql<Threads>(threadsQuery, { ...named(access), number, after }), ({ repository }) => {
    const threads = repository?.pullRequest?.reviewThreads
    if (threads === undefined) return Effect.succeed([])
    const found = threads.nodes.flatMap((thread) =>
      thread !== null && !thread.isResolved && comments.has(thread.comments.nodes[0]?.fullDatabaseId ?? "")
        ? [thread.id]
        : []
    )
    const { hasNextPage, endCursor } = threads.pageInfo
    if (!hasNextPage || endCursor === null) return Effect.succeed(found)
    return Effect.map(openThreads(access, number, comments, endCursor), (more) => [...found, ...more])
  })

const edit = (access: GitHubAccess, comment_id: number, body: string) =>
  access.change((ask) =>
    ask("PATCH /repos/{owner}/{repo}/pulls/comments/{comment_id}", { ...named(access), comment_id, body })
  )

/** Resolves their threads; then they say so, and count as ours no more. */
const retire = Effect.fnUntraced(function* (
  access: GitHubAccess,
  { number, commit }: ReviewPosting,
  gone: ReadonlyArray<Posted>
) {
  if (gone.length === 0) return
  const threads = yield* openThreads(access, number, new Set(gone.map(({ id }) => String(id))))
  yield* Effect.forEach(threads, (thread) => access.graphql<unknown>(resolveMutation, { thread }), { discard: true })
  yield* Effect.forEach(gone, ({ id, body }) => edit(access, id, goneText(body, commit)), { discard: true })
})

/**
 * All at once, as one review; how many GitHub took. It takes none of them where it does not show the place of one in the
 * change: then each is tried alone.
 */
const add = (
  access: GitHubAccess,
  review: ReviewPosting,
  comments: ReadonlyArray<InlineComment>
): Effect.Effect<number, GitHubFailure> =>
  comments.length === 0
    ? Effect.succeed(0)
    : access
        .change((ask) =>
          ask("POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews", {
            ...named(access),
            pull_number: review.number,
            commit_id: review.commit,
            event: "COMMENT",
            comments: comments.map((one) => ({
              path: one.path,
              line: one.line,
              side: "RIGHT",
              ...(one.start_line === undefined ? {} : { start_line: one.start_line, start_side: "RIGHT" }),
              body: textOf(one)
            }))
          })
        )
        .pipe(
          Effect.as(comments.length),
          Effect.catchIf(
            ({ status }) => status === 422,
            () =>
              comments.length === 1
                ? Effect.succeed(0)
                : Effect.map(
                    Effect.forEach(comments, (one) => add(access, review, [one])),
                    (taken) => taken.reduce((sum, count) => sum + count, 0)
                  )
          )
        )

/** Sets the check of the commit, in place of an earlier one. */
const writeCheck = Effect.fnUntraced(function* (access: GitHubAccess, { commit, conclusion, ...text }: ReviewPosting) {
  const { check_runs } = yield* access.look((ask) =>
    ask("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
      ...named(access),
      ref: commit,
      check_name: checkName,
      per_page: pageSize
    })
  )
  const [known] = check_runs
  const ended = { status: "completed" as const, conclusion, output: { title: text.title, summary: text.summary } }
  const written =
    known === undefined
      ? access.change((ask) =>
          ask("POST /repos/{owner}/{repo}/check-runs", {
            ...named(access),
            ...ended,
            name: checkName,
            head_sha: commit
          })
        )
      : access.change((ask) =>
          ask("PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}", {
            ...named(access),
            ...ended,
            check_run_id: known.id
          })
        )
  return (yield* written).html_url
})

/** What is there is looked at before each change, so the whole may simply run again. */
const again = <A>(effect: Effect.Effect<A, GitHubFailure>): Effect.Effect<A, GitHubFailure> =>
  Effect.retry(effect, { while: ({ status }) => status === 0 || status >= 500, times: 2 })

/**
 * Makes the pull request show this review and no other: one summary, and the comments on lines. A pull request that has
 * ended or moved on since is left alone.
 */
export const postReview = (access: GitHubAccess, review: ReviewPosting) =>
  Effect.gen(function* () {
    const { number } = review
    const pull = yield* lookAt(access, number)
    if (pull.state !== "open" || pull.head.sha !== review.commit) return null
    const posted = yield* postedOn(access, number)
    const current = new Set(review.fingerprints)
    const gone = review.isComplete ? posted.filter(({ fingerprint }) => !current.has(fingerprint)) : []
    yield* retire(access, review, gone)
    const shown = new Map(posted.map((one) => [one.fingerprint, one]))
    for (const comment of review.comments) {
      const known = shown.get(comment.fingerprint)
      if (known !== undefined && known.body !== textOf(comment)) yield* edit(access, known.id, textOf(comment))
    }
    const kept = posted.length - gone.length
    const fresh = review.comments.filter(({ fingerprint }) => !shown.has(fingerprint))
    const added = yield* add(access, review, fresh.slice(0, Math.max(0, review.maxComments - kept)))
    const summary_url = yield* writeComment(access, number, { marker: "assay:review", body: review.summary })
    return { summary_url, comments: kept + added }
  }).pipe(again, Effect.mapError(fromGitHub(`The review of pull request ${review.number}`)))

/** The address of the check. */
export const postCheck = (access: GitHubAccess, review: ReviewPosting) =>
  writeCheck(access, review).pipe(again, Effect.mapError(fromGitHub(`The check of ${review.commit}`)))
