import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { withinWorkspace } from "../access/Reach.ts"
import { CodeHostError } from "../ports/Remote.ts"
import { type CredentialRequest, type RemoteCredential, RemoteCredentials } from "../ports/RemoteCredentials.ts"
import { SecretKey } from "../ports/SecretKey.ts"
import { CredentialsRepo } from "./CredentialsRepo.ts"
import { purposeOf } from "./sealedSecret.ts"

const make = Effect.gen(function* () {
  const repo = yield* CredentialsRepo
  const secretKey = yield* SecretKey

  const of = Effect.fn("RemoteCredentials.of")(function* ({
    access: { workspace_id, repository_id },
    kind,
    host
  }: CredentialRequest): Effect.fn.Return<RemoteCredential | null, CodeHostError> {
    const found = yield* repo.mostSpecific({ workspace_id, repository_id, kind, host })
    if (Option.isNone(found)) return null
    const { id, username, sealed, known_hosts } = found.value
    const opened = yield* Effect.mapError(secretKey.unseal(sealed, purposeOf({ workspace_id, id })), ({ message }) =>
      unreadable(host, message)
    )
    const secret = Redacted.make(opened)
    const used = Effect.gen(function* () {
      const at = yield* DateTime.now
      const unlessSince = DateTime.formatIso(DateTime.subtract(at, { minutes: 1 }))
      yield* repo.markUsed({ workspace_id, id, at: DateTime.formatIso(at), unlessSince })
    }).pipe(
      withinWorkspace(workspace_id),
      // What git did has been done, whether it can be written down or not.
      Effect.catchAllCause(() => Effect.logWarning("The use of a credential could not be recorded."))
    )
    return kind === "https"
      ? { kind, username: username ?? "", secret, used }
      : { kind, username, private_key: secret, known_hosts: known_hosts ?? "", used }
  })

  // Anyone who may use a repository does so with its credential: that they cannot see the row does not matter.
  return { of: (request: CredentialRequest) => withinWorkspace(request.access.workspace_id)(of(request)) }
})

const unreadable = (host: string, reason: string) =>
  new CodeHostError({ reason: "authentication", message: `The credential for ${host} cannot be opened. ${reason}` })

/** The credentials that admins have stored. */
export const StoredCredentials = Layer.effect(RemoteCredentials, make)
