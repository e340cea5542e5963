import { Effect, Layer, Redacted } from "effect"
import { RepositoryId, WorkspaceId } from "../../src/schema/Ids.ts"
import type { Remote } from "../../src/services/ports/CodeHost.ts"
import {
  type CredentialRequest,
  type RemoteCredential,
  RemoteCredentials
} from "../../src/services/ports/RemoteCredentials.ts"

export interface Vault {
  /** Credentials by kind and host, such as `https git.example.test:8443`. */
  readonly stored: Map<string, RemoteCredential>
  readonly requests: Array<CredentialRequest>
  /** Hosts whose credential was offered. */
  readonly used: Array<string>
  readonly layer: Layer.Layer<never>
}

export const aVault = (): Vault => {
  const stored: Vault["stored"] = new Map()
  const requests: Vault["requests"] = []
  const layer = Layer.succeed(RemoteCredentials, {
    of: (request) =>
      Effect.sync(() => {
        requests.push(request)
        return stored.get(`${request.kind} ${request.host}`) ?? null
      })
  })
  return { stored, requests, used: [], layer }
}

const noting = (vault: Vault, host: string) => Effect.sync(() => void vault.used.push(host))

/** Stores a user and password for a host. */
export const keepLogin = (vault: Vault, host: string, username: string, secret: string) =>
  vault.stored.set(`https ${host}`, {
    kind: "https",
    username,
    secret: Redacted.make(secret),
    used: noting(vault, host)
  })

/** Stores a deploy key for a host. */
export const keepKey = (
  vault: Vault,
  host: string,
  {
    privateKey,
    knownHosts,
    username = null
  }: { readonly privateKey: string; readonly knownHosts: string; readonly username?: string | null }
) =>
  vault.stored.set(`ssh ${host}`, {
    kind: "ssh",
    username,
    private_key: Redacted.make(privateKey),
    known_hosts: knownHosts,
    used: noting(vault, host)
  })

/** The remote of a registered repository. */
export const registered = (url: string, access_mode: "installed" | "anonymous" = "installed"): Remote => ({
  url,
  access: {
    workspace_id: WorkspaceId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d70"),
    repository_id: RepositoryId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d71"),
    access_mode
  }
})
