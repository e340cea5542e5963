import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { FailureKind } from "../../../src/schema/Job.ts"
import { anAgentRunner } from "../../support/agent.ts"
import { auditedWith, type Direction, fixedBy, replacing, safe, settings } from "../../support/agentFixes.ts"
import { inForm } from "../../support/forms.ts"
import { scriptedAgent } from "../../support/scriptedAgent.ts"

const anotherDefect = `def check(value):
    try:
        return int(value)
    except:
        return None


`

const failingGate = (attempt: { readonly gates: ReadonlyArray<{ readonly name: string; readonly result: string }> }) =>
  attempt.gates.find(({ result }) => result === "failed")?.name

layer(auditedWith({ agent: anAgentRunner({ command: scriptedAgent }) }), { excludeTestServices: true })(
  "an agent's fix",
  (it) => {
    it.scoped(
      "comes to a pull request through the same gates, with what the agent cost, and quotes no credential of it",
      () =>
        Effect.gen(function* () {
          // The first round leaves the finding: the agent gets the reason, and is right then.
          const useless = { content: `${settings}\n\nUNUSED = 1\n` }
          const later = { mode: "secret_output", edits: [safe] }
          const { job, path, branches, repository, attempt } = yield* fixedBy({
            mode: "success",
            edits: [useless],
            later
          })
          assert.strictEqual(job.status, "completed", job.error ?? "")
          assert.propertyVal(job.result, "rounds", 2)
          assert.isAtLeast(job.cost_usd, 0.5)
          assert.include(repository.git("show", `${branches}:${path}`), "yaml.safe_load(stream)")
          assert.deepInclude(attempt, { runner: "agent", status: "in_review" })
          const message = repository.git("log", "-1", "--format=%B", branches)
          for (const text of [message, JSON.stringify(job), JSON.stringify(attempt)])
            assert.notMatch(text, /AKIA[A-Z0-9]{8}/)
        })
    )

    it.scoped("is tried where the rules' own fixer declines, and only then", () =>
      Effect.gen(function* () {
        const { job, attempt } = yield* fixedBy({ mode: "crash" }, "rules_then_agent")
        assert.strictEqual(job.status, "completed", job.error ?? "")
        assert.propertyVal(attempt, "runner", "rules")
      })
    )

    // In short, one that is ended and one that a gate rejects: what else agents do is in the tests of the gates, of work trees
    // and of agents' commands.
    const failures: ReadonlyArray<readonly [string, Direction, FailureKind, string | undefined]> = [
      ["crashes", { mode: "crash" }, "agent_failed", undefined],
      ["changes nothing", { mode: "nothing" }, "no_changes", "edit"],
      ["costs more than it may", { mode: "over_budget", edits: [safe] }, "budget_exceeded", undefined],
      ["replaces a file by a link", { mode: "symlink", edits: [safe] }, "quality_gate_failed", "scope"],
      [
        "breaks a file",
        { mode: "success", edits: [replacing("yaml.safe_load(stream")] },
        "quality_gate_failed",
        "parse"
      ],
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

    const endedAndRejected = failures.filter(([, , kind, gate]) => kind === "budget_exceeded" || gate === "scope")
    for (const [what, direction, failure_kind, gate] of inForm({ short: endedAndRejected, long: failures })) {
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
  }
)
