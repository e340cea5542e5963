import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CommandSandbox } from "../../../src/services/ports/CommandSandbox.ts"
import { RepositoryCommands } from "../../../src/services/repositories/RepositoryCommands.ts"
import { RepositoryTexts } from "../../../src/services/settings/RepositoryTexts.ts"
import { anAgentRunner, commandsAllowed } from "../../support/agent.ts"
import { asOwner } from "../../support/Database.ts"
import { as } from "../../support/jobs.ts"
import { scriptedAgent } from "../../support/scriptedAgent.ts"
import { aWorkplace, observed, ran, workshopWith } from "../../support/workflows.ts"

const agent = anAgentRunner({ command: scriptedAgent })

const label = `export const label = (state) => {
  if (state === "open" || "ajar") return state
  return "unknown"
}
`
const path = "src/total.js"
/** The defect is the condition that always holds; the test holds the sum. */
const files = {
  "src/label.js": label,
  [path]: `export const total = (rows, rate) => {
  let sum = 0
  for (const row of rows) sum += row.price
  return sum * rate
}

${label}`,
  "package.json": '{ "type": "module" }\n',
  "check.test.js": `import { test } from "node:test"
import assert from "node:assert"
import { total } from "./src/total.js"

test("adds prices", () => assert.strictEqual(total([{ price: 2 }, { price: 3 }], 2), 10))
test("was red before", () => assert.fail("known"))
`
}

const rule = "correctness_bugs.always_true_alternative"
const fix = { path, find: '|| "ajar"', replace: '|| state === "ajar"' }
const worse = { path, find: "sum * rate", replace: "sum + rate" }

/** Both files have the defect: each fix is of another one. */
const audited = Effect.gen(function* () {
  const { repository, tenant } = yield* aWorkplace(files)
  const test = `'${process.execPath}' --test --test-reporter=tap check.test.js`
  yield* Effect.flatMap(RepositoryCommands, (commands) => commands.set(tenant.path, { test })).pipe(as(tenant))
  yield* ran(tenant, "audit")
  const found = [...(yield* observed(tenant)).values()].filter(({ rule_id }) => rule_id === rule)
  const refOf = (path: string) => found.find(({ locations }) => locations?.[0].file_path === path)?.ref ?? ""
  const branches = () => repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay").split("\n")
  return { tenant, refOf, branches }
})

const fixedBy = (world: Effect.Effect.Success<typeof audited>, path: string, edits: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const { tenant, refOf, branches } = world
    const sql = yield* SqlClient.SqlClient
    const runner = edits.length === 0 ? "rules" : "agent"
    yield* asOwner(sql`UPDATE workspaces SET fix_runner = ${runner} WHERE id = ${tenant.caller.workspace_id}`)
    const guidance = `scripted-agent: ${JSON.stringify({ mode: "success", edits })}`
    yield* Effect.flatMap(RepositoryTexts, (texts) => texts.setGuidance(tenant.path, guidance)).pipe(as(tenant))
    const before = branches()
    const job = yield* ran(tenant, "fix", { ref: refOf(path) })
    const added = branches().filter((branch) => !before.includes(branch))
    return { job, added }
  })

layer(workshopWith({ agent, commands: commandsAllowed }), { excludeTestServices: true })("a fix", (it) => {
  it.scoped("that breaks a test of the repository never lands; one that was red before does not count", (context) =>
    Effect.gen(function* () {
      const state = yield* Effect.flatMap(CommandSandbox, ({ available }) => available)
      if (!state.ok) return context.skip(`Commands do not run here: ${state.reason}`)
      const world = yield* audited
      const byRules = yield* fixedBy(world, "src/label.js", [])
      assert.strictEqual(byRules.job.status, "completed", byRules.job.error ?? "")
      assert.lengthOf(byRules.added, 1)
      const broken = yield* fixedBy(world, path, [fix, worse])
      assert.deepInclude(broken.job, { status: "failed", failure_kind: "test_regression" }, broken.job.error ?? "")
      assert.include(broken.job.error ?? "", "adds prices")
      assert.deepStrictEqual(broken.added, [])
    })
  )
})
