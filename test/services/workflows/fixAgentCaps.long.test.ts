// Held in the short form by: test/layers/AgentCommand.test.ts (what hangs, forks without end or writes elsewhere is ended and
// kept out, with these kinds of failure), test/services/fixes/gates.test.ts (the gate of scope), fixAgent.test.ts (a fix of an
// agent that was ended never lands).
import { existsSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { anAgentRunner } from "../../support/agent.ts"
import { auditedWith, fixedBy, safe } from "../../support/agentFixes.ts"
import { scriptedAgent } from "../../support/scriptedAgent.ts"

const slowAgent = anAgentRunner({ command: scriptedAgent, timeoutSeconds: 4, maxProcesses: 48 })
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

  it.scoped("that is written outside of the tree never lands: it is impossible, or it fails the gate of scope", () =>
    Effect.gen(function* () {
      const { job, branches } = yield* fixedBy({ mode: "outside" })
      assert.strictEqual(job.status, "failed")
      assert.oneOf(job.failure_kind, ["no_changes", "quality_gate_failed"])
      assert.strictEqual(branches, "")
      assert.isFalse(existsSync("/usr/outside.txt"))
    })
  )
})
