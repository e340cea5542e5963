import { createHmac, timingSafeEqual } from "node:crypto"
import { Clock, Effect } from "effect"
import { InvalidCursor } from "../../schema/Errors.ts"
import type { WorkspaceId } from "../../schema/Ids.ts"
import type { Page } from "../../schema/Page.ts"
import { canonicalJson, sha256 } from "../support/ids.ts"
import type { Position } from "../support/keyset.ts"
import { ServerSecrets } from "../support/ServerSecrets.ts"
import { Caller } from "./Caller.ts"

const lifetimeMillis = 24 * 60 * 60 * 1000

/**
 * Opaque continuation of a list: position, endpoint, filters and workspace under a MAC, good for 24 hours.
 * The key is shared by all processes of one database.
 */
export class Cursors extends Effect.Service<Cursors>()("Cursors", {
  effect: Effect.gen(function* () {
    const key = yield* Effect.flatMap(ServerSecrets, (secrets) => secrets.get("cursor"))

    const binding = (workspaceId: WorkspaceId, list: string, filters: object) =>
      sha256(canonicalJson([workspaceId, list, filters]))
        .subarray(0, 8)
        .toString("base64url")

    const sealed = (body: string) =>
      `${body}.${createHmac("sha256", key).update(body).digest().subarray(0, 16).toString("base64url")}`

    const seal = Effect.fnUntraced(function* (list: string, filters: object, position: Position) {
      const { workspace_id } = yield* Caller
      const now = yield* Clock.currentTimeMillis
      const body = Buffer.from(
        JSON.stringify([now + lifetimeMillis, binding(workspace_id, list, filters), position])
      ).toString("base64url")
      return sealed(body)
    })

    /** The position a cursor of this list and these filters holds; `null` without a cursor. */
    const open = Effect.fnUntraced(function* (list: string, filters: object, cursor: string | undefined) {
      if (cursor === undefined) return null
      const { workspace_id } = yield* Caller
      const [body = ""] = cursor.split(".")
      const given = Buffer.from(cursor)
      const expected = Buffer.from(sealed(body))
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        return yield* new InvalidCursor({ message: "This is not a cursor of this list.", param: "cursor" })
      }
      const [expires, bound, position] = JSON.parse(Buffer.from(body, "base64url").toString()) as [
        number,
        string,
        Position
      ]
      if (bound !== binding(workspace_id, list, filters)) {
        return yield* new InvalidCursor({ message: "The cursor belongs to another list or filter.", param: "cursor" })
      }
      if (expires < (yield* Clock.currentTimeMillis)) {
        return yield* new InvalidCursor({
          message: "The cursor has expired; start from the first page.",
          param: "cursor"
        })
      }
      return position
    })

    /** How a page ends that has `last` as the position of its last row when there are more. */
    const end = (
      list: string,
      filters: object,
      last: Position | null
    ): Effect.Effect<Omit<Page<never>, "data">, never, Caller> =>
      last === null
        ? Effect.succeed({ next_cursor: null, has_more: false })
        : Effect.map(seal(list, filters, last), (next_cursor) => ({ next_cursor, has_more: true }))

    /** Makes a page of `limit` rows out of `limit + 1` fetched ones. */
    const page = <A>(list: string, filters: object, limit: number, rows: ReadonlyArray<A>, at: (row: A) => Position) =>
      Effect.suspend((): Effect.Effect<Page<A>, never, Caller> => {
        const data = rows.slice(0, limit)
        const last = data.at(-1)
        const more = rows.length > limit && last !== undefined
        return Effect.map(end(list, filters, more ? at(last) : null), (ended) => ({ data, ...ended }))
      })

    return { open, end, page }
  })
}) {}
