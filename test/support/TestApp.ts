import { join } from "node:path"
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { Api } from "../../src/http/Api.ts"
import { GitWorkTrees } from "../../src/layers/git/GitWorkTrees.ts"
import { localGitFolders } from "../../src/layers/git/localGitFolders.ts"
import type { GitUnusable } from "../../src/layers/git/program.ts"
import { addressOf, apiServer, newServer } from "../../src/layers/Http.ts"
import { PlainGitCodeHost } from "../../src/layers/PlainGitCodeHost.ts"
import * as SecretKeyFile from "../../src/layers/SecretKeyFile.ts"
import { ServicesLive } from "../../src/layers/Services.ts"
import { EdgeSettings } from "../../src/services/access/incomingCall.ts"
import { RateLimiter } from "../../src/services/access/RateLimiter.ts"
import type { CodeHost } from "../../src/services/ports/CodeHost.ts"
import { LocalGitFolders } from "../../src/services/ports/LocalGitFolders.ts"
import { AuditSettings } from "../../src/services/workflows/AuditSettings.ts"
import { noAgent, noCommands } from "./agent.ts"
import { Database } from "./Database.ts"
import { aRepository } from "./gitRepository.ts"
import { NotificationsLive } from "./notifications.ts"
import { temporaryFolder } from "./TestPostgres.ts"
import { TrackersLive } from "./trackers/TrackersLive.ts"
import { WebhooksLive } from "./webhooks.ts"

/** Where the product under test listens, and a git repository that it may read. */
export class App extends Context.Tag("test/App")<App, { readonly url: string; readonly cloneUrl: string }>() {}

class Folders extends Context.Tag("test/Folders")<
  Folders,
  { readonly dataDir: string; readonly root: string; readonly cloneUrl: string }
>() {}

const folders = Layer.scoped(
  Folders,
  Effect.map(temporaryFolder, (folder) => {
    const root = join(folder, "allowed")
    const repository = aRepository(
      { "src/index.ts": "export const one = 1\n" },
      { path: join(root, "repository"), bare: true }
    )
    repository.branches(["feature/x", "feature/y"])
    return { dataDir: join(folder, "data"), root, cloneUrl: repository.path }
  })
)

type HostLayer = (folders: { readonly dataDir: string; readonly root: string }) => Layer.Layer<CodeHost, GitUnusable>

const plainGit: HostLayer = ({ dataDir, root }) =>
  PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: false })

const outsideWorld = (settings: typeof EdgeSettings.Service, codeHost: HostLayer) =>
  Layer.mergeAll(
    Layer.unwrapEffect(
      Effect.map(Folders, ({ dataDir, root }) =>
        Layer.mergeAll(
          codeHost({ dataDir, root }),
          GitWorkTrees.layer(dataDir),
          Layer.succeed(LocalGitFolders, localGitFolders([root])),
          SecretKeyFile.layer({ dataDir, key: null })
        )
      )
    ),
    NotificationsLive,
    TrackersLive,
    WebhooksLive,
    noAgent,
    noCommands,
    RateLimiter.inProcess,
    Layer.succeed(AuditSettings, { limits: {}, workers: 1, cpuSecondUsd: 0.00005, salt: "salt", advisories: null }),
    Layer.succeed(EdgeSettings, settings)
  )

/** A proxy on this machine is believed, so that a test chooses the address it comes from. */
const serverSettings = { trustedProxies: ["127.0.0.0/8"], secureCookies: false, hosts: ["127.0.0.1", "localhost"] }

const listening = Layer.unwrapEffect(
  Effect.map(Folders, ({ cloneUrl }) => {
    const server = newServer()
    return Layer.effect(
      App,
      Effect.sync(() => ({ url: addressOf(server), cloneUrl }))
    ).pipe(Layer.provide(apiServer(server, { host: "127.0.0.1", port: 0 })))
  })
)

/** Both interfaces over all services, as `serve` starts them, without a job engine: what is submitted stays pending. */
export const testApp = (settings: Partial<typeof EdgeSettings.Service> = {}, codeHost: HostLayer = plainGit) =>
  listening.pipe(
    Layer.provideMerge(ServicesLive),
    Layer.provideMerge(outsideWorld({ ...serverSettings, ...settings }, codeHost)),
    Layer.provideMerge(folders)
  )

export const TestApp = testApp().pipe(Layer.provideMerge(Database))

/** The client that is derived from the contract. */
export const typedClient = (apiKey: string) =>
  Effect.flatMap(App, ({ url }) =>
    HttpApiClient.make(Api, {
      baseUrl: url,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(apiKey))
    })
  ).pipe(Effect.provide(FetchHttpClient.layer))
