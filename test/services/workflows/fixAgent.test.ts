import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { SqlClient } from "@effect/sql"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { FailureKind } from "../../../src/schema/Job.ts"
import { Fixes } from "../../../src/services/fixes/Fixes.ts"
import { RepositoryTexts } from "../../../src/services/settings/RepositoryTexts.ts"
import { anAgentRunner } from "../../support/agent.ts"
import { asOwner } from "../../support/Database.ts"
import { inForm } from "../../support/forms.ts"
import { as } from "../../support/jobs.ts"
import { aWorkplace, observed, ran, workshopWith } from "../../support/workflows.ts"

const script = fileURLToPath(new URL("../../support/scriptedAgent.mjs", import.meta.url))
const command = `'${process.execPath}' '${script}'`

const settings = `import yaml


def read_settings(stream):
    return yaml.load(stream, Loader=yaml.Loader)
`
const rule = "insecure_deserialization.unsafe_yaml_load"

interface Direction {
  readonly mode: string
  readonly edits?: ReadonlyArray<object>
  readonly later?: Direction
}

/** Edits are of the file of the finding. */
const replacing = (replace: string) => ({ find: "yaml.load(stream, Loader=yaml.Loader)", replace })
const safe = replacing("yaml.safe_load(stream)")

const anotherDefect = `def check(value):
    assert (value, "must be set")


`

const audited = Effect.gen(function* () {
  const paths = Array.from({ length: 12 }, (_, n) => `app${n}/settings.py`)
  const { repository, tenant } = yield* aWorkplace(Object.fromEntries(paths.map((path) => [path, settings])))
  yield* ran(tenant, "audit")
  const found = [...(yield* observed(tenant)).values()].filter(({ rule_id }) => rule_id === rule)
  return { repository, tenant, unfixed: found }
})

/** One audit of as many equal files as there are tests: each fixes another one. */
class Audited extends Context.Tag("test/Audited")<Audited, Effect.Effect.Success<typeof audited>>() {}

const auditedWith = (outside: Parameters<typeof workshopWith>[0]) =>
  Layer.scoped(Audited, Effect.orDie(audited)).pipe(Layer.provideMerge(workshopWith(outside)))

const branchesOf = ({ repository }: typeof Audited.Service) =>
  repository.git("for-each-ref", "--format=%(refname:short)", "refs/heads/assay").split("\n")

const editing = (path: string, { edits = [], later, ...direction }: Direction): Direction => ({
  ...direction,
  edits: edits.map((edit) => ({ path, ...edit })),
  ...(later === undefined ? {} : { later: editing(path, later) })
})

/** A fix by the agent, which follows directions that reach it as guidance of the repository. */
const fixedBy = (direction: Direction, runner: "rules" | "agent" | "rules_then_agent" = "agent") =>
  Effect.gen(function* () {
    const world = yield* Audited
    const { repository, tenant, unfixed } = world
    const { ref, locations } = unfixed.shift()!
    const path = locations![0]!.file_path
    const sql = yield* SqlClient.SqlClient
    yield* asOwner(sql`UPDATE workspaces SET fix_runner = ${runner} WHERE id = ${tenant.caller.workspace_id}`)
    const guidance = `scripted-agent: ${JSON.stringify(editing(path, direction))}`
    yield* Effect.flatMap(RepositoryTexts, (texts) => texts.setGuidance(tenant.path, guidance)).pipe(as(tenant))
    const before = branchesOf(world)
    const job = yield* ran(tenant, "fix", { ref })
    const number = Number(ref.slice("OBS-".length))
    const detail = yield* Effect.flatMap(Fixes, (fixes) => fixes.detail(number as never)).pipe(as(tenant))
    const branches = branchesOf(world)
      .filter((branch) => !before.includes(branch))
      .join()
    const [attempt] = detail.attempts
    return { job, path, branches, repository, attempt, status: detail.status }
  })

const failingGate = (attempt: { readonly gates: ReadonlyArray<{ readonly name: string; readonly result: string }> }) =>
  attempt.gates.find(({ result }) => result === "failed")?.name

