import type { Call } from "./wire.ts"

/** A well-formed call of an operation; `status` is the documented success, `named` whether it names an object. */
export interface Sample {
  readonly call: Call
  readonly status: number
  readonly named?: true
  /** Of the error when what is named is not there. Default `not_found`. */
  readonly missing?: string
}
