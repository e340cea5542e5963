import { Effect } from "effect"
import { BulkTriage } from "../services/observations/BulkTriage.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const TriageHandlers = group(
  Api,
  "triage",
  Effect.fnUntraced(function* (handlers) {
    const bulkTriage = yield* BulkTriage
    return handlers
      .handle("bulk", ({ payload }) => bulkTriage.run(payload))
      .handle("undo", ({ path }) => bulkTriage.undo(path.operation_id))
  })
)
