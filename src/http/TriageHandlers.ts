import { Effect } from "effect"
import { BulkTriage } from "../services/observations/BulkTriage.ts"
import { Facets } from "../services/observations/Facets.ts"
import { ObservationCode } from "../services/observations/ObservationCode.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const TriageHandlers = group(
  Api,
  "triage",
  Effect.fnUntraced(function* (handlers) {
    const bulkTriage = yield* BulkTriage
    const facets = yield* Facets
    const code = yield* ObservationCode
    return handlers
      .handle("bulk", ({ payload }) => bulkTriage.run(payload))
      .handle("undo", ({ path }) => bulkTriage.undo(path.operation_id))
      .handle("facets", ({ urlParams }) => facets.read(urlParams))
      .handle("code", ({ path, urlParams }) => code.read(path.ref, urlParams))
  })
)
