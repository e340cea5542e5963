import { Context, Effect, Option } from "effect"
import type { AuditActor, AuditObjectKind } from "../../schema/AuditLog.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import { Uuid } from "../../schema/Text.ts"
import { Caller, type CallerInfo } from "../access/Caller.ts"
import { CurrentCall } from "../support/CurrentCall.ts"
import { newId } from "../support/ids.ts"
import { now } from "../support/now.ts"
import { AuditLogRepo } from "./AuditLogRepo.ts"
import { differenceOf } from "./recorded.ts"

export interface Change {
  readonly object: { readonly kind: AuditObjectKind; readonly ref: string }
  /** What the object was, whole or in part; null for a new one, and for an act that changes no fields. */
  readonly before: object | null
  /** What it is now; null for a deleted one. */
  readonly after: object | null
  /** Name of the operation, where it is not the one that the request was admitted to; `service` in background work. */
  readonly action?: string
  /** Who acts, where there is no caller. */
  readonly by?: { readonly workspace_id: WorkspaceId; readonly actor: AuditActor }
}

class IsPart extends Context.Reference<IsPart>()("audit_log/IsPart", { defaultValue: () => false }) {}

/** What is changed inside belongs to a change that has a record of its own: it leaves none. */
export const partOfChange = Effect.provideService(IsPart, true)

/** The only writer of the audit log: one record for each change that the service acknowledges. */
export class AuditLog extends Effect.Service<AuditLog>()("AuditLog", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditLogRepo

    /**
     * To be called in the transaction of the change. Who acts, the operation, the address and the request come from the
     * call; of two versions only the fields that differ are kept, and where none does nothing is recorded.
     */
    const record = Effect.fn("AuditLog.record")(function* (change: Change) {
      if (yield* IsPart) return
      const difference = differenceOf(change.before, change.after)
      if (difference === null) return
      const { workspace_id, actor, names } = yield* whoActs(change.by)
      const call = yield* CurrentCall
      yield* repo.insert({
        id: yield* newId(Uuid),
        workspace_id,
        at: yield* now,
        actor,
        actor_names: names,
        action: change.action ?? call.operation ?? "service",
        object: change.object,
        ...difference,
        address: call.address,
        request_id: call.requestId
      })
    })

    return { record }
  })
}) {}

interface Acting {
  readonly workspace_id: WorkspaceId
  readonly actor: AuditActor
  readonly names: ReadonlyArray<string>
}

const whoActs = (by: Change["by"]): Effect.Effect<Acting> =>
  by !== undefined
    ? Effect.succeed({ ...by, names: namesOf(by.actor) })
    : Effect.flatMap(Effect.serviceOption(Caller), (caller) =>
        Option.isSome(caller)
          ? Effect.succeed(actingCaller(caller.value))
          : Effect.dieMessage("A change outside a call names who acts.")
      )

/** The caller as records of changes show them. */
export const actorOf = ({ actor: { label }, credential }: CallerInfo): AuditActor =>
  credential.kind === "session"
    ? { kind: "user", user_id: credential.user_id, api_key: null, label }
    : { kind: "api_key", user_id: null, api_key: { name: credential.name, prefix: credential.prefix }, label }

const actingCaller = (caller: CallerInfo): Acting => {
  const actor = actorOf(caller)
  return { workspace_id: caller.workspace_id, actor, names: namesOf(actor) }
}

const namesOf = ({ kind, user_id, api_key, label }: AuditActor): ReadonlyArray<string> =>
  [...new Set([kind, user_id, api_key?.prefix, label])].flatMap((name) =>
    name === null || name === undefined ? [] : [name.toLowerCase()]
  )

/** The operator, at the command line. */
export const operator: AuditActor = { kind: "system", user_id: null, api_key: null, label: "operator" }

/** The service itself. */
export const service: AuditActor = { kind: "system", user_id: null, api_key: null, label: "assay" }

/** Someone who is not signed in. */
export const visitor: AuditActor = { kind: "system", user_id: null, api_key: null, label: "visitor" }
