import { spawn } from "node:child_process"
import { platform } from "node:os"
import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import { isAtLeast, reservedPids } from "./isolation.ts"
import { viewOf } from "./rootView.ts"
import { filtered, hasFilter } from "./seccomp.ts"

/** A child that reads what others wrote: what it needs, and what it may take. */
export interface Child {
  readonly paths: ProcessPaths
  /** Arguments of `prlimit`. */
  readonly limits: ReadonlyArray<string>
  readonly network: boolean
  /** Processes and threads in its PID namespace, where the kernel counts them for each; null: not limited. */
  readonly mostThreads: number | null
}

/** By what a child is confined. */
export interface Measures {
  readonly namespaces: boolean
  /** Namespaces made with root's own rights, without a user namespace. */
  readonly asRoot: boolean
  /** The account that it runs under instead of the service's: needs both. */
  readonly account: number | null
  readonly seccomp: boolean
  readonly limits: boolean
}

/**
 * Runs as PID 1 of a new PID namespace, and as root of a new user namespace or of the machine. The root folder is built over
 * /sys, of which no one inside needs anything, so that a start makes no folder; `mount --all` makes all mounts in one process.
 * Then it waits for the command; when it ends, the kernel kills every process that is left in the namespace.
 */
const script = `
set -e
mounts=$1 folders=$2 files=$3 links=$4 pids=$5
shift 5
mount -t tmpfs -o mode=755,size=1m,nosuid,nodev none /sys
IFS='
'
set -f
mkdir -p $folders
for file in $files; do : > "$file"; done
if [ -n "$links" ]; then cp -P --parents $links /sys; fi
unset IFS
printf '%s\\n' "$mounts" > /sys/.mounts
mount --all --fstab /sys/.mounts
rm /sys/.mounts
if [ -n "$pids" ]; then
  echo "$pids" > /sys/proc/sys/kernel/pid_max
  mount -o remount,bind,ro,nosuid,nodev,noexec /sys/proc
fi
mount -o remount,bind,ro,nosuid,nodev /sys
cd /sys
pivot_root . .
umount -l .
cd /
set +e
"$@"
exit $?
`

const namespacesOf = (asRoot: boolean, network: boolean): ReadonlyArray<string> => [
  ...(asRoot ? [] : ["--user", "--map-root-user"]),
  ...["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"],
  ...(network ? [] : ["--net"])
]

const noCapabilities = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]

/** In namespaces the child sees only its paths and the system's programs, all read-only but what it may write. */
const inNamespaces = ({ paths, network, mostThreads }: Child, { asRoot, account }: Measures): ReadonlyArray<string> => {
  const pids = mostThreads !== null && isAtLeast(6, 14) ? String(reservedPids + mostThreads) : ""
  const { mounts, folders, files, links } = viewOf(paths, pids !== "")
  const lines = (items: ReadonlyArray<string>) => items.join("\n")
  const own = account === null ? [] : [`--reuid=${account}`, `--regid=${account}`, "--clear-groups"]
  return [
    ...["setpriv", "--pdeathsig", "KILL", "unshare", ...namespacesOf(asRoot, network)],
    ...["/bin/sh", "-c", script, "child", lines(mounts), lines(folders), lines(files), lines(links), pids],
    ...["setpriv", ...own, ...noCapabilities]
  ]
}

/** The arguments that a child starts behind. */
export const argumentsOf = (child: Child, measures: Measures): ReadonlyArray<string> => [
  ...(measures.namespaces ? inNamespaces(child, measures) : measures.seccomp ? ["setpriv", "--no-new-privs"] : []),
  ...(measures.limits ? ["prlimit", ...child.limits, "--"] : []),
  ...(measures.seccomp ? filtered(child) : [])
]

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

const nothing: Measures = { namespaces: false, asRoot: false, account: null, seccomp: false, limits: false }

const withoutPerl = (reason: string) =>
  /ENOENT|perl: (?:not found|No such file)/.test(reason) ? "perl is not installed" : reason

/** Each measure by itself, the account with the namespaces that it needs. */
const eachOf = (child: Child, account: number | null, command: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const tried = (measures: Partial<Measures>) =>
      attempted([...argumentsOf(child, { ...nothing, ...measures }), ...command])
    const [limits, seccomp, namespaces, ofAccount] = yield* Effect.all(
      [
        tried({ limits: true }),
        hasFilter ? tried({ seccomp: true }) : Effect.succeed(not(`there is no filter for ${process.arch}`)),
        tried({ namespaces: true }),
        account === null ? Effect.succeed(onlyRoot) : tried({ namespaces: true, asRoot: true, account })
      ],
      { concurrency: "unbounded" }
    )
    return {
      limits,
      seccomp: seccomp.ok ? seccomp : not(withoutPerl(seccomp.reason)),
      namespaces: ofAccount.ok ? yes : namespaces,
      account: ofAccount
    } satisfies Confinement as Confinement
  })

const onlyRoot = not("only a service that runs as root can give its children another account")

/** What this machine lets children of a kind be confined by: it is tried, all at once and where that fails one by one. */
export const confinementOf = (child: Child, account: number | null, command: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (platform() !== "linux") {
      const no = not(`it is Linux's; this is ${platform()}`)
      return { namespaces: no, account: no, seccomp: no, limits: no } satisfies Confinement as Confinement
    }
    const all: Measures = { namespaces: true, asRoot: account !== null, account, seccomp: hasFilter, limits: true }
    const whole = yield* attempted([...argumentsOf(child, all), ...command])
    if (!whole.ok || !hasFilter) return yield* eachOf(child, account, command)
    return {
      namespaces: yes,
      account: account === null ? onlyRoot : yes,
      seccomp: yes,
      limits: yes
    } satisfies Confinement as Confinement
  })

export const measuresOf = (confinement: Confinement, account: number | null): Measures => ({
  namespaces: confinement.namespaces.ok,
  asRoot: confinement.account.ok,
  account: confinement.account.ok ? account : null,
  seccomp: confinement.seccomp.ok,
  limits: confinement.limits.ok
})
