import { spawn } from "node:child_process"
import { platform } from "node:os"
import { Effect } from "effect"
import { canBeGiven, canBeShown, owned } from "./accounts.ts"
import { isAtLeast, reservedPids } from "./isolation.ts"
import { callNumbers, launcher } from "./launcher.ts"
import { machine } from "./machine.ts"
import { type View, viewOf } from "./rootView.ts"
import { filterOf } from "./seccomp.ts"

/** A child that reads what others wrote: what it needs, and what it may take. */
export interface Child extends View {
  readonly limits: Limits
  readonly network: boolean
  /** Processes and threads in its PID namespace, where the kernel counts them for each; null: not limited. */
  readonly mostThreads: number | null
}

/** By what a child is confined. */
export interface Measures {
  readonly namespaces: boolean
  /** The account that it runs under instead of root's: needs namespaces, which root then makes without one for users. */
  readonly account: number | null
  readonly seccomp: boolean
  readonly limits: boolean
}

const [MOUNT, UTS, IPC, USER, PID, NET] = [0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]

/** In namespaces the child sees only its paths and the system's programs, all read-only but what it may write. */
const inNamespaces = (child: Child, account: number | null): ReadonlyArray<string> => {
  const { network, mostThreads } = child
  const { steps, own } = viewOf(child)
  const flags = MOUNT + UTS + IPC + PID + (account === null ? USER : 0) + (network ? 0 : NET)
  const pids = mostThreads !== null && isAtLeast(6, 14) ? reservedPids + mostThreads : 0
  return [
    ...(account === null ? [] : owned(account, own)),
    ...["namespaces", String(flags)],
    ...steps,
    ...["processes", String(pids)],
    "enter",
    ...["powerless", String(account ?? 0)]
  ]
}

const resources = { cpu: 0, fsize: 1, data: 2, core: 4, nproc: 6, nofile: 7 } as const

/** What a process may take at most, by the kernel's names: seconds, bytes or counts. */
export type Limits = { readonly [resource in keyof typeof resources]?: number }

const limited = (limits: Limits): ReadonlyArray<string> =>
  (Object.keys(limits) as Array<keyof Limits>).flatMap((resource) => {
    const most = limits[resource]
    return most === undefined ? [] : ["limit", String(resources[resource]), String(most)]
  })

/** The arguments that a child starts behind. */
export const argumentsOf = (child: Child, measures: Measures): ReadonlyArray<string> => {
  if (machine === null) return []
  const steps = [
    ...(measures.namespaces ? inNamespaces(child, measures.account) : []),
    ...(measures.namespaces || measures.seccomp ? ["bounded"] : []),
    ...(measures.limits ? limited(child.limits) : []),
    ...(measures.seccomp ? ["filter", filterOf(machine, child)] : [])
  ]
  return steps.length === 0 ? [] : ["perl", "-e", launcher, callNumbers(machine), ...steps, "run"]
}

/** Whether a measure is in force, and where not, why. */
export type InForce = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** What is in force for a kind of child. */
export type Confinement = {
  readonly [measure in "namespaces" | "account" | "seccomp" | "limits"]: InForce
}

const yes: InForce = { ok: true }
const not = (reason: string): InForce => ({ ok: false, reason })

const attempted = (command: ReadonlyArray<string>) =>
  Effect.async<InForce>((resume) => {
    const [name, ...args] = command
    const child = spawn(name as string, args, {
      stdio: ["ignore", "ignore", "pipe"],
      // The environment of the service holds its secrets.
      env: { PATH: process.env.PATH },
      timeout: 30_000
    })
    let message = ""
    child.stderr.on("data", (chunk: Buffer) => {
      message = (message + chunk.toString("utf8")).slice(0, 300)
    })
    child.once("error", (error) => resume(Effect.succeed(not(error.message))))
    child.once("close", (code) =>
      resume(Effect.succeed(code === 0 ? yes : not(message.split("\n")[0] || `exit code ${code}`)))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const nothing: Measures = { namespaces: false, account: null, seccomp: false, limits: false }

const reasonOf = (found: InForce): InForce =>
  found.ok || !found.reason.includes("ENOENT") ? found : not("perl is not installed")

const onlyRoot = not("only a service that runs as root can give its children another account")

/** Each measure by itself, the account with the namespaces that it needs. */
const eachOf = (child: Child, account: number | null, command: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const tried = (measures: Partial<Measures>) =>
      Effect.map(attempted([...argumentsOf(child, { ...nothing, ...measures }), ...command]), reasonOf)
    const [limits, seccomp, namespaces, ofAccount] = yield* Effect.all(
      [
        tried({ limits: true }),
        tried({ seccomp: true }),
        tried({ namespaces: true }),
        account === null ? Effect.succeed(onlyRoot) : tried({ namespaces: true, account })
      ],
      { concurrency: "unbounded" }
    )
    return {
      limits,
      seccomp,
      namespaces: ofAccount.ok ? yes : namespaces,
      account: ofAccount
    } satisfies Confinement as Confinement
  })

const allOf = (state: InForce): Confinement => ({ namespaces: state, account: state, seccomp: state, limits: state })

/** What this machine lets children of a kind be confined by: it is tried, all at once and where that fails one by one. */
export const confinementOf = (
  child: Child,
  account: number | null,
  command: ReadonlyArray<string>
): Effect.Effect<Confinement> =>
  Effect.gen(function* () {
    if (platform() !== "linux") return allOf(not(`it is Linux's; this is ${platform()}`))
    if (machine === null) return allOf(not(`the kernel's calls are not known here for ${process.arch}`))
    const all: Measures = { namespaces: true, account, seccomp: true, limits: true }
    const whole = yield* attempted([...argumentsOf(child, all), ...command])
    if (!whole.ok) return yield* eachOf(child, account, command)
    return { ...allOf(yes), account: account === null ? onlyRoot : yes }
  })

export const measuresOf = (confinement: Confinement, account: number | null): Measures => ({
  namespaces: confinement.namespaces.ok,
  account: confinement.account.ok ? account : null,
  seccomp: confinement.seccomp.ok,
  limits: confinement.limits.ok
})

/** What of the measures holds for the paths of one child. */
export const measuresFor = ({ paths }: Child, found: Measures): Measures => {
  const { account } = found
  const own = [...paths.readable, ...paths.writable]
  if (account !== null && own.every((path) => canBeGiven(path, account))) return found
  return { ...found, account: null, namespaces: found.namespaces && own.every(canBeShown) }
}
