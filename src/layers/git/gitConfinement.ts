import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import { argumentsOf, type Child, confinementOf, type Limits, measuresOf } from "../process/confinement.ts"
import { gitFolders } from "../process/rootView.ts"
import { canBeShown } from "../process/scanConfinement.ts"

/** What one call of git reads and writes besides the program, and whether it reaches a remote. */
export interface GitReach extends ProcessPaths {
  readonly network: boolean
}

/** Names and certificates; on some systems these are links into folders of their own. */
const networkFiles = [
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/host.conf",
  "/etc/nsswitch.conf",
  "/etc/gai.conf",
  "/etc/services",
  "/etc/protocols",
  "/etc/passwd",
  "/etc/group",
  "/etc/ssl",
  "/etc/pki",
  "/etc/ca-certificates",
  "/etc/crypto-policies",
  "/etc/gnutls"
]

/** The operator's own authorities. */
const authorities = () => ["SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO"].flatMap((name) => process.env[name] ?? [])

const MIB = 1024 ** 2
// The working memory of git for a pack of some gigabytes; packs themselves are mapped, which does not count.
const memoryMb = 4_096

const limits = (writes: boolean): Limits => ({
  core: 0,
  data: memoryMb * MIB,
  nofile: 4096,
  ...(writes ? {} : { fsize: 0 })
})

/** git, which sees its repository and nothing else of the service's data. */
export const gitChild = ({ readable, writable, network }: GitReach): Child => ({
  paths: {
    readable: [
      ...[...readable, ...writable].flatMap(gitFolders),
      ...(network ? [...networkFiles, ...authorities()] : [])
    ],
    writable
  },
  limits: limits(writable.length > 0),
  network,
  mostThreads: null
})

const nothing: GitReach = { readable: [], writable: [], network: true }

/** What this machine lets git be confined by. */
export const gitConfinement = confinementOf(gitChild(nothing), null, ["git", "--version"])

/** Tried with the first call of this process. */
const measures = Effect.runSync(
  Effect.cached(Effect.map(gitConfinement, (confinement) => measuresOf(confinement, null)))
)

/** The arguments that a call of git starts behind. */
export const behindGit = (reach: GitReach): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(measures, (found) => {
    const child = gitChild(reach)
    return argumentsOf(child, { ...found, namespaces: found.namespaces && child.paths.readable.every(canBeShown) })
  })
