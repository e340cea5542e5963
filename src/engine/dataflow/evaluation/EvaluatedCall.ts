import type { Call } from "../../languages/syntax/Syntax.ts"
import type { Value } from "../values/Value.ts"

/** A call with its parts evaluated. */
export interface EvaluatedCall {
  readonly call: Call
  readonly receiver: Value | null
  /** Access path of what is called; "?" stands for a receiver nothing is known of. */
  readonly path: string
  readonly args: ReadonlyArray<Value>
  readonly named: ReadonlyMap<string, Value>
}
