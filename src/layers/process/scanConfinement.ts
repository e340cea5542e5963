import { lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import {
  argumentsOf,
  type Child,
  type Confinement,
  confinementOf,
  type Limits,
  type Measures,
  measuresOf
} from "./confinement.ts"
import { isAtLeast } from "./isolation.ts"
import { gitFolders, program } from "./rootView.ts"

/** What the kernel holds a scanning process to. */
export interface Caps {
  readonly wallSeconds: number
  readonly memoryMb: number
}

/** Of a range that no distribution gives to people or packages. */
const ownAccount = 65_017

/** Whose rights scanning processes have: root's service gives them an account of their own. */
const account = process.getuid?.() === 0 ? ownAccount : null

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
  paths: { readable: [...program(), ...readable.flatMap(gitFolders)], writable },
  limits: limitsOf(caps, writable.length > 0),
  network: false,
  mostThreads
})

const probe = scanChild({ readable: [], writable: [] }, { wallSeconds: 30, memoryMb: 256 })

/** What this machine lets scanning processes be confined by. */
export const scanConfinement: Effect.Effect<Confinement> = confinementOf(probe, account, [
  process.execPath,
  "--version"
])

/** In the namespace root is the owner of its own files only: what is another user's, and closed to others, cannot be shown. */
export const canBeShown = (path: string): boolean => {
  const { uid, mode } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, mode: 0o005 }
  return process.getuid?.() !== 0 || uid === 0 || isOpen(mode)
}

const isOpen = (mode: number) => (mode & 0o005) === 0o005

/** Whether an account that owns nothing may read it: git and imports give what is inside one mode. */
const isReadableByAll = (path: string): boolean => {
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined) return true
  if (!status.isDirectory()) return (status.mode & 0o004) !== 0
  return isOpen(status.mode) && readdirSync(path).every((name) => (lstatSync(join(path, name)).mode & 0o004) !== 0)
}

const givenTo = (path: string, owner: number): void => {
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) givenTo(join(path, name), owner)
  lchownSync(path, owner, owner)
}

/** Inside, only what is there before the start can be written to, and only its owner may. */
const prepared = (paths: ProcessPaths, owner: number | null): ProcessPaths => {
  for (const path of paths.writable) {
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 })
      const uid = owner ?? process.getuid?.()
      if (process.getuid?.() === 0 && uid !== undefined && statSync(path).uid !== uid) givenTo(path, uid)
    } catch {
      // Without it the process keeps nothing for the next one.
    }
  }
  return paths
}

/** For `ScanLimits.behind`. */
export const behindOf = (confinement: Confinement, caps: Caps) => {
  const measures = measuresOf(confinement, account)
  return (paths: ProcessPaths): ReadonlyArray<string> => {
    if (!measures.namespaces) return argumentsOf(scanChild(paths, caps), measures)
    const shown: Measures = {
      ...measures,
      namespaces: paths.readable.every(canBeShown),
      account: paths.readable.every(isReadableByAll) ? measures.account : null
    }
    return argumentsOf(scanChild(prepared(paths, shown.account), caps), shown)
  }
}
