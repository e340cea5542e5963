import type { Address } from "../../api/context.ts"
import type { Values } from "./values.ts"

export interface Draft {
  /** The version that it was made from; null for a new entry. */
  readonly etag: string | null
  readonly key: string
  readonly base: Values
  readonly mine: Values
}

const nameOf = (address: Address, key: string | null) =>
  `assay.draft.context/${address ?? ""}/${key === null ? "new" : `entry/${key}`}`

const isDraft = (value: unknown): value is Draft =>
  typeof value === "object" && value !== null && "base" in value && "mine" in value && "key" in value

/** What was typed before the page was left; drafts live as long as the tab. */
export const savedDraft = (address: Address, key: string | null): Draft | null => {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(nameOf(address, key)) ?? "null")
    return isDraft(value) ? value : null
  } catch {
    return null
  }
}

export const saveDraft = (address: Address, key: string | null, draft: Draft | null): void => {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(address, key))
    else sessionStorage.setItem(nameOf(address, key), JSON.stringify(draft))
  } catch {
    // Without storage, a draft lives as long as its dialog.
  }
}
