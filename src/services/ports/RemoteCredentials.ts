import { Context, Effect, type Redacted } from "effect"
import type { CodeHostError, RemoteAccess } from "./Remote.ts"

/** A user and a password or token. */
export interface HttpsCredential {
  readonly kind: "https"
  readonly username: string
  readonly secret: Redacted.Redacted
  /** Run after a call that has offered it. */
  readonly used: Effect.Effect<void>
}

/** A private key, and the host keys that it is offered to. */
export interface SshCredential {
  readonly kind: "ssh"
  /** Null where the remote's address has the user. */
  readonly username: string | null
  readonly private_key: Redacted.Redacted
  /** Lines of a known_hosts file; no other host key is trusted. */
  readonly known_hosts: string
  readonly used: Effect.Effect<void>
}

export type RemoteCredential = HttpsCredential | SshCredential

export interface CredentialRequest {
  readonly access: RemoteAccess
  readonly kind: RemoteCredential["kind"]
  /** The remote's address, without credentials. */
  readonly url: string
  /** As in the remote's address: `host`, or `host:port` where the port is not the usual one. */
  readonly host: string
}

/**
 * What a remote is reached with. Everything that runs git on a remote gets it here, at the time of the call, and offers it to
 * this host only; code hosts with tokens of their own answer first and pass on what is not theirs.
 */
export class RemoteCredentials extends Context.Reference<RemoteCredentials>()("RemoteCredentials", {
  defaultValue: (): {
    readonly of: (request: CredentialRequest) => Effect.Effect<RemoteCredential | null, CodeHostError>
  } => ({ of: () => Effect.succeed(null) })
}) {}
