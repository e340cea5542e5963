import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { asOwner, Database } from "../support/Database.ts"
import { endedJob } from "../support/fixLoop.ts"
import { aGitHubWorld, mergedAndClosed, submittedFix } from "../support/fixOnGitHub.ts"
import type { GitHubServer } from "../support/GitHubServer.ts"
import { formsOf, inFiles, inTables, inTexts, watchProcesses } from "../support/secretHunt.ts"
import { call, signIn } from "../support/server.ts"

/** The app's secrets, in the forms in which they are sent. */
const secretsOf = ({ privateKey, webhookSecret, state }: GitHubServer) => [
  ...formsOf(privateKey),
  ...formsOf(webhookSecret),
  ...formsOf(state.tokenStart, "x-access-token"),
  // What the app signs begins so.
  `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString("base64url")}.`
]

/** The operator gives the webhook's secret to the service in its environment. */
const isOfService = (place: string) => /^environ of \S*node \S*\/bin\/assay serve /.test(place)

layer(Database, { excludeTestServices: true })("the secrets of the app", (it) => {
  it.scoped("are seen in no process, table, log, event or file while a finding becomes a merged pull request", () =>
    Effect.gen(function* () {
      const world = yield* aGitHubWorld
      const { github, hosted, start, dataFolder } = world
      const forms = secretsOf(github)
      const watch = yield* watchProcesses(forms)
      const server = yield* start
      const key = yield* signIn(server, scopes)
      const { ref, job_id } = yield* submittedFix(server, key)
      const job = yield* endedJob(server, key, job_id)
      assert.strictEqual(job.status, "completed", job.error ?? "")
      assert.lengthOf(hosted.pulls, 1)
      yield* mergedAndClosed(world, server, key, ref)
      const events = yield* call<object>(server, key, "GET", `/api/jobs/${job_id}/events?limit=200`)
      const { found, programs } = yield* watch.end
      assert.deepStrictEqual([...new Set(found.map(isOfService))], [true], found.join("\n"))
      assert.isNotEmpty(programs.filter((program) => program.includes("git-remote-http")))
      assert.isAbove(github.state.tokens.size, 0)
      const texts = { log: server.log(), events: JSON.stringify(events.body), job: JSON.stringify(job) }
      assert.deepStrictEqual(inTexts(texts, forms), [])
      assert.deepStrictEqual(inFiles(dataFolder, forms), [])
      assert.deepStrictEqual(yield* asOwner(inTables(forms)), [])
    })
  )
})
