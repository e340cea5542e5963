import { SqlClient } from "@effect/sql"
import { Duration, Effect, Schedule } from "effect"
import { asSystem, withReach } from "../access/Reach.ts"
import { service } from "../audit_log/AuditLog.ts"
import { now } from "../support/now.ts"
import { transactional } from "../support/transactional.ts"
import { IssueEvents } from "./IssueEvents.ts"
import { IssuesRepo } from "./IssuesRepo.ts"

const interval = Duration.seconds(10)
const atOnce = 100

/**
 * Ends claims whose leases have run out, so that people and endpoints hear of it without the next write to the issue. Any
 * number of processes can do this at a time, and be killed while they do.
 */
export class IssueLeases extends Effect.Service<IssueLeases>()("IssueLeases", {
  effect: Effect.gen(function* () {
    const issues = yield* IssuesRepo
    const events = yield* IssueEvents
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** How many it ended. */
    const endSome = Effect.fn("IssueLeases.endSome")(function* () {
      const ended = yield* issues.endRunOut(atOnce, { actor: service, at: yield* now })
      yield* Effect.forEach(ended, (lease) => events.leaseEnded(lease, lease), { discard: true })
      return ended.length
    }, inTransaction)

    const sweep = Effect.repeat(endSome(), { while: (ended) => ended === atOnce }).pipe(asSystem, withReach)

    /** For ever, in every process that runs jobs. */
    const loop = Effect.repeat(
      Effect.catchAllCause(sweep, (cause) => Effect.logWarning("Leases of issues were not ended.", cause)),
      Schedule.jittered(Schedule.spaced(interval))
    )

    return { sweep, loop }
  })
}) {}
