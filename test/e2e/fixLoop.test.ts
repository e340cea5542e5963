import { readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/sdk/client/index.js"
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js"
import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { assess } from "../../src/engine/core/tool/assessment.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { scopes } from "../../src/schema/Key.ts"
import { Database, TestDatabase } from "../support/Database.ts"
import {
  allObservations,
  endedJob,
  type LoopJob,
  type LoopObservation,
  type MergeKind,
  mergeAll,
  type PlantedDefect,
  plantedDefect
} from "../support/fixLoop.ts"
import { aRepository } from "../support/gitRepository.ts"
import { aClientOf, textOf } from "../support/mcp.ts"
import { aServer, aTemporaryFolder, call, createKeys, type RunningServer } from "../support/server.ts"

const fixtures = new URL("../fixtures/fixes/", import.meta.url).pathname
const snapshots = new URL("../snapshots/fixLoop/", import.meta.url).pathname
/** All of them in the long form (`npm run chaos -- loops`). */
const defectCount = Number(process.env.ASSAY_LOOP_DEFECTS ?? "4")
/** As many as run at once in a workspace. */
const concurrency = 4

/** Only a finding can be fixed: a rule that too little was read of is an advisory for now. */
const isFinding = (rule_id: string): boolean => {
  const [id, rule = ""] = rule_id.split(".")
  const tool = tools.find((tool) => tool.id === id)
  return tool !== undefined && assess(tool, tool.rules[rule]!, { rule }, "source")?.kind === "finding"
}

/** Some of the rules whose diffs are committed, each with the first case that its fixer fixes. */
const defects: ReadonlyArray<PlantedDefect> = readdirSync(snapshots)
  .map((name) => name.replace(/\.diff$/, ""))
  .sort()
  .filter(isFinding)
  .filter((_, index, all) => index % Math.ceil(all.length / defectCount) === 0)
  .flatMap((rule_id) => {
    const name = readdirSync(join(fixtures, rule_id))
      .sort()
      .find((one) => readdirSync(join(fixtures, rule_id, one)).includes("after"))
    return name === undefined ? [] : [plantedDefect(rule_id, name)]
  })

const aLoop = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const dataDir = yield* aTemporaryFolder
  const files = Object.assign({}, ...defects.map(({ files }) => files))
  const repository = aRepository(files, { bare: true })
  const env = { DATABASE_URL: Redacted.value(url), ASSAY_LOCAL_REPO_ROOTS: repository.path }
  const server = yield* aServer({ dataDir, env })
  // A key may request 30 fixes a minute.
  const keys = yield* createKeys(server, scopes, 4)
  return { server, repository, keys }
})

const path = "/api/repos/acme/shop/main"

const audit = (server: RunningServer, key: string) =>
  Effect.gen(function* () {
    const { body, status } = yield* call<LoopJob>(server, key, "POST", `${path}/jobs`, { workflow: "audit" })
    assert.strictEqual(status, 201)
    const job = yield* endedJob(server, key, body.id)
    assert.strictEqual(job.status, "completed", job.error ?? "")
  })

/** The observation of each defect, in the order of their folders. */
const targetsAmong = (observations: ReadonlyArray<LoopObservation>) =>
  defects.flatMap(({ rule_id, folder }) =>
    observations
      .filter(
        (one) =>
          one.rule_id === rule_id &&
          one.kind === "finding" &&
          one.locations.every(({ file_path }) => file_path.startsWith(`${folder}/`))
      )
      .map(({ ref }) => ({ rule_id, ref }))
  )

interface FixResponse {
  readonly job_id: string
}

const fixOverRest = (server: RunningServer, key: string, ref: string) =>
  Effect.gen(function* () {
    const { body, status } = yield* call<FixResponse>(server, key, "POST", `/api/observations/${ref}/fix`)
    assert.oneOf(status, [200, 201], JSON.stringify(body))
    return body.job_id
  })

const fixOverMcp = (client: Client, ref: string) =>
  Effect.promise(async () => {
    const result = (await client.callTool({ name: "submit_fix", arguments: { ref } })) as CallToolResult
    assert.notStrictEqual(result.isError, true, textOf(result))
    return (result.structuredContent as unknown as FixResponse).job_id
  })

const mergeKinds: ReadonlyArray<MergeKind> = ["merge", "squash", "rebase", "merge"]

/** A quarter of the defects goes each way. */
const wayOf = (index: number) => Math.floor((index * mergeKinds.length) / defectCount)

layer(Database, { excludeTestServices: true })("the fix loop on plain git", (it) => {
  it.scoped(
    "defects of as many rules are found, fixed, merged in four ways and closed as fixed, and nothing else changes",
    () =>
      Effect.gen(function* () {
        const { server, repository, keys } = yield* aLoop
        const [key = "", second = "", third = "", fourth = ""] = keys
        yield* call(server, key, "POST", "/api/repos", {
          github_org: "acme",
          github_repo: "shop",
          clone_url: repository.path
        })
        yield* audit(server, key)
        const before = yield* allObservations(server, key)
        const targets = targetsAmong(before)
        const planted = defects.map(({ rule_id }) => rule_id)
        assert.deepStrictEqual(
          targets.map(({ rule_id }) => rule_id),
          planted
        )
        assert.strictEqual(planted.length, defectCount)

        const agent = yield* aClientOf(server.api, fourth)
        const fix = (ref: string, index: number) =>
          Effect.gen(function* () {
            const way = wayOf(index)
            const jobId = yield* way === 3
              ? fixOverMcp(agent, ref)
              : fixOverRest(server, way === 0 ? second : third, ref)
            return yield* endedJob(server, key, jobId)
          })
        const jobs = yield* Effect.forEach(targets, ({ ref }, index) => fix(ref, index), { concurrency })
        const failures = jobs.flatMap(({ status, error }, index) =>
          status === "completed" ? [] : [`${targets[index]!.rule_id}: ${error}`]
        )
        assert.deepStrictEqual(failures, [])

        for (const { rule_id, ref } of targets) {
          const { body } = yield* call<{ readonly diff: string }>(server, key, "GET", `/api/observations/${ref}/diff`)
          yield* Effect.promise(() => expect(body.diff).toMatchFileSnapshot(join(snapshots, `${rule_id}.diff`)))
        }

        const merges = jobs.map(({ result }, index) => {
          assert.isNotNull(result)
          return [result?.branch ?? "", mergeKinds[wayOf(index)]!] as const
        })
        mergeAll(repository.path, merges)
        yield* audit(server, key)
        const after = new Map((yield* allObservations(server, key)).map((one) => [one.ref, one]))
        const fixed = new Set(targets.map(({ ref }) => ref))
        assert.deepStrictEqual(
          [...fixed].filter((ref) => after.get(ref)?.close_reason !== "fixed"),
          []
        )
        assert.deepStrictEqual(
          before
            .filter(({ ref, status }) => !fixed.has(ref) && after.get(ref)?.status !== status)
            .map(({ ref }) => ref),
          []
        )
        assert.strictEqual(after.size, before.length)
      })
  )
})
