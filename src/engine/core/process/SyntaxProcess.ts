import { Effect, Schema } from "effect"
import type { SyntaxRequest } from "./requests/syntaxRequest.ts"
import { type InProcessOptions, inProcess, type ProcessEvent, type ScanError } from "./ScanProcess.ts"

const SyntaxFaults = Schema.Struct({
  faults: Schema.Array(Schema.Struct({ path: Schema.String, lines: Schema.Array(Schema.Int) }))
})

/** Files that a commit leaves less well-formed than they were, from a process of its own. */
export const syntaxInProcess = (
  request: SyntaxRequest,
  options: Pick<InProcessOptions<ProcessEvent, never>, "limits"> = {}
): Effect.Effect<(typeof SyntaxFaults.Type)["faults"], ScanError> =>
  Effect.map(
    inProcess<typeof SyntaxFaults.Type, typeof SyntaxFaults.Encoded, never>(
      "syntax-process",
      request,
      SyntaxFaults,
      options
    ),
    ({ faults }) => faults
  )
