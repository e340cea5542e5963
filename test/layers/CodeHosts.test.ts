import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Exit, Layer } from "effect"
import { codeHosts } from "../../src/layers/CodeHosts.ts"
import { AppConfig } from "../../src/layers/Config.ts"
import * as OutboundHttp from "../../src/layers/OutboundHttp.ts"
import { CodeHost } from "../../src/services/ports/CodeHost.ts"
import { ConfiguredGitHubApp } from "../../src/services/ports/GitHubApp.ts"
import { aGitHub } from "../support/GitHubServer.ts"
import { grantedPermissions } from "../support/github/app.ts"
import { aFolder } from "../support/gitRepository.ts"

const outbound = OutboundHttp.layer({
  allowPrivateNetwork: false,
  extraAuthorities: null,
  proxies: { https: null, http: null, except: [] }
})

/** The code hosts of an installation with these variables. */
const started = (variables: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const config = yield* AppConfig
    return yield* Layer.build(Layer.provide(codeHosts(config), outbound))
  }).pipe(
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(Object.entries({ ASSAY_DATA_DIR: aFolder(), ...variables })))
    )
  )

const variablesOf = (github: Effect.Effect.Success<typeof aGitHub>) => ({
  ASSAY_GITHUB_APP_ID: github.appId,
  ASSAY_GITHUB_PRIVATE_KEY: github.privateKey.replaceAll("\n", "\\n"),
  ASSAY_GITHUB_WEBHOOK_SECRET: github.webhookSecret,
  ASSAY_GITHUB_URL: github.url,
  ASSAY_ALLOW_PRIVATE_NETWORK: "true"
})

const failure = (variables: Readonly<Record<string, string>>) =>
  Effect.map(Effect.exit(started(variables)), (exit) => (Exit.isFailure(exit) ? String(exit.cause) : "started"))

describe("the operator's GitHub App", () => {
  it.scopedLive("is used as its variables say, with the key in a variable or in a file", () =>
    Effect.gen(function* () {
      const github = yield* aGitHub
      const installation = github.state.install("acme", grantedPermissions)
      github.state.host("acme", "shop", { "a.txt": "one\n" }, { isPrivate: true, installation })
      const { ASSAY_GITHUB_PRIVATE_KEY: key, ...others } = variablesOf(github)
      const file = join(aFolder(), "app.pem")
      writeFileSync(file, github.privateKey)
      for (const variables of [
        { ...others, ASSAY_GITHUB_PRIVATE_KEY: key },
        { ...others, ASSAY_GITHUB_PRIVATE_KEY_FILE: file }
      ]) {
        const app = Context.get(yield* started(variables), ConfiguredGitHubApp)
        assert.strictEqual(app?.apiUrl, github.apiUrl)
        const found = yield* app?.installationOf({ owner: "acme", repo: "shop" }) ?? Effect.die("no app")
        assert.deepStrictEqual(found, yield* Effect.succeedSome(installation.id))
      }
    })
  )

  it.scopedLive("is none without variables, and git alone is used", () =>
    Effect.gen(function* () {
      const context = yield* started({})
      assert.isDefined(Context.get(context, CodeHost))
      assert.isNull(yield* Effect.provide(ConfiguredGitHubApp, context))
    })
  )

  it.scopedLive("is rejected by the name of the variable that is wrong", () =>
    Effect.gen(function* () {
      const variables = variablesOf(yield* aGitHub)
      const { ASSAY_GITHUB_PRIVATE_KEY: _, ...keyless } = variables
      assert.include(yield* failure(keyless), "ASSAY_GITHUB_PRIVATE_KEY")
      assert.include(yield* failure({ ...keyless, ASSAY_GITHUB_PRIVATE_KEY_FILE: "/nowhere" }), "cannot be read")
      assert.include(yield* failure({ ...variables, ASSAY_GITHUB_PRIVATE_KEY: "secret" }), "ASSAY_GITHUB_PRIVATE_KEY")
      assert.include(yield* failure({ ...variables, ASSAY_ALLOW_PRIVATE_NETWORK: "false" }), "ASSAY_GITHUB_URL")
      assert.include(
        yield* failure({ ...variables, ASSAY_GITHUB_URL: "http://github.example.org" }),
        "ASSAY_GITHUB_URL"
      )
      assert.include(
        yield* failure({ ASSAY_GITHUB_WEBHOOK_SECRET: "0123456789abcdef" }),
        "needs ASSAY_GITHUB_APP_ID, too"
      )
      for (const message of [yield* failure({ ...variables, ASSAY_GITHUB_PRIVATE_KEY: "secret" })]) {
        assert.notInclude(message, '"secret"')
      }
    })
  )
})
