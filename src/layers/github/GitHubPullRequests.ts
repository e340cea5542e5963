import { Effect, Option, Redacted } from "effect"
import type { GitHubApp, GitHubRepository, TokenPermissions } from "../../services/ports/GitHubApp.ts"
import type {
  OpenedPullRequest,
  PullRequestKey,
  PullRequestState,
  PullRequestText
} from "../../services/ports/PullRequest.ts"
import { CodeHostError } from "../../services/ports/Remote.ts"
import { fromGitHub } from "./failures.ts"
import type { GitHubClient, GitHubFailure, GitHubRequest } from "./GitHubClient.ts"

/** A repository on GitHub, and calls by the token of its installation. */
export interface GitHubAccess extends GitHubRepository {
  readonly look: Ask
  readonly change: Ask
  readonly graphql: <A>(query: string, variables: Record<string, unknown>) => Effect.Effect<A, GitHubFailure>
}

type Ask = <A>(call: (request: GitHubRequest) => Promise<{ readonly data: A }>) => Effect.Effect<A, GitHubFailure>

/** Calls for one purpose, with a token for no more than it. A token that GitHub takes no longer is replaced once. */
export const accessTo = (
  { app, client }: { readonly app: GitHubApp; readonly client: GitHubClient },
  repository: GitHubRepository,
  permissions: TokenPermissions
): Effect.Effect<GitHubAccess, CodeHostError> => {
  const authorization = Effect.map(app.token(repository, permissions), (token) => `Bearer ${Redacted.value(token)}`)
  return Effect.map(authorization, (first) => {
    let current = first
    const renewed = Effect.zipRight(app.forget(repository), authorization).pipe(
      Effect.tap((next) =>
        Effect.sync(() => {
          current = next
        })
      )
    )
    const again = <A>(call: () => Effect.Effect<A, GitHubFailure>) =>
      Effect.catchIf(
        Effect.suspend(call),
        ({ status }) => status === 401,
        (failure) =>
          Effect.zipRight(
            Effect.mapError(renewed, () => failure),
            Effect.suspend(call)
          )
      )
    return {
      ...repository,
      look: (call) => again(() => client.look(current, call)),
      change: (call) => again(() => client.change(current, call)),
      graphql: (query, variables) => again(() => client.graphql(current, query, variables))
    }
  })
}

export const pullPermissions: TokenPermissions = { pull_requests: "write", issues: "write", contents: "write" }
export const reviewPermissions: TokenPermissions = { pull_requests: "write", issues: "write" }
export const checkPermissions: TokenPermissions = { checks: "write" }

/** Lists end at this many pages: a pull request with more comments than that is no place for another one. */
const maxPages = 20
export const pageSize = 100

/** The elements of all pages. */
export const everyPage = <A>(
  read: (page: number) => Effect.Effect<ReadonlyArray<A>, GitHubFailure>
): Effect.Effect<ReadonlyArray<A>, GitHubFailure> => {
  const from = (page: number, before: ReadonlyArray<A>): Effect.Effect<ReadonlyArray<A>, GitHubFailure> =>
    Effect.flatMap(read(page), (found) =>
      found.length < pageSize || page === maxPages
        ? Effect.succeed([...before, ...found])
        : from(page + 1, [...before, ...found])
    )
  return from(1, [])
}

export const named = ({ owner, repo }: GitHubAccess) => ({ owner, repo })

/** Newest first. */
const pullsOf = (access: GitHubAccess, { head, base }: Pick<PullRequestKey, "head" | "base">) =>
  access.look((request) =>
    request("GET /repos/{owner}/{repo}/pulls", {
      ...named(access),
      head: `${access.owner}:${head}`,
      base,
      state: "all",
      per_page: pageSize
    })
  )

const branchCommit = (access: GitHubAccess, branch: string) =>
  access
    .look((request) => request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...named(access), ref: `heads/${branch}` }))
    .pipe(
      Effect.map(({ object }) => Option.some(object.sha)),
      Effect.catchIf(
        ({ status }) => status === 404,
        () => Effect.succeedNone
      )
    )

/** The pull request of what the branch holds now: an ended one of an earlier branch of this name is another. */
const existing = Effect.fnUntraced(function* (access: GitHubAccess, key: Pick<PullRequestKey, "head" | "base">) {
  const pulls = yield* pullsOf(access, key)
  const open = pulls.find(({ state }) => state === "open")
  if (open !== undefined || pulls.length === 0) return Option.fromNullable(open)
  const commit = yield* branchCommit(access, key.head)
  return Option.fromNullable(pulls.find(({ head }) => head.sha === Option.getOrNull(commit)))
})

const openedOf = ({ html_url, number }: { readonly html_url: string; readonly number: number }): OpenedPullRequest => ({
  url: html_url,
  number
})

export const openPull = (
  access: GitHubAccess,
  request: Omit<PullRequestKey, "number" | "repositoryId"> & PullRequestText
) => {
  const { title, body, head, base } = request
  const create = access.change((ask) =>
    ask("POST /repos/{owner}/{repo}/pulls", { ...named(access), title, body, head, base, maintainer_can_modify: true })
  )
  const found = existing(access, { head, base })
  return found.pipe(
    Effect.flatMap(
      Option.match({
        onSome: (pull) => Effect.succeed(openedOf(pull)),
        onNone: () =>
          Effect.catchIf(Effect.map(create, openedOf), mayExist, (failure) =>
            Effect.flatMap(
              found,
              Option.match({ onSome: (pull) => Effect.succeed(openedOf(pull)), onNone: () => Effect.fail(failure) })
            )
          )
      })
    ),
    Effect.mapError(fromGitHub(`The pull request of ${head}`))
  )
}

