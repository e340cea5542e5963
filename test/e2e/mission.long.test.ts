// Held in the short form by: test/services/workflows/missionRun.test.ts (one commit a step and one pull request, a budget that
// ends), test/services/missions (transitions, plans, money), fixKill.test.ts (a fix that is killed between stages).
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { scopes } from "../../src/schema/Key.ts"
import { asOwner, Database, TestDatabase } from "../support/Database.ts"
import { allObservations, endedJob, type LoopJob } from "../support/fixLoop.ts"
import { aRepository } from "../support/gitRepository.ts"
import { callAs, directedDefects, killedAfter, type LoopMission, missionOnce } from "../support/missionLoop.ts"
import { scriptedAgent } from "../support/scriptedAgent.ts"
import { aServer, aTemporaryFolder, call, keysOf, ownerSession, type ServerOptions } from "../support/server.ts"

const rule = "insecure_deserialization.unsafe_yaml_load"

/** One more than are fixed: a person skips it. */
const defectCount = 6
const skippedStep = 4
/** Room for three of the agent's runs, each of which costs 0.25 USD. */
const firstBudget = 0.8
const pausedStep = 1

/** After which stage of its job the process ends, one for each step that is not skipped. */
const boundaries = ["prepare", "still_present", "edit", "check", "push"]

layer(Database, { excludeTestServices: true })("a mission on plain git", (it) => {
  it.scoped(
    "of six defects, killed at each step, paused, out of budget and with a step skipped, is five commits and one pull request",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const sql = yield* SqlClient.SqlClient
        const dataDir = yield* aTemporaryFolder
        const repository = aRepository(directedDefects(defectCount), { bare: true })
        const env = {
          DATABASE_URL: Redacted.value(url),
          ASSAY_LOCAL_REPO_ROOTS: repository.path,
          ASSAY_AGENT_COMMAND: scriptedAgent
        }
        const options: ServerOptions = { dataDir, env }
        let server = yield* aServer(options)
        const owner = yield* ownerSession(server)
        const [key = ""] = yield* keysOf(server, owner, { scopes, count: 1 })
        yield* asOwner(sql`UPDATE workspaces SET features = '{missions}', fix_runner = 'agent'`)
        yield* call(server, key, "POST", "/api/repos", {
          github_org: "acme",
          github_repo: "shop",
          clone_url: repository.path
        })
        const audit = yield* call<LoopJob>(server, key, "POST", "/api/repos/acme/shop/main/jobs", { workflow: "audit" })
        yield* endedJob(server, key, audit.body.id)
        const found = (yield* allObservations(server, key)).filter(({ rule_id }) => rule_id === rule)
        assert.lengthOf(found, defectCount)

        const { body: created, status } = yield* call<LoopMission>(server, key, "POST", "/api/missions", {
          repository: "shop@main",
          title: "Read no settings that can run code",
          goal: { refs: found.map(({ ref }) => ref) },
          budget_usd: firstBudget
        })
        assert.strictEqual(status, 201, JSON.stringify(created))
        const { ref } = created
        assert.strictEqual(created.status, "awaiting_approval")
        assert.lengthOf(created.steps, defectCount)
        const decide = (path: string, body: object = {}) =>
          Effect.map(callAs<LoopMission>(server, owner, `/api/missions/${ref}${path}`, body), ({ status, body }) => {
            assert.strictEqual(status, 200, JSON.stringify(body))
            return body
          })
        yield* decide("/approve")
        yield* decide(`/steps/${created.steps[skippedStep]?.id}/skip`, { reason: "It is fixed by hand." })

        for (let index = 0; index < defectCount; index++) {
          if (index === skippedStep) continue
          const begun = yield* missionOnce(
            server,
            key,
            ref,
            ({ status, steps }) => steps[index]?.job_id !== null || status !== "running"
          )
          if (begun.status === "paused") {
            assert.strictEqual(begun.waiting?.kind, "budget")
            assert.strictEqual(begun.steps[index]?.status, "pending")
            assert.isAtMost(begun.spent_usd, firstBudget)
            yield* decide("/budget", { budget_usd: 5 })
            index--
            continue
          }
          assert.strictEqual(begun.status, "running", JSON.stringify(begun))
          if (index === pausedStep) yield* call(server, key, "POST", `/api/missions/${ref}/pause`)
          const stage = boundaries[index < skippedStep ? index : index - 1] ?? "prepare"
          server = yield* killedAfter(stage, begun.steps[index]?.job_id ?? "", key, server, aServer(options))
          if (index !== pausedStep) continue
          const paused = yield* missionOnce(server, key, ref, ({ steps }) => steps[index]?.status === "completed")
          assert.strictEqual(paused.status, "paused")
          assert.strictEqual(paused.steps[index + 1]?.status, "pending")
          yield* decide("/resume")
        }

        const last = yield* missionOnce(server, key, ref, ({ status }) => status !== "running")
        assert.strictEqual(last.status, "completed", JSON.stringify(last))
        const branch = "assay/mission-msn-1"
        assert.strictEqual(repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay"), branch)
        assert.strictEqual(last.branch, branch)
        assert.strictEqual(last.pr_url, `file://${repository.path}#${branch}`)
        const commits = repository.git("rev-list", "--reverse", `main..${branch}`).split("\n")
        assert.lengthOf(commits, defectCount - 1)
        const done = last.steps.filter(({ status }) => status === "completed")
        assert.deepStrictEqual(
          done.flatMap(({ commits }) => commits),
          commits
        )
        for (const { job_id, commits, observations } of done) {
          const trailers = repository.git("log", "-1", "--format=%(trailers:only)", commits[0] ?? "")
          assert.include(trailers, `Assay-Job: ${job_id}`)
          for (const observation of observations) assert.include(trailers, `Observation: ${observation}`)
        }
        assert.deepStrictEqual(
          last.steps.filter(({ status }) => status !== "completed").map(({ status, cost_usd }) => [status, cost_usd]),
          [["skipped", 0]]
        )

        assert.strictEqual(last.reserved_usd, 0)
        const ofSteps = last.steps.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
        assert.closeTo(last.spent_usd, ofSteps, 5e-10)
        const jobs = yield* Effect.forEach(done, ({ job_id }) =>
          Effect.map(call<LoopJob>(server, key, "GET", `/api/jobs/${job_id}`), ({ body }) => body)
        )
        assert.closeTo(
          last.spent_usd,
          jobs.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
          1e-8
        )
        assert.isAtLeast(last.spent_usd, 0.25 * done.length)
        assert.isBelow(last.spent_usd, 0.25 * done.length + 0.1)
        yield* server.stop
      })
  )
})
