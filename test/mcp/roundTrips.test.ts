import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, anObservation, aRegisteredRepository, aWorkspace } from "../support/builders.ts"
import { rpc, textOf } from "../support/mcp.ts"
import { withSentStatements } from "../support/sentStatements.ts"
import { TestApp } from "../support/TestApp.ts"

layer(TestApp)("a call of a tool, by a key that has to be looked up", (it) => {
  it.effect("takes two round trips to the database: whose key it is, and the tool's own statement", () =>
    Effect.gen(function* () {
      const owner = yield* aWorkspace()
      const ref = yield* anObservation(owner, yield* aRegisteredRepository(owner), {})
      const calls = {
        get_observation: { ref },
        list_observations: { status: "new" },
        list_jobs: {},
        get_context_digest: {}
      }
      for (const [name, args] of Object.entries(calls)) {
        const call = Effect.flatMap(aKey(owner), ({ api_key }) =>
          withSentStatements(rpc(api_key, "tools/call", { name, arguments: args }))
        )
        // The first one on a connection prepares what follows.
        yield* call
        const [{ result }, statements] = yield* call
        assert.notStrictEqual(result?.isError, true, textOf(result!))
        assert.lengthOf(statements, 2, `${name}: ${statements.join("\n")}`)
      }
    })
  )
})