/** Another call opened it meanwhile, or the answer to ours was lost. */
const mayExist = ({ status, message }: GitHubFailure) =>
  status === 0 || status >= 500 || (status === 422 && /already exists/i.test(message))

const numberOf = (access: GitHubAccess, { number, head, base }: Pick<PullRequestKey, "number" | "head" | "base">) =>
  number !== null
    ? Effect.succeed(number)
    : Effect.flatMap(existing(access, { head, base }), (found) =>
        Option.isSome(found)
          ? Effect.succeed(found.value.number)
          : Effect.flatMap(pullsOf(access, { head, base }), ([newest]) =>
              newest === undefined ? Effect.fail(noSuchPull) : Effect.succeed(newest.number)
            )
      )

const noSuchPull = new CodeHostError({ reason: "not_found", message: "There is no pull request of this branch." })

/** Failures of the API as the port's; those that are the port's already stay. */
const asHostError =
  (what: string) =>
  (failure: GitHubFailure | CodeHostError): CodeHostError =>
    failure._tag === "CodeHostError" ? failure : fromGitHub(what)(failure)

export const lookAt = (access: GitHubAccess, pull_number: number) =>
  access.look((ask) => ask("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...named(access), pull_number }))

export const updatePull = (access: GitHubAccess, request: PullRequestKey & PullRequestText) =>
  Effect.flatMap(numberOf(access, request), (pull_number) =>
    access.change((ask) =>
      ask("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", {
        ...named(access),
        pull_number,
        title: request.title,
        body: request.body
      })
    )
  ).pipe(Effect.asVoid, Effect.mapError(asHostError(`The pull request of ${request.head}`)))

const deleteBranch = (access: GitHubAccess, branch: string) =>
  access
    .change((ask) => ask("DELETE /repos/{owner}/{repo}/git/refs/{ref}", { ...named(access), ref: `heads/${branch}` }))
    .pipe(
      Effect.catchIf(
        ({ status }) => status === 404 || status === 422,
        () => Effect.void
      ),
      Effect.asVoid
    )

/** Says why, closes it and deletes its branch; a merged one stays as it is. */
export const closePull = (access: GitHubAccess, request: PullRequestKey & { readonly comment: string }) =>
  Effect.gen(function* () {
    const pull_number = yield* numberOf(access, request)
    const pull = yield* lookAt(access, pull_number)
    if (pull.merged) return
    if (pull.state === "open") {
      yield* writeComment(access, pull_number, { marker: "assay:closed", body: request.comment })
      yield* access.change((ask) =>
        ask("PATCH /repos/{owner}/{repo}/pulls/{pull_number}", { ...named(access), pull_number, state: "closed" })
      )
    }
    yield* deleteBranch(access, request.head)
  }).pipe(Effect.mapError(asHostError(`Closing the pull request of ${request.head}`)))

export const stateOfPull = (
  access: GitHubAccess,
  request: PullRequestKey
): Effect.Effect<PullRequestState, CodeHostError> =>
  Effect.gen(function* () {
    const pull = yield* lookAt(access, yield* numberOf(access, request))
    const head_commit = pull.state === "open" ? Option.some(pull.head.sha) : yield* branchCommit(access, request.head)
    return {
      state: pull.merged ? ("merged" as const) : pull.state,
      head_commit: Option.getOrNull(head_commit),
      // Of an open one it is a commit that GitHub made to try the merge.
      merge_commit: pull.merged ? pull.merge_commit_sha : null,
      conflicted: pull.mergeable === null ? null : !pull.mergeable
    }
  }).pipe(Effect.mapError(asHostError(`The pull request of ${request.head}`)))

const markerLine = (marker: string) => `<!-- ${marker} -->`

/** Writes the comment with this marker, or gives the one that is there this body. */
export const writeComment = Effect.fnUntraced(function* (
  access: GitHubAccess,
  issue_number: number,
  { marker, body }: { readonly marker: string; readonly body: string }
) {
  const comments = yield* everyPage((page) =>
    access.look((ask) =>
      ask("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...named(access),
        issue_number,
        per_page: pageSize,
        page
      })
    )
  )
  const text = `${markerLine(marker)}\n${body}`
  // Anyone may quote a marker; only our own comment can be changed.
  const known = comments.find((one) => one.body?.startsWith(markerLine(marker)) && one.user?.type === "Bot")
  if (known?.body === text) return known.html_url
  const written =
    known === undefined
      ? access.change((ask) =>
          ask("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
            ...named(access),
            issue_number,
            body: text
          })
        )
      : access.change((ask) =>
          ask("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", {
            ...named(access),
            comment_id: known.id,
            body: text
          })
        )
  return (yield* written).html_url
})

export const commentOn = (
  access: GitHubAccess,
  request: PullRequestKey & { readonly marker: string; readonly body: string }
) =>
  Effect.flatMap(numberOf(access, request), (number) => writeComment(access, number, request)).pipe(
    Effect.asSome,
    Effect.mapError(asHostError(`The comment on the pull request of ${request.head}`))
  )
