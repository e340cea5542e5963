import { Buffer } from "node:buffer"
import { join } from "node:path"
import { Effect } from "effect"
import { Sources } from "../../engine/index.ts"
import type { CodeHostError, Remote } from "../../services/ports/CodeHost.ts"
import type { AddressGate } from "../AddressGate.ts"
import { codeHostError } from "./failures.ts"
import { localRepository, readingLocal } from "./LocalRoots.ts"
import { type NetworkAddress, remoteAddress } from "./RemoteAddress.ts"

export interface TransportOptions {
  readonly dataDir: string
  readonly localRoots: ReadonlyArray<string>
  readonly allowHttp: boolean
  readonly sshIdentityFile: string | undefined
  readonly lowSpeed: { readonly bytesPerSecond: number; readonly seconds: number }
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
  /** Around everything that lets git read the remote; what was read and must not be kept is discarded. */
  readonly reading: <A>(
    read: Effect.Effect<A, CodeHostError>,
    discard: Effect.Effect<void>
  ) => Effect.Effect<A, CodeHostError>
}

const unguarded: Transport["reading"] = (read) => read

export const admit = Effect.fn("CodeHost.admit")(function* (
  remote: Remote,
  gate: AddressGate,
  options: TransportOptions
): Effect.fn.Return<Transport, CodeHostError> {
  const address = yield* remoteAddress(remote.url)
  if (address.kind === "local") {
    const { path } = yield* localRepository(address.path, options.localRoots)
    return local(address.path, path, options.localRoots)
  }
  if (address.scheme === "http" && !options.allowHttp) {
    return yield* codeHostError(
      "protocol_refused",
      "Plain http is not allowed: anyone on the way could change the code. " +
        "On a network of your own, set ASSAY_ALLOW_PRIVATE_NETWORK=true."
    )
  }
  const addresses = yield* Effect.mapError(gate.admit(address.host), (rejection) =>
    codeHostError(rejection.reason === "unknown_host" ? "unreachable" : "address_refused", rejection.message)
  )
  return address.scheme === "ssh" ? ssh(address, addresses[0], options) : http(address, addresses, options)
})

const local = (shown: string, gitDir: string, roots: ReadonlyArray<string>): Transport => ({
  url: gitDir,
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

const http = (address: NetworkAddress, addresses: ReadonlyArray<string>, options: TransportOptions): Transport => {
  const pinned = addresses.map((one) => (one.includes(":") ? `[${one}]` : one)).join(",")
  const config: Record<string, string> = {
    ...fetching,
    // A redirect would leave the address we checked.
    "http.followRedirects": "false",
    "http.proxy": "",
    "http.lowSpeedLimit": String(options.lowSpeed.bytesPerSecond),
    "http.lowSpeedTime": String(options.lowSpeed.seconds)
  }
  if (!address.host.startsWith("[")) config["http.curloptResolve"] = `${address.host}:${address.port}:${pinned}`
  if (address.credentials !== undefined) {
    // In the environment and not in the address: process lists and error texts show addresses.
    const { user, password } = address.credentials
    config["http.extraHeader"] = `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
  }
  return {
    url: address.url,
    shown: address.url,
    args: [],
    pushArgs: [],
    reading: unguarded,
    environment: Sources.gitEnvironment({ protocols: [address.scheme], config })
  }
}

const ssh = (address: NetworkAddress, pinned: string, options: TransportOptions): Transport => {
  const host = address.host.replace(/^\[(.*)\]$/, "$1")
  const settings = [
    "BatchMode=yes",
    `HostName=${pinned}`,
    `HostKeyAlias=${address.port === 22 ? host : `[${host}]:${address.port}`}`,
    "StrictHostKeyChecking=accept-new",
    `UserKnownHostsFile="${join(options.dataDir, "known_hosts")}"`,
    "GlobalKnownHostsFile=/dev/null",
    "CheckHostIP=no",
    // Keys of the person who started the server are not offered to whatever host a caller names.
    "IdentityAgent=none",
    "IdentitiesOnly=yes",
    `IdentityFile=${options.sshIdentityFile === undefined ? "none" : `"${options.sshIdentityFile}"`}`,
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
    reading: unguarded,
    environment: Sources.gitEnvironment({
      protocols: ["ssh"],
      config: { ...fetching },
      variables: { GIT_SSH_COMMAND: command, GIT_SSH_VARIANT: "ssh" }
    })
  }
}

// git hands the command to a shell.
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
