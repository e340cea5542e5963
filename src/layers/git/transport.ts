import { appendFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Either, Redacted, type Scope } from "effect"
import { type ProcessPaths, Sources } from "../../engine/index.ts"
import { isLoopback } from "../../services/access/loopback.ts"
import { hostKeyName } from "../../services/credentials/knownHosts.ts"
import { parsePrivateKey, publicLineOf } from "../../services/credentials/sshKey.ts"
import type { CodeHostError, Remote } from "../../services/ports/CodeHost.ts"
import type { RemoteCredential, RemoteCredentials, SshCredential } from "../../services/ports/RemoteCredentials.ts"
import type { AddressGate } from "../AddressGate.ts"
import { type Proxy, type ProxySettings, proxyFor } from "../Proxy.ts"
import { gitFolders } from "../process/rootView.ts"
import { credentialHelper, credentialSocket, type Login } from "./credentialSocket.ts"
import { codeHostError } from "./failures.ts"
import type { GitFolder } from "./GitFolder.ts"
import type { GitReach } from "./gitConfinement.ts"
import { localRepository, readingLocal } from "./LocalRoots.ts"
import { privateFolder } from "./privateSocket.ts"
import { type NetworkAddress, remoteAddress } from "./RemoteAddress.ts"
import { sshAgent } from "./sshAgent.ts"

export interface TransportOptions {
  readonly dataDir: string
  readonly localRoots: ReadonlyArray<string>
  readonly allowHttp: boolean
  readonly sshIdentityFile: string | undefined
  readonly lowSpeed: { readonly bytesPerSecond: number; readonly seconds: number }
  readonly credentials: typeof RemoteCredentials.Service
  readonly proxies: ProxySettings
  /** File with the authorities that git trusts, where they are not those of the machine. */
  readonly authorities: string | undefined
}

/** A remote that has passed every gate: how to reach exactly this one, and nothing else. */
export interface Transport {
  readonly url: string
  readonly shown: string
  /** Options of fetch and ls-remote. */
  readonly args: ReadonlyArray<string>
  /** Options of push. */
  readonly pushArgs: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
  /** What git reads and writes to reach the remote. */
  readonly reach: GitReach
  /** What a push writes besides. */
  readonly pushed: ReadonlyArray<string>
  /** Around everything that lets git read the remote; what was read and must not be kept is discarded. */
  readonly reading: <A>(
    read: Effect.Effect<A, CodeHostError>,
    discard: Effect.Effect<void>
  ) => Effect.Effect<A, CodeHostError>
}

const unguarded: Transport["reading"] = (read) => read

/** What a remote is reached with lives as long as the scope. */
export const admit = Effect.fn("CodeHost.admit")(function* (
  remote: Remote,
  gate: AddressGate,
  options: TransportOptions
): Effect.fn.Return<Transport, CodeHostError, Scope.Scope> {
  const address = yield* remoteAddress(remote.url)
  if (address.kind === "local") {
    const folder = yield* localRepository(address.path, options.localRoots)
    return local(address.path, folder, options.localRoots)
  }
  if (address.scheme === "http" && !options.allowHttp) {
    return yield* codeHostError(
      "protocol_refused",
      "Plain http is not allowed: anyone on the way could change the code. " +
        "On a network of your own, set ASSAY_ALLOW_PRIVATE_NETWORK=true."
    )
  }
  const proxy = proxyFor(options.proxies, address)
  // A proxy resolves names itself: only addresses can be checked here.
  const admitted = proxy === null ? gate.admit(address.host) : gate.admitLiteral(address.host)
  const addresses = yield* Effect.mapError(admitted, (rejection) =>
    codeHostError(rejection.reason === "unknown_host" ? "unreachable" : "address_refused", rejection.message)
  )
  const credential = yield* credentialOf(remote, address, options)
  return address.scheme === "ssh"
    ? yield* ssh(address, addresses[0], credential, options)
    : yield* http(address, { addresses, proxy, credential }, options)
})

/** Credentials in the address are those of a person at the command line; stored ones are for registered remotes. */
const credentialOf = Effect.fnUntraced(function* (
  { access }: Remote,
  { scheme, authority, host, url, credentials }: NetworkAddress,
  options: TransportOptions
): Effect.fn.Return<RemoteCredential | null, CodeHostError> {
  if (credentials !== undefined) {
    const { user, password } = credentials
    return { kind: "https", username: user, secret: Redacted.make(password), used: Effect.void }
  }
  if (access === undefined || access.access_mode === "anonymous") return null
  // Stored secrets cross no network in the clear.
  if (scheme === "http" && !isLoopback(host)) return null
  return yield* options.credentials.of({ access, kind: scheme === "ssh" ? "ssh" : "https", url, host: authority })
})

