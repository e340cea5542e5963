import { Effect } from "effect"
import { VersionConflict } from "../../schema/TeamContext.ts"
import { sha256Hex } from "./ids.ts"

const etagLength = 32

/** ETag of a text that is replaced as a whole: the same text has the same one. */
export const textEtag = (text: string): string => sha256Hex(text).slice(0, etagLength)

interface CurrentText {
  readonly text: string
  readonly changed_at: string | null
  readonly changed_by: { readonly label: string | null } | null
}

/** Rejects a change of another text than the caller has seen. A caller that names none replaces whatever is there. */
export const checkSeenText = (
  seen: string | undefined,
  { text, changed_at, changed_by }: CurrentText
): Effect.Effect<void, VersionConflict> => {
  const current_etag = textEtag(text)
  if (seen === undefined || seen.trim().replace(/^"(.*)"$/, "$1") === current_etag) return Effect.void
  return Effect.fail(
    new VersionConflict({
      message: `The text changed; its ETag is now ${current_etag}.`,
      details: { current_etag, current: { text, changed_at, changed_by: changed_by?.label ?? null } }
    })
  )
}
