import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import { ownAccount } from "../process/accounts.ts"
import { argumentsOf, type Child, confinementOf, type Limits, measuresFor, measuresOf } from "../process/confinement.ts"
import { gitFolders } from "../process/rootView.ts"

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
  "/etc/ssl",
  "/etc/pki",
  "/etc/ca-certificates",
  "/etc/crypto-policies",
  "/etc/gnutls"
]

/** Whose rights git has: root's service gives it an account of its own. */
export const gitAccount = ownAccount(65_018)

/** ssh asks who it runs as; the accounts of the machine are not its business. */
const users = [...new Set([0, gitAccount ?? 0])].map((id) => `git:x:${id}:${id}::/:/bin/sh\n`).join("")

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
  paths: { readable: [...readable, ...writable].flatMap(gitFolders), writable },
  common: network ? [...networkFiles, ...authorities()] : [],
  texts: network ? { "/etc/passwd": users } : {},
  limits: limits(writable.length > 0),
  network,
  mostThreads: null
})

const nothing: GitReach = { readable: [], writable: [], network: true }

/** What this machine lets git be confined by. */
export const gitConfinement = confinementOf(gitChild(nothing), gitAccount, ["git", "--version"])

/** Tried with the first call of this process. */
const measures = Effect.runSync(
  Effect.cached(Effect.map(gitConfinement, (confinement) => measuresOf(confinement, gitAccount)))
)

/** The arguments that a call of git starts behind. */
export const behindGit = (reach: GitReach): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(measures, (found) => {
    const child = gitChild(reach)
    return argumentsOf(child, measuresFor(child, found))
  })
