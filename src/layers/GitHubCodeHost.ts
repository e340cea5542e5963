import { Effect, Layer, Option } from "effect"
import { CodeHost } from "../services/ports/CodeHost.ts"
import type { GitHubApp, GitHubRepository } from "../services/ports/GitHubApp.ts"
import type { PostedReview, ReviewPosting } from "../services/ports/PullRequest.ts"
import type { Remote } from "../services/ports/Remote.ts"
import { type RemoteCredential, RemoteCredentials } from "../services/ports/RemoteCredentials.ts"
import type { GitHubClient } from "./github/GitHubClient.ts"
import {
  accessTo,
  checkPermissions,
  closePull,
  commentOn,
  openPull,
  pullPermissions,
  reviewPermissions,
  stateOfPull,
  updatePull
} from "./github/GitHubPullRequests.ts"
import { postCheck, postReview } from "./github/GitHubReviews.ts"

type Abilities = typeof CodeHost.Service

/** The repository on GitHub that the app is used for: the remote is there, and registered through the installation. */
export const throughApp = (app: GitHubApp | null, { url, access }: Remote): Option.Option<GitHubRepository> =>
  app === null || access?.access_mode !== "installed" ? Option.none() : app.repositoryOf(url)

/** Reads and pushes by git as any other remote, and has pull requests by GitHub's API. */
export const gitHubCodeHost = (
  git: Abilities,
  github: { readonly app: GitHubApp; readonly client: GitHubClient }
): Abilities => {
  /** By the API where the app is used, else as git alone can. */
  const either =
    <R extends { readonly remote: Remote }, A, E>(
      byApi: (repository: GitHubRepository, request: R) => Effect.Effect<A, E>,
      byGit: (request: R) => Effect.Effect<A, E>
    ) =>
    (request: R) =>
      Option.match(throughApp(github.app, request.remote), {
        onNone: () => byGit(request),
        onSome: (repository) => byApi(repository, request)
      })
  const access = (repository: GitHubRepository) => accessTo(github, repository, pullPermissions)
  return {
    ...git,
    openPullRequest: either(
      (repository, request) => Effect.flatMap(access(repository), (to) => openPull(to, request)),
      git.openPullRequest
    ),
    updatePullRequest: either(
      (repository, request) => Effect.flatMap(access(repository), (to) => updatePull(to, request)),
      git.updatePullRequest
    ),
    closePullRequest: either(
      (repository, request) => Effect.flatMap(access(repository), (to) => closePull(to, request)),
      git.closePullRequest
    ),
    pullRequest: either(
      (repository, request) => Effect.flatMap(access(repository), (to) => stateOfPull(to, request)),
      git.pullRequest
    ),
    comment: either(
      (repository, request) => Effect.flatMap(access(repository), (to) => commentOn(to, request)),
      git.comment
    ),
    postReview: either((repository, request) => showReview(github, repository, request), git.postReview)
  }
}

/** The review and its check. An app that may not write checks shows the review all the same. */
const showReview = Effect.fnUntraced(function* (
  github: { readonly app: GitHubApp; readonly client: GitHubClient },
  repository: GitHubRepository,
  request: ReviewPosting
) {
  const posted = yield* Effect.flatMap(accessTo(github, repository, reviewPermissions), (to) => postReview(to, request))
  if (posted === null) return Option.none()
  const check_url = yield* Effect.flatMap(accessTo(github, repository, checkPermissions), (to) =>
    postCheck(to, request)
  ).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "authentication" || reason === "push_rejected",
      ({ message }) => Effect.as(Effect.logWarning(`No check was written. ${message}`), null)
    )
  )
  return Option.some<PostedReview>({ ...posted, check_url })
})

/**
 * Git on the app's GitHub gets tokens of its installation. Where the app is not installed, stored credentials may serve;
 * without these the error names where to install it.
 */
export const installationTokens = (
  app: GitHubApp,
  others: typeof RemoteCredentials.Service
): typeof RemoteCredentials.Service => ({
  of: (request) => {
    const repository = request.kind === "https" ? throughApp(app, request) : Option.none()
    if (Option.isNone(repository)) return others.of(request)
    return app.token(repository.value, { contents: "write" }).pipe(
      Effect.map(
        (secret): RemoteCredential => ({ kind: "https", username: "x-access-token", secret, used: Effect.void })
      ),
      Effect.catchIf(
        ({ reason }) => reason === "not_found",
        (notInstalled) =>
          Effect.filterOrFail(
            others.of(request),
            (stored) => stored !== null,
            () => notInstalled
          )
      )
    )
  }
})

/** The code host that both abilities are put over: git with tokens of the app, pull requests by the API. */
export const throughGitHub = <E, R>(
  git: Layer.Layer<CodeHost, E, R>,
  github: { readonly app: GitHubApp; readonly client: GitHubClient }
) =>
  Layer.effect(
    CodeHost,
    Effect.map(CodeHost, (plain) => gitHubCodeHost(plain, github))
  ).pipe(
    Layer.provide(git),
    Layer.provide(
      Layer.effect(
        RemoteCredentials,
        Effect.map(RemoteCredentials, (others) => installationTokens(github.app, others))
      )
    )
  )
