import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { AlreadyCorroborated, NotProposed, SelfCorroboration } from "../../schema/TeamContext.ts"
import { Caller } from "../access/Caller.ts"
import type { SeenVersion } from "../support/seenVersion.ts"
import { transactional } from "../support/transactional.ts"
import { ContextEntryWriter, mayAddress, mayWrite } from "./ContextEntryWriter.ts"
import { previous } from "./entryHistory.ts"
import { checkFields, checkKey, keyTaken } from "./entryRules.ts"
import { scanForSecrets } from "./secretScan.ts"
import { type Address, noEntry, TeamContext } from "./TeamContext.ts"
import { TeamContextRepo } from "./TeamContextRepo.ts"

/** Changing the state of the team's notes but not their content: disabled or enabled, proposed or live. */
export class ContextEntryStates extends Effect.Service<ContextEntryStates>()("ContextEntryStates", {
  effect: Effect.gen(function* () {
    const repo = yield* TeamContextRepo
    const context = yield* TeamContext
    const { author, locked, log, opened, statusFor, written } = yield* ContextEntryWriter
    const inTransaction = transactional(yield* SqlClient.SqlClient)

    const disable = Effect.fn("ContextEntryStates.disable")(function* (
      address: Address,
      key: string,
      reason: string,
      seen: SeenVersion
    ) {
      const { target, row } = yield* opened(address, key, seen)
      yield* mayWrite(target, row.scope)
      yield* checkFields({ reason })
      yield* scanForSecrets({ reason })
      const by = yield* author()
      yield* repo.disable(target, row.id, reason, by)
      return yield* written(
        target,
        yield* log(target, { id: row.id, version: row.version + 1 }, "deleted", by, previous(row), { reason })
      )
    }, inTransaction)

    const restore = Effect.fn("ContextEntryStates.restore")(function* (address: Address, key: string) {
      const target = yield* context.placeOf(address)
      yield* mayAddress(target)
      yield* checkKey(key)
      yield* repo.holdKey(target, key)
      if (Option.isSome(yield* repo.lock(target, key))) return yield* keyTaken(key)
      const disabled = yield* repo.lockDisabled(target, key)
      if (Option.isNone(disabled)) return yield* noEntry(key)
      const row = disabled.value
      yield* mayWrite(target, row.scope)
      const by = yield* author()
      yield* repo.restore(target, row.id, yield* statusFor(row.status), by)
      return yield* written(
        target,
        yield* log(target, { id: row.id, version: row.version + 1 }, "restored", by, previous(row))
      )
    }, inTransaction)

    /** A signed-in person vouches for the entry as they have seen it. */
    const confirm = Effect.fn("ContextEntryStates.confirm")(function* (
      address: Address,
      key: string,
      seen: SeenVersion
    ) {
      const { credential } = yield* Caller
      const { target, row } = yield* opened(address, key, seen)
      yield* mayWrite(target, row.scope)
      const by = yield* author()
      // The operation admits sessions only.
      yield* repo.confirm(
        target,
        row.id,
        credential.kind === "session" ? credential.user_id : credential.created_by,
        by
      )
      return yield* written(
        target,
        yield* log(target, { id: row.id, version: row.version + 1 }, "confirmed", by, previous(row))
      )
    }, inTransaction)

    /** Another key than the writer's says that it checked a proposed entry. The version stays. */
    const corroborate = Effect.fn("ContextEntryStates.corroborate")(function* (
      address: Address,
      key: string,
      seen: SeenVersion
    ) {
      const target = yield* context.placeOf(address)
      yield* checkKey(key)
      const row = yield* locked(target, key, seen)
      const by = yield* author()
      if (row.status !== "proposed") {
        return yield* new NotProposed({ message: `The entry is ${row.status}; only proposed ones are corroborated.` })
      }
      if (by.key_id === row.created_key_id || by.key_id === row.updated_key_id) {
        return yield* new SelfCorroboration({ message: "This key created or last changed the entry itself." })
      }
      if (row.corroborated_at !== null) {
        return yield* new AlreadyCorroborated({ message: "A key corroborated this version already." })
      }
      yield* repo.corroborate(target, row.id, by.actor, by.at)
      return yield* written(target, yield* log(target, row, "corroborated", by, previous(row)))
    }, inTransaction)

    return { disable, restore, confirm, corroborate }
  })
}) {}
