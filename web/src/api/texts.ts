import { ApiError } from "./client.ts"

/** A text that is replaced as a whole, as someone else left it. */
export interface TheirText {
  readonly text: string
  readonly etag: string
  readonly changed_at: string | null
  readonly changed_by: string | null
}

/** The version of a text that a change was made from, as the header holds it. */
export const madeFrom = (etag: string) => ({ "if-match": `"${etag}"` })

/** The text that another person saved meanwhile, out of the error of a change that was made from an earlier one. */
export const theirTextOf = (error: Error | null): TheirText | null => {
  if (!(error instanceof ApiError) || error.code !== "version_conflict") return null
  const { current, current_etag } = error.details
  if (typeof current !== "object" || current === null || !("text" in current)) return null
  return { ...(current as Omit<TheirText, "etag">), etag: String(current_etag) }
}
