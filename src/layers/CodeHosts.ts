import { readFile } from "node:fs/promises"
import { ConfigError, Effect, Layer, Redacted } from "effect"
import { isLoopback } from "../services/access/loopback.ts"
import { ConfiguredGitHubApp } from "../services/ports/GitHubApp.ts"
import type { AppConfig } from "./Config.ts"
import { throughGitHub } from "./GitHubCodeHost.ts"
import { makeGitHubApp } from "./github/GitHubInstallations.ts"
import { isPrivateKey, privateKeyOf } from "./github/privateKey.ts"
import { OutboundHttp } from "./OutboundHttp.ts"
import { outboundSettings } from "./outbound.ts"
import { PlainGitCodeHost } from "./PlainGitCodeHost.ts"

const rejected = (variable: string, message: string) => Effect.fail(ConfigError.InvalidData([variable], message))

/** The key itself, or what is in its file; null without either. */
const privateKey = Effect.fnUntraced(function* ({ githubPrivateKey, githubPrivateKeyFile }: AppConfig) {
  if (githubPrivateKey !== null || githubPrivateKeyFile === null) return githubPrivateKey
  const pem = yield* Effect.tryPromise(() => readFile(githubPrivateKeyFile, "utf8")).pipe(
    Effect.catchAll(() =>
      rejected("ASSAY_GITHUB_PRIVATE_KEY_FILE", `names ${githubPrivateKeyFile}, which cannot be read`)
    )
  )
  return isPrivateKey(pem)
    ? Redacted.make(pem)
    : yield* rejected("ASSAY_GITHUB_PRIVATE_KEY_FILE", `names ${githubPrivateKeyFile}, which has no private key in PEM`)
})

/** Over plain http anyone on the way could read the tokens. */
const requireSafe = (variable: string, address: string, { allowPrivateNetwork }: AppConfig) => {
  const { protocol, hostname } = new URL(address)
  const isSafe = protocol === "https:" || (isLoopback(hostname) && allowPrivateNetwork)
  return isSafe
    ? Effect.void
    : rejected(variable, "must be https; http is for this machine alone, with ASSAY_ALLOW_PRIVATE_NETWORK=true")
}

const apiUrlOf = ({ githubApiUrl, githubUrl }: AppConfig) =>
  githubApiUrl ?? (githubUrl === "https://github.com" ? "https://api.github.com" : `${githubUrl}/api/v3`)

/** The operator's app; null where none is configured. */
const connection = Effect.fnUntraced(function* (config: AppConfig) {
  const { githubAppId: appId, githubUrl: url, githubWebhookSecret: webhookSecret } = config
  if (appId === null) return null
  const key = yield* privateKey(config)
  if (key === null) {
    return yield* rejected(
      "ASSAY_GITHUB_APP_ID",
      "needs ASSAY_GITHUB_PRIVATE_KEY or ASSAY_GITHUB_PRIVATE_KEY_FILE, too"
    )
  }
  const apiUrl = apiUrlOf(config)
  yield* requireSafe("ASSAY_GITHUB_URL", url, config)
  yield* requireSafe("ASSAY_GITHUB_API_URL", apiUrl, config)
  const { fetchConfigured: fetch } = yield* OutboundHttp
  return makeGitHubApp({
    appId,
    privateKey: Redacted.make(privateKeyOf(Redacted.value(key))),
    webhookSecret,
    url,
    apiUrl,
    fetch
  })
})

/** GitHub through the operator's app, where there is one and the remote is there; every other remote by git alone. */
export const codeHosts = (config: AppConfig) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const github = yield* connection(config)
      const settings = yield* outboundSettings(config)
      const git = PlainGitCodeHost.layer({ dataDir: config.dataDir, localRoots: config.localRepoRoots, ...settings })
      return github === null
        ? git
        : Layer.merge(throughGitHub(git, github), Layer.succeed(ConfiguredGitHubApp, github.app))
    })
  )
