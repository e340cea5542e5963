import { Effect } from "effect"
import type { ErrorSpec } from "../../src/schema/ApiError.ts"
import type { Scope } from "../../src/schema/Key.ts"
import type { ContextEntry, ContextWritten, CreateContextEntry } from "../../src/schema/TeamContext.ts"
import type { CallerInfo } from "../../src/services/access/Caller.ts"
import { Guard } from "../../src/services/access/Guard.ts"
import { seenVersion } from "../../src/services/support/seenVersion.ts"
import { aKey, as, type Person } from "./builders.ts"

/** The actor of a test: a person, or one of their keys. */
export type Actor = { readonly caller: CallerInfo }

/** One of a person's keys, as the guard knows it. */
export const aKeyOf = (person: Person, name: string, scopes?: ReadonlyArray<Scope>) =>
  Effect.gen(function* () {
    const { api_key } = yield* aKey(person, { name, ...(scopes === undefined ? {} : { scopes }) })
    const { caller } = yield* Effect.flatMap(Guard, (guard) =>
      guard.identify({
        authorization: `Bearer ${api_key}`,
        sessionToken: undefined,
        csrfToken: undefined,
        sameOrigin: true,
        safeMethod: true,
        address: null
      })
    )
    return { caller } satisfies Actor
  }).pipe(Effect.orDie)

export const note = (key: string, fields: Partial<CreateContextEntry> = {}): CreateContextEntry => ({
  key,
  kind: "note",
  title: `About ${key}`,
  summary: `What is known about ${key}.`,
  ...fields
})

export const whole = (written: ContextWritten): ContextEntry => written as ContextEntry

/** The outcome of an attempt: "ok", or the code of its error. */
export const codeOf = <A, R>(attempt: Effect.Effect<A, { readonly spec: ErrorSpec }, R>) =>
  Effect.match(attempt, { onFailure: ({ spec }) => spec.code, onSuccess: () => "ok" })

export const detailsOf = <A, E extends { readonly details?: unknown }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(attempt), ({ details }) => details)

export { as }

/** What a client that has this ETag has seen. */
export const seen = (etag: string | undefined) => seenVersion(etag, "If-Match")
