import { Context, Effect, Layer } from "effect"
import { throughGitHub } from "../../../src/layers/GitHubCodeHost.ts"
import { PlainGitCodeHost } from "../../../src/layers/PlainGitCodeHost.ts"
import { ConfiguredGitHubApp } from "../../../src/services/ports/GitHubApp.ts"
import { Database } from "../Database.ts"
import { aGitHub, type GitHubServer } from "../GitHubServer.ts"
import { testApp } from "../TestApp.ts"
import { appAt } from "./app.ts"

/** The GitHub that the product under test has an app on. */
export class GitHub extends Context.Tag("test/GitHub")<GitHub, GitHubServer>() {}

/** As `TestApp`, with an app on a GitHub of its own. */
export const AppOnGitHub = Layer.unwrapEffect(
  Effect.map(GitHub, (server) => {
    const connection = appAt(server)
    return testApp({}, ({ dataDir, root }) =>
      throughGitHub(PlainGitCodeHost.layer({ dataDir, localRoots: [root], allowPrivateNetwork: true }), connection)
    ).pipe(Layer.provideMerge(Layer.succeed(ConfiguredGitHubApp, connection.app)))
  })
).pipe(Layer.provideMerge(Layer.scoped(GitHub, aGitHub)), Layer.provideMerge(Database))