layer(auditedWith({ agent: anAgentRunner({ command }) }), { excludeTestServices: true })("an agent's fix", (it) => {
  it.scoped("comes to a pull request through the same gates, with what the agent cost", () =>
    Effect.gen(function* () {
      const { job, path, branches, repository, attempt } = yield* fixedBy({ mode: "success", edits: [safe] })
      assert.strictEqual(job.status, "completed", job.error ?? "")
      assert.include(repository.git("show", `${branches}:${path}`), "yaml.safe_load(stream)")
      assert.isAtLeast(job.cost_usd, 0.25)
      assert.deepInclude(attempt, { runner: "agent", status: "in_review" })
    })
  )

  it.scoped("that leaves its finding goes back to the agent with the reason, and may be right then", () =>
    Effect.gen(function* () {
      const useless = { content: `${settings}\n\nUNUSED = 1\n` }
      const later = { mode: "success", edits: [safe] }
      const { job } = yield* fixedBy({ mode: "success", edits: [useless], later })
      assert.strictEqual(job.status, "completed", job.error ?? "")
      assert.propertyVal(job.result, "rounds", 2)
      assert.isAtLeast(job.cost_usd, 0.5)
    })
  )

  it.scoped("is tried where the rules' own fixer declines, and only then", () =>
    Effect.gen(function* () {
      const { job, attempt } = yield* fixedBy({ mode: "crash" }, "rules_then_agent")
      assert.strictEqual(job.status, "completed", job.error ?? "")
      assert.propertyVal(attempt, "runner", "rules")
    })
  )

  // One of each kind: what else agents do is in the tests of the gates, of work trees and of agents' commands.
  const failures: ReadonlyArray<readonly [string, Direction, FailureKind, string | undefined]> = [
    ["crashes", { mode: "crash" }, "agent_failed", undefined],
    ["changes nothing", { mode: "nothing" }, "no_changes", "edit"],
    ["costs more than it may", { mode: "over_budget", edits: [safe] }, "budget_exceeded", undefined],
    ["replaces a file by a link", { mode: "symlink", edits: [safe] }, "quality_gate_failed", "scope"],
    ["breaks a file", { mode: "success", edits: [replacing("yaml.safe_load(stream")] }, "quality_gate_failed", "parse"],
    [
      "leaves the finding",
      { mode: "success", edits: [{ content: `# Checked.\n${settings}` }] },
      "finding_not_resolved",
      "finding_gone"
    ],
    [
      "brings another finding",
      { mode: "success", edits: [safe, { find: "def", replace: `${anotherDefect}def` }] },
      "quality_gate_failed",
      "no_new_findings"
    ]
  ]

  const lastOfEachKind = [...new Map(failures.map((failure) => [failure[2], failure])).values()]
  for (const [what, direction, failure_kind, gate] of inForm({ short: lastOfEachKind, long: failures })) {
    it.scoped(`that ${what} never lands, and says why`, () =>
      Effect.gen(function* () {
        const { job, branches, attempt, status } = yield* fixedBy(direction)
        assert.deepInclude(job, { status: "failed", failure_kind }, job.error ?? "")
        assert.strictEqual(branches, "")
        assert.strictEqual(status, "new")
        assert.oneOf(attempt?.outcome, ["failed", "declined"])
        assert.isNotNull(attempt?.last_failure_reason ?? null)
        if (attempt !== undefined) assert.strictEqual(failingGate(attempt), gate)
      })
    )
  }

  it.scoped("that is written outside of the tree never lands: it is impossible, or it fails the gate of scope", () =>
    Effect.gen(function* () {
      const { job, branches } = yield* fixedBy({ mode: "outside" })
      assert.strictEqual(job.status, "failed")
      assert.oneOf(job.failure_kind, ["no_changes", "quality_gate_failed"])
      assert.strictEqual(branches, "")
      assert.isFalse(existsSync("/usr/outside.txt"))
    })
  )

  it.scoped("quotes no credential that the agent printed", () =>
    Effect.gen(function* () {
      const { job, repository, branches, attempt } = yield* fixedBy({ mode: "secret_output", edits: [safe] })
      assert.strictEqual(job.status, "completed", job.error ?? "")
      const message = repository.git("log", "-1", "--format=%B", branches)
      for (const text of [message, JSON.stringify(job), JSON.stringify(attempt)])
        assert.notMatch(text, /AKIA[A-Z0-9]{8}/)
    })
  )
})

const slowAgent = anAgentRunner({ command, timeoutSeconds: 4, maxProcesses: 48 })
layer(auditedWith({ agent: slowAgent }), { excludeTestServices: true })("an agent at its caps", (it) => {
  for (const [mode, failure_kind] of [
    ["hang", "timeout"],
    ["fork_bomb", "resource_limit"]
  ] as const) {
    it.scoped(`is ended in the mode ${mode}, and its fix never lands`, () =>
      Effect.gen(function* () {
        const { job, branches } = yield* fixedBy({ mode, edits: [safe] })
        assert.strictEqual(job.status, "failed")
        assert.oneOf(job.failure_kind, mode === "hang" ? [failure_kind] : [failure_kind, "timeout"])
        assert.strictEqual(branches, "")
      })
    )
  }
})
