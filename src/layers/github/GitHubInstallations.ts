import type { KeyObject } from "node:crypto"
import { Clock, type Duration, Effect, Option, Redacted } from "effect"
import type { GitHubApp, GitHubRepository, TokenPermissions } from "../../services/ports/GitHubApp.ts"
import { CodeHostError } from "../../services/ports/Remote.ts"
import type { Fetch } from "../OutboundHttp.ts"
import { fromGitHub } from "./failures.ts"
import {
  appSignature,
  type GitHubClient,
  type GitHubFailure,
  type GitHubRequest,
  makeClient,
  nowSeconds
} from "./GitHubClient.ts"
import { repositoryIn } from "./repositoryIn.ts"

export interface GitHubAppOptions {
  readonly appId: string
  readonly privateKey: Redacted.Redacted<KeyObject>
  readonly webhookSecret: Redacted.Redacted | null
  readonly url: string
  readonly apiUrl: string
  readonly fetch: Fetch
  readonly retryDelay?: Duration.DurationInput
}

interface KnownToken {
  readonly token: Redacted.Redacted
  readonly expiresAt: number
}

/** A call with a token must end before the token does. */
const spareMillis = 5 * 60 * 1000
/** A new installation is seen at once, a removed one by the failure of a call; this spares a call before each. */
const installationLifetimeMillis = 60_000

const keyOf = ({ owner, repo }: GitHubRepository) => `${owner}/${repo}`.toLowerCase()

/** The app at GitHub: which of its installations covers a repository, and tokens of these. */
export const makeGitHubApp = (
  options: GitHubAppOptions
): { readonly app: GitHubApp; readonly client: GitHubClient } => {
  const client = makeClient(options)
  const installations = new Map<string, { readonly id: number; readonly until: number }>()
  const tokens = new Map<string, KnownToken>()
  const turn = Effect.unsafeMakeSemaphore(1)
  let pageUrl: string | null = null

  const asApp = <A>(
    use: "look" | "change",
    call: (request: GitHubRequest) => Promise<{ readonly data: A }>
  ): Effect.Effect<A, GitHubFailure> =>
    Effect.flatMap(nowSeconds, (now) =>
      client[use](`Bearer ${appSignature(options.appId, Redacted.value(options.privateKey), now)}`, call)
    )

  const installationOf = Effect.fn("GitHubApp.installationOf")(function* ({ owner, repo }: GitHubRepository) {
    const now = yield* Clock.currentTimeMillis
    const known = installations.get(keyOf({ owner, repo }))
    if (known !== undefined && known.until > now) return Option.some(known.id)
    const found = yield* asApp("look", (request) =>
      request("GET /repos/{owner}/{repo}/installation", { owner, repo })
    ).pipe(
      Effect.asSome,
      Effect.catchIf(
        ({ status }) => status === 404,
        () => Effect.succeedNone
      ),
      Effect.mapError(fromGitHub(`The app's installation on ${owner}/${repo}`))
    )
    if (Option.isNone(found) || found.value.suspended_at !== null) {
      installations.delete(keyOf({ owner, repo }))
      return Option.none<number>()
    }
    installations.set(keyOf({ owner, repo }), { id: found.value.id, until: now + installationLifetimeMillis })
    return Option.some(found.value.id)
  })

  const installUrl = Effect.suspend(() =>
    pageUrl === null
      ? asApp("look", (request) => request("GET /app")).pipe(
          Effect.map((app) => {
            pageUrl = `${app?.html_url ?? options.url}/installations/new`
            return pageUrl
          }),
          // The message is worth having without it.
          Effect.orElseSucceed(() => `${options.url}/settings/installations`)
        )
      : Effect.succeed(pageUrl)
  )

  const notInstalled = ({ owner, repo }: GitHubRepository) =>
    Effect.flatMap(installUrl, (page) =>
      Effect.fail(
        new CodeHostError({
          reason: "not_found",
          message: `The GitHub App is not installed on ${owner}/${repo}, or is suspended there. An owner installs it at ${page}.`
        })
      )
    )

  const create = Effect.fnUntraced(function* (repository: GitHubRepository, permissions: TokenPermissions) {
    const installation = yield* installationOf(repository)
    if (Option.isNone(installation)) return yield* notInstalled(repository)
    const { token, expires_at } = yield* asApp("change", (request) =>
      request("POST /app/installations/{installation_id}/access_tokens", {
        installation_id: installation.value,
        repositories: [repository.repo],
        permissions: { ...permissions }
      })
    ).pipe(
      Effect.tapError(() => Effect.sync(() => installations.delete(keyOf(repository)))),
      Effect.mapError(fromGitHub(`A token for ${repository.owner}/${repository.repo}`))
    )
    return { token: Redacted.make(token), expiresAt: Date.parse(expires_at) }
  })

  const token = Effect.fn("GitHubApp.token")(
    function* (repository: GitHubRepository, permissions: TokenPermissions) {
      const key = `${keyOf(repository)} ${JSON.stringify(Object.entries(permissions).sort())}`
      const known = tokens.get(key)
      if (known !== undefined && known.expiresAt - spareMillis > (yield* Clock.currentTimeMillis)) return known.token
      const created = yield* create(repository, permissions)
      tokens.set(key, created)
      return created.token
    },
    // Concurrent calls share one token.
    (effect) => turn.withPermits(1)(effect)
  )

  const forget = (repository: GitHubRepository) =>
    Effect.sync(() => {
      installations.delete(keyOf(repository))
      for (const key of [...tokens.keys()]) if (key.startsWith(`${keyOf(repository)} `)) tokens.delete(key)
    })

  const { url, apiUrl, webhookSecret } = options
  const repositoryOf = (cloneUrl: string) => repositoryIn(url, cloneUrl)
  return { client, app: { url, apiUrl, webhookSecret, repositoryOf, installationOf, installUrl, token, forget } }
}
