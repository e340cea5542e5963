import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { NoOpenFixPr } from "../../schema/Fix.ts"
import { ObservationNotFound, type ObservationNumber, refOf } from "../../schema/Observation.ts"
import { RepositoryUnverified } from "../../schema/Repository.ts"
import { Caller } from "../access/Caller.ts"
import { AuditLog } from "../audit_log/AuditLog.ts"
import { Observations, rowOf } from "../observations/Observations.ts"
import type { CodeHostError } from "../ports/Remote.ts"
import { transactional } from "../support/transactional.ts"
import { FixAttemptsRepo } from "./FixAttemptsRepo.ts"
import { FixRecordsRepo, type WatchedPr } from "./FixRecordsRepo.ts"
import { partOfMission } from "./fixTarget.ts"
import { PullRequestHost } from "./PullRequestHost.ts"
import { hasOpenPr, stateOf } from "./transitions.ts"

/** People take back fix pull requests. */
export class FixWithdrawals extends Effect.Service<FixWithdrawals>()("FixWithdrawals", {
  effect: Effect.gen(function* () {
    const repo = yield* FixAttemptsRepo
    const records = yield* FixRecordsRepo
    const hosts = yield* PullRequestHost
    const observations = yield* Observations
    const auditLog = yield* AuditLog
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    /** Keeps who asked before the code host is asked: whatever happens between, it ends as a withdrawal. */
    const requested = Effect.fn("FixWithdrawals.requested")(function* (number: ObservationNumber) {
      const { workspace_id, actor } = yield* Caller
      const ref = refOf(number)
      const target = yield* repo.target({ workspace_id, number, lock: true })
      if (Option.isNone(target)) return yield* new ObservationNotFound({ message: `No observation ${ref}.` })
      const ongoing = yield* repo.ongoing({ workspace_id, observation_id: target.value.id })
      if (Option.isNone(ongoing)) return yield* noOpenPr(ref)
      const key = { workspace_id, id: ongoing.value.id }
      const attempt = yield* repo.find(key)
      if (!Option.exists(attempt, (row) => hasOpenPr(stateOf(row)))) return yield* noOpenPr(ref)
      const mission = Option.getOrThrow(attempt).mission_ref
      if (mission !== null) return yield* partOfMission(ref, mission)
      yield* repo.setWithdrawal({ ...key, by: actor })
      const pr = yield* records.watchedOne(key)
      return Option.isSome(pr) ? pr.value : yield* noOpenPr(ref)
    }, inTransaction)

    /** Closes it at the code host; says whether it was merged instead. */
    const isMerged = (pr: WatchedPr): Effect.Effect<boolean, CodeHostError> =>
      Effect.gen(function* () {
        const before = yield* hosts.ask(pr)
        const closing = before.state === "open" ? yield* Effect.either(hosts.close(pr)) : null
        // A host closes nothing that was merged since it was asked.
        const after = closing?._tag === "Left" ? yield* hosts.ask(pr) : before
        if (after.state === "open" && closing?._tag === "Left") return yield* closing.left
        if (after.state === "merged") yield* hosts.settle(pr, after)
        return after.state === "merged"
      })

    const givenUp = (pr: WatchedPr) => repo.setWithdrawal({ workspace_id: pr.workspace_id, id: pr.id, by: null })

    const recorded = Effect.fn("FixWithdrawals.recorded")(function* (pr: WatchedPr) {
      if (!(yield* hosts.withdraw(pr))) return yield* noOpenPr(pr.ref)
      yield* auditLog.record({
        object: { kind: "observation", ref: pr.ref },
        before: { attempt_id: pr.id, fix_pr: "open" },
        after: { attempt_id: pr.id, fix_pr: "withdrawn" }
      })
    }, inTransaction)

    /** Closes the open fix pull request of an observation unmerged, and cancels a revision of it that is under way. */
    const withdraw = Effect.fn("FixWithdrawals.withdraw")(function* (number: ObservationNumber) {
      const pr = yield* requested(number)
      const merged = yield* isMerged(pr).pipe(
        Effect.catchAll((error) =>
          Effect.zipRight(
            givenUp(pr),
            new RepositoryUnverified({ message: `The pull request is open still: ${error.message} Try again.` })
          )
        )
      )
      if (merged) {
        return yield* new NoOpenFixPr({ message: `The fix pull request of ${pr.ref} has been merged meanwhile.` })
      }
      yield* recorded(pr)
      const observation = rowOf(yield* observations.get(number))
      return observation
    })

    return { withdraw }
  })
}) {}

const noOpenPr = (ref: string) => new NoOpenFixPr({ message: `${ref} has no open fix pull request.` })
