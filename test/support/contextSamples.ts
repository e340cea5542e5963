import { Effect } from "effect"
import { KeyId } from "../../src/schema/Ids.ts"
import type { CallerInfo } from "../../src/services/access/Caller.ts"
import { ContextEntries } from "../../src/services/context/ContextEntries.ts"
import { ContextEntryStates } from "../../src/services/context/ContextEntryStates.ts"
import type { Address } from "../../src/services/context/TeamContext.ts"
import { as } from "./builders.ts"
import { seen } from "./context.ts"
import { keyCredential } from "./credential.ts"
import type { Sample } from "./Sample.ts"

/** ETags of entries by key: one for each call that changes one. */
export type KnownEntries = Readonly<
  Record<"read" | "put" | "patch" | "disable" | "restore" | "confirm" | "claim", string>
>

const content = { kind: "note", title: "Deploys", summary: "Deploys go out on Tuesdays." } as const

/** The caller as a key that they made, other than the one the test calls with. */
const anotherKey = (owner: { readonly caller: CallerInfo }) => ({
  caller: {
    ...owner.caller,
    credential: keyCredential(
      KeyId.make("01a1f84d-0000-7000-8000-0000000000aa"),
      owner.caller.actor.user_id ?? undefined
    )
  }
})

export const aSetOfEntries = (owner: { readonly caller: CallerInfo }, address: Address) =>
  Effect.gen(function* () {
    const entries = yield* ContextEntries
    const states = yield* ContextEntryStates
    const made = (key: string, by = owner) =>
      Effect.map(entries.create(address, { key, ...content }), ({ etag }) => etag).pipe(as(by))
    const known: KnownEntries = {
      read: yield* made("read"),
      put: yield* made("put"),
      patch: yield* made("patch"),
      disable: yield* made("disable"),
      restore: yield* made("restore"),
      confirm: yield* made("confirm", anotherKey(owner)),
      claim: yield* made("claim", anotherKey(owner))
    }
    yield* states.disable(address, "restore", "Out of date.", seen(known.restore)).pipe(as(owner))
    return known
  }).pipe(Effect.orDie)

/** Calls of the routes of one form, in an order in which all of them succeed. */
export const contextSamples = (
  area: "context" | "project_context",
  prefix: string,
  known: KnownEntries
): Readonly<Record<string, Sample>> => {
  const missing = area === "context" ? "not_found" : "project_not_found"
  const at = (key: keyof KnownEntries) => ({
    path: `${prefix}/entries/${key}`,
    headers: { "if-match": `"${known[key]}"` }
  })
  const named = { status: 200, named: true, missing } as const
  const ofSet = area === "context" ? { status: 200 } : named
  return {
    [`${area}.list`]: { call: { path: `${prefix}/entries?q=deploys%20-friday` }, ...ofSet },
    [`${area}.digest`]: { call: { path: `${prefix}/entries/digest?limit=5` }, ...ofSet },
    [`${area}.read`]: { call: { path: `${prefix}/entries/read` }, ...named },
    [`${area}.history`]: { call: { path: `${prefix}/entries/read/history` }, ...named },
    [`${area}.create`]: {
      call: { path: `${prefix}/entries`, json: { key: "deploys", ...content } },
      ...ofSet,
      status: 201
    },
    [`${area}.put`]: { call: { method: "PUT", ...at("put"), json: content }, ...named },
    [`${area}.patch`]: { call: { method: "PATCH", ...at("patch"), json: { tags: ["ops"] } }, ...named },
    [`${area}.disable`]: { call: { method: "DELETE", ...at("disable"), json: { reason: "Out of date." } }, ...named },
    [`${area}.restore`]: { call: { method: "POST", path: `${prefix}/entries/restore/restore` }, ...named },
    [`${area}.confirm`]: {
      call: { method: "POST", ...at("confirm"), path: `${prefix}/entries/confirm/confirm` },
      ...named
    },
    [`${area}.corroborate`]: {
      call: { method: "POST", ...at("claim"), path: `${prefix}/entries/claim/corroborate` },
      ...named
    }
  }
}

export const contextToolSamples = (known: KnownEntries): Readonly<Record<string, Record<string, unknown>>> => ({
  get_context_digest: { limit: 5 },
  list_context_entries: { q: "deploys", include_disabled: true },
  get_context_entry: { key: "read" },
  get_context_entry_history: { key: "read" },
  create_context_entry: { key: "deploys", ...content },
  upsert_context_entry: { key: "put", expected_etag: known.put, ...content },
  update_context_entry: { key: "patch", expected_etag: known.patch, data: { day: "Tuesday" } },
  disable_context_entry: { key: "disable", expected_etag: known.disable, reason: "Out of date." },
  restore_context_entry: { key: "restore" },
  corroborate_context_entry: { key: "claim", expected_etag: known.claim }
})