const local = (shown: string, { path, reads }: GitFolder, roots: ReadonlyArray<string>): Transport => ({
  url: path,
  shown,
  // git clears configuration from the environment of a local upload-pack; whose the repository is must be said again.
  // "--strict" opens this folder and no ".git" in it.
  args: [
    "--upload-pack=git -c 'safe.directory=*' -c core.fsmonitor=false -c core.hooksPath=/dev/null upload-pack --strict"
  ],
  // Hooks of a repository on this machine would run here, with the rights of this server.
  pushArgs: [
    "--receive-pack=git -c 'safe.directory=*' -c core.fsmonitor=false -c core.hooksPath=/dev/null -c gc.auto=0 receive-pack"
  ],
  reach: { readable: reads, writable: [], network: false },
  pushed: gitFolders(path),
  reading: (read, discard) => readingLocal(shown, roots, read, discard),
  environment: Sources.gitEnvironment({ protocols: ["file"], config: { ...fetching } })
})

// `fetch.fsckObjects` refuses malformed objects. These faults are in the history of many honest projects, made by old
// tools; they mislead checkouts, submodules and mail, and we do none of these. Names like ".." and ".git" stay refused.
const toleratedFaults = [
  "badDate",
  "badDateOverflow",
  "badEmail",
  "badFilemode",
  "badTimezone",
  "gitattributesBlob",
  "gitattributesLarge",
  "gitattributesLineLength",
  "gitattributesMissing",
  "gitmodulesBlob",
  "gitmodulesLarge",
  "gitmodulesMissing",
  "gitmodulesName",
  "gitmodulesParse",
  "gitmodulesPath",
  "gitmodulesSymlink",
  "gitmodulesUpdate",
  "gitmodulesUrl",
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "multipleAuthors",
  "nulInCommit",
  "zeroPaddedDate",
  "zeroPaddedFilemode"
]

const fetching: Readonly<Record<string, string>> = {
  "fetch.fsckObjects": "true",
  "transfer.fsckObjects": "true",
  // Keep packs as they come: one file to read instead of a hundred.
  "fetch.unpackLimit": "1",
  "pack.threads": "2",
  ...Object.fromEntries(toleratedFaults.map((fault) => [`fetch.fsck.${fault}`, "ignore"]))
}

interface Route {
  readonly addresses: ReadonlyArray<string>
  readonly proxy: Proxy | null
  readonly credential: RemoteCredential | null
}

const http = Effect.fnUntraced(function* (
  address: NetworkAddress,
  { addresses, proxy, credential }: Route,
  options: TransportOptions
): Effect.fn.Return<Transport, never, Scope.Scope> {
  const protocol = address.scheme === "http" ? "http" : "https"
  const pinned = addresses.map((one) => (one.includes(":") ? `[${one}]` : one)).join(",")
  const isName = !address.host.startsWith("[")
  const logins = yield* loginsOf(proxy, credential, { protocol, host: address.authority })
  const folder = yield* privateFolder
  const config: Record<string, string> = {
    ...fetching,
    // A redirect would leave the address we checked.
    "http.followRedirects": "false",
    "http.proxy": proxy === null ? "" : proxyAddress(proxy),
    "http.proxyAuthMethod": "basic",
    "http.lowSpeedLimit": String(options.lowSpeed.bytesPerSecond),
    "http.lowSpeedTime": String(options.lowSpeed.seconds),
    ...(proxy === null && isName ? { "http.curloptResolve": `${address.host}:${address.port}:${pinned}` } : {}),
    ...(logins.length === 0 ? {} : credentialHelper(yield* credentialSocket(folder, logins)))
  }
  return {
    url: address.url,
    shown: address.url,
    args: [],
    pushArgs: [],
    reach: { readable: [folder, ...optional(options.authorities)], writable: [], network: true },
    pushed: [],
    reading: unguarded,
    environment: Sources.gitEnvironment({
      protocols: [protocol],
      config,
      ...(options.authorities === undefined ? {} : { variables: { GIT_SSL_CAINFO: options.authorities } })
    })
  }
})

/** The user stays in the proxy's address: without one git asks for no password. */
const proxyAddress = ({ url, credentials }: Proxy) =>
  credentials === null ? url : url.replace("//", `//${encodeURIComponent(credentials.user)}@`)

/** What git may ask for during the call: the remote's login, and the proxy's. */
const loginsOf = Effect.fnUntraced(function* (
  proxy: Proxy | null,
  credential: RemoteCredential | null,
  remote: Pick<Login, "protocol" | "host">
): Effect.fn.Return<ReadonlyArray<Login>, never, Scope.Scope> {
  const logins: Array<Login> = []
  if (proxy !== null && proxy.credentials !== null) {
    const { user, password } = proxy.credentials
    const protocol = proxy.url.startsWith("https:") ? "https" : "http"
    logins.push({ protocol, host: proxy.host, username: user, secret: password, onUse: () => {} })
  }
  if (credential?.kind === "https") {
    const { username, secret } = credential
    logins.push({ ...remote, username, secret, onUse: yield* noting(credential) })
  }
  return logins
})

