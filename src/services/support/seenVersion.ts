import { Effect } from "effect"
import { MalformedEtag, PreconditionRequired } from "../../schema/TeamContext.ts"

const etagPattern = /^"?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):([1-9]\d{0,8})"?$/

/** The object and version that the caller has seen last; a change of another one is rejected. */
export type SeenVersion = Effect.Effect<
  { readonly id: string; readonly version: number },
  PreconditionRequired | MalformedEtag
>

/** The object and version that an ETag names; `param` is what the interface calls it. */
export const seenVersion = (etag: string | undefined, param: string): SeenVersion => {
  if (etag === undefined) {
    return Effect.fail(new PreconditionRequired({ message: `${param} with the current ETag is required.`, param }))
  }
  const [, id, version] = etagPattern.exec(etag.trim()) ?? []
  return id === undefined
    ? Effect.fail(
        new MalformedEtag({
          message: `${param} takes one ETag: the id and version joined by a colon.`,
          param
        })
      )
    : Effect.succeed({ id, version: Number(version) })
}
