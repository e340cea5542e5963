import { Effect, Schema } from "effect"
import { BadRequest } from "../schema/Errors.ts"
import { MalformedEtag, PreconditionRequired } from "../schema/TeamContext.ts"
import { optional } from "../schema/Text.ts"
import { seenVersion } from "../services/support/seenVersion.ts"

/** The header that names the version to change. */
export const IfMatch = Schema.Struct({
  "if-match": optional(Schema.String, "Current ETag: the `ETag` header or the `etag` field.")
})

/** An ETag as the header holds it. */
export const quoted = (etag: string) => ({ etag: `"${etag}"` })

/** The headers that make a request conditional. */
export interface Conditions {
  readonly "if-match"?: string
  readonly "if-none-match"?: string
}

/** The version of an entry that the client has seen. */
export const ifMatch = (headers: Conditions) => seenVersion(headers["if-match"], "If-Match")

/** Whether a PUT creates or replaces; exactly one of the two headers must be sent. */
export const putCondition = Effect.fnUntraced(function* (headers: Conditions) {
  const { "if-match": match, "if-none-match": noneMatch } = headers
  if (match !== undefined && noneMatch !== undefined) {
    return yield* new BadRequest({ message: "Send If-Match to replace or If-None-Match: * to create, not both." })
  }
  if (match !== undefined) return "replace"
  if (noneMatch === undefined) {
    return yield* new PreconditionRequired({
      message: "Send If-None-Match: * to create, or If-Match with the current ETag to replace.",
      param: "If-Match"
    })
  }
  if (noneMatch.trim() === "*") return "create"
  return yield* new MalformedEtag({ message: "If-None-Match of a PUT is `*`.", param: "If-None-Match" })
})