/** Remembers that the credential was offered, which is written down once the call is over. */
const noting = Effect.fnUntraced(function* ({
  used
}: RemoteCredential): Effect.fn.Return<() => void, never, Scope.Scope> {
  let wasUsed = false
  yield* Effect.addFinalizer(() => (wasUsed ? used : Effect.void))
  return () => {
    wasUsed = true
  }
})

const ssh = Effect.fnUntraced(function* (
  address: NetworkAddress,
  pinned: string,
  credential: RemoteCredential | null,
  options: TransportOptions
): Effect.fn.Return<Transport, CodeHostError, Scope.Scope> {
  const host = address.host.replace(/^\[(.*)\]$/, "$1")
  const identity = credential?.kind === "ssh" ? yield* deployKey(credential, address) : yield* withoutKey(options)
  const settings = [
    "BatchMode=yes",
    `HostName=${pinned}`,
    `HostKeyAlias=${hostKeyName(host, address.port)}`,
    "GlobalKnownHostsFile=/dev/null",
    "UpdateHostKeys=no",
    "CheckHostIP=no",
    "IdentitiesOnly=yes",
    ...identity.settings,
    "PreferredAuthentications=publickey",
    "ClearAllForwardings=yes",
    "ControlPath=none",
    "ConnectTimeout=20",
    "ServerAliveInterval=15",
    `ServerAliveCountMax=${Math.max(1, Math.ceil(options.lowSpeed.seconds / 15))}`
  ]
  const command = ["ssh", "-F", "/dev/null", ...settings.flatMap((setting) => ["-o", setting])].map(quoted).join(" ")
  return {
    url: address.url,
    shown: address.url,
    args: [],
    pushArgs: [],
    reach: { ...identity.paths, network: true },
    pushed: [],
    reading: unguarded,
    environment: Sources.gitEnvironment({
      protocols: ["ssh"],
      config: { ...fetching },
      variables: { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: "ssh" }
    })
  }
})

/** What ssh identifies itself and the host with. */
interface Identity {
  readonly settings: ReadonlyArray<string>
  readonly paths: ProcessPaths
}

const optional = (path: string | undefined): ReadonlyArray<string> => (path === undefined ? [] : [path])

/** Keys of the person who started the server are not offered to whatever host a caller names. */
const withoutKey = ({ dataDir, sshIdentityFile }: TransportOptions): Effect.Effect<Identity> =>
  Effect.gen(function* () {
    const knownHosts = join(dataDir, "known_hosts")
    // ssh may write to this file, and to no other of its folder: it is there before ssh starts.
    yield* Effect.promise(() => appendFile(knownHosts, "", { mode: 0o600 }))
    return {
      settings: [
        "StrictHostKeyChecking=accept-new",
        `UserKnownHostsFile="${knownHosts}"`,
        "IdentityAgent=none",
        `IdentityFile=${sshIdentityFile === undefined ? "none" : `"${sshIdentityFile}"`}`
      ],
      paths: { readable: optional(sshIdentityFile), writable: [knownHosts] }
    }
  })

/** The key of the credential signs through an agent; the host must have one of the keys that came with it. */
const deployKey = Effect.fnUntraced(function* (
  credential: SshCredential,
  address: NetworkAddress
): Effect.fn.Return<Identity, CodeHostError, Scope.Scope> {
  const parsed = parsePrivateKey(Redacted.value(credential.private_key))
  if (Either.isLeft(parsed)) {
    return yield* codeHostError("authentication", `The stored key for ${address.authority} ${parsed.left}.`)
  }
  const key = parsed.right
  const folder = yield* privateFolder
  const agent = yield* sshAgent(folder, key, yield* noting(credential))
  const [knownHosts, publicKey] = [join(folder, "known_hosts"), join(folder, "key.pub")]
  yield* Effect.promise(() =>
    Promise.all([writeFile(knownHosts, credential.known_hosts), writeFile(publicKey, `${publicLineOf(key)}\n`)])
  )
  return {
    settings: [
      "StrictHostKeyChecking=yes",
      `UserKnownHostsFile="${knownHosts}"`,
      `IdentityAgent="${agent}"`,
      `IdentityFile="${publicKey}"`,
      ...(credential.username === null || address.hasUser ? [] : [`User=${credential.username}`])
    ],
    paths: { readable: [folder], writable: [] }
  }
})

// git hands the command to a shell.
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
