import { mkdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import { ownAccount } from "./accounts.ts"
import {
  argumentsOf,
  type Child,
  type Confinement,
  confinementOf,
  type Limits,
  measuresFor,
  measuresOf
} from "./confinement.ts"
import { isAtLeast } from "./isolation.ts"
import { gitFolders, program } from "./rootView.ts"

/** What the kernel holds a scanning process to. */
export interface Caps {
  readonly wallSeconds: number
  readonly memoryMb: number
}

/** Whose rights scanning processes have: root's service gives them an account of their own. */
export const scanAccount = ownAccount(65_017)

const MIB = 1024 ** 2
/** V8 and WebAssembly reserve more than they use; the scan itself watches what is resident. */
const reservedMb = 2_048
const cacheFileMb = 2_048
const mostThreads = 512

const limitsOf = ({ wallSeconds, memoryMb }: Caps, writes: boolean): Limits => ({
  core: 0,
  data: (2 * memoryMb + reservedMb) * MIB,
  cpu: Math.ceil(wallSeconds * Math.max(2, availableParallelism())),
  fsize: writes ? cacheFileMb * MIB : 0,
  nofile: 4096,
  // Before 5.14 the kernel counts all processes of the account, and it never counts those of root.
  ...(process.getuid?.() !== 0 && isAtLeast(5, 14) ? { nproc: mostThreads } : {})
})

/** A scan, which sees its program and its paths, and has no network. */
export const scanChild = ({ readable, writable }: ProcessPaths, caps: Caps): Child => ({
  paths: { readable: readable.flatMap(gitFolders), writable },
  common: program(),
  texts: {},
  limits: limitsOf(caps, writable.length > 0),
  network: false,
  mostThreads
})

const probe = scanChild({ readable: [], writable: [] }, { wallSeconds: 30, memoryMb: 256 })

/** What this machine lets scanning processes be confined by. */
export const scanConfinement: Effect.Effect<Confinement> = confinementOf(probe, scanAccount, [
  process.execPath,
  "--version"
])

/** Inside, only what is there before the start can be written to, and only its owner may. */
const prepared = (paths: ProcessPaths): ProcessPaths => {
  for (const path of paths.writable) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
    } catch {
      // Without it the process keeps nothing for the next one.
    }
  }
  return paths
}

/** For `ScanLimits.behind`. */
export const behindOf = (confinement: Confinement, caps: Caps) => {
  const measures = measuresOf(confinement, scanAccount)
  return (paths: ProcessPaths): ReadonlyArray<string> => {
    const child = scanChild(prepared(paths), caps)
    return argumentsOf(child, measuresFor(child, measures))
  }
}
