/**
 * "provider": its issuer is known from its shape. "labelled": a name says that it is a credential, and it looks like
 * one. "high-entropy": long and random, whatever it is for.
 */
export type SecretKind = "provider" | "labelled" | "high-entropy"

export interface Secret {
  /** What matched: the id of a provider's rule, `private-key`, `url-password`, `generic-api-key`, … */
  readonly rule: string
  /** For a sentence: "a GitHub token". */
  readonly noun: string
  /** The value itself, without quotes or label: what must never be shown. */
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
  readonly confidence: number
  /** Name it is given to, where one was read. */
  readonly label: string | null
  /** A public, expired, emulator's or made-up value: to be hidden like any other, but not worth reporting. */
  readonly harmless: boolean
}
