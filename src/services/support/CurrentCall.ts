import { Context } from "effect"

/** What is known of the request being worked on, beside who sent it; all null in background work. */
export interface Call {
  readonly requestId: string | null
  /** Name of the operation in the catalogue; null where the request is not admitted to one. */
  readonly operation: string | null
  /** IP address of the client; null when it cannot be established. */
  readonly address: string | null
}

/** The call that a change is made by, for the audit log. */
export class CurrentCall extends Context.Reference<CurrentCall>()("CurrentCall", {
  defaultValue: (): Call => ({ requestId: null, operation: null, address: null })
}) {}
