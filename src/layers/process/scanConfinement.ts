import { spawn } from "node:child_process"
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { availableParallelism, platform } from "node:os"
import { basename, dirname, isAbsolute, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { ProcessPaths } from "../../engine/index.ts"
import { isAtLeast, reservedPids } from "./isolation.ts"

/** What the kernel holds a scanning process to. */
export interface Caps {
  readonly wallSeconds: number
  readonly memoryMb: number
}

/**
 * Runs as root of a new user namespace and as PID 1 of a new PID namespace. The root folder is built over /sys, of which no one
 * inside needs anything, so that a start makes no folder; `mount --all` makes all mounts in one process. Then it waits for the
 * command; when it ends, the kernel kills every process that is left in the namespace.
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
for link in $links; do ln -s "\${link%%>*}" "\${link#*>}"; done
unset IFS
printf '%s\\n' "$mounts" > /sys/.mounts
mount --all --fstab /sys/.mounts
rm /sys/.mounts
if [ -n "$pids" ]; then echo "$pids" > /sys/proc/sys/kernel/pid_max; fi
mount -o remount,bind,ro,nosuid,nodev,noexec /sys/proc
mount -o remount,bind,ro,nosuid,nodev /sys
cd /sys
pivot_root . .
umount -l .
cd /
set +e
"$@"
exit $?
`

const namespaces = [
  "--user",
  "--map-root-user",
  "--mount",
  "--pid",
  "--net",
  "--ipc",
  "--uts",
  "--fork",
  "--kill-child"
]

/** Programs and libraries; of /etc only what the dynamic linker reads. */
const system = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/opt",
  "/nix/store",
  "/etc/ld.so.cache"
]

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]

/** Of the program itself. The data folder may be inside its folder, and stays out of sight. */
const programParts = ["dist", "node_modules", "grammars", "package.json"]

const real = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/** What scanning processes run: Node, the built program, and its packages, which npm may have put beside it. */
const program = (): ReadonlyArray<string> => {
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const beside = dirname(root.replace(/\/$/, ""))
  return [
    ...programParts.flatMap((part) => [join(root, part), real(join(root, part))]),
    ...(basename(beside) === "node_modules" ? [beside] : []),
    process.execPath,
    real(process.execPath)
  ]
}

const linesOf = (path: string): ReadonlyArray<string> => {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
  } catch {
    return []
  }
}

/** Folders that git reads for this one: of a work tree that of its repository, and where objects are shared. */
const gitFolders = (folder: string): ReadonlyArray<string> => {
  const from = (base: string, path: string) => (isAbsolute(path) ? path : resolve(base, path))
  const common = linesOf(join(folder, "commondir")).map((path) => from(folder, path))
  const shared = [folder, ...common].flatMap((base) =>
    linesOf(join(base, "objects/info/alternates")).map((path) => from(join(base, "objects"), path))
  )
  return [folder, ...common, ...shared]
}

const isInside = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)

/** Without those that another one contains. */
const outermost = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sorted = [...new Set(paths)].filter(existsSync).sort()
  return sorted.filter((path) => !sorted.some((other) => other !== path && isInside(path, other) && !isLink(other)))
}

const isLink = (path: string) => lstatSync(path).isSymbolicLink()

const escaped = (path: string) =>
  path.replace(/[\\\s#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`)

const under = (path: string) => `/sys${path}`

interface View {
  readonly mounts: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  readonly files: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
}

/** The root folder that processes see. A link of the system stays one; what a request names by a link is there itself. */
const viewOf = ({ readable, writable }: ProcessPaths): View => {
  const systemPaths = system.filter(existsSync)
  const links = systemPaths.filter(isLink)
  const own = outermost([...program(), ...readable.flatMap(gitFolders)].map((path) => path.replace(/(.)\/+$/, "$1")))
  const fixed = systemPaths.filter((path) => !isLink(path))
  const shown = [...fixed, ...own.filter((path) => !fixed.some((folder) => isInside(path, folder)))]
  const written = writable.filter(existsSync)
  const entry = (path: string, options: string) => `${escaped(path)} ${escaped(under(path))} none ${options} 0 0`
  const all = [...shown, ...written, ...devices]
  return {
    mounts: [
      "proc /sys/proc proc nosuid,nodev,noexec 0 0",
      ...shown.map((path) => entry(path, `${isFolder(path) ? "rbind" : "bind"},ro,nosuid,nodev`)),
      // Devices keep the flags of the mount that they are on.
      ...devices.map((path) => entry(path, "bind")),
      ...written.map((path) => entry(path, "bind,nosuid,nodev"))
    ],
    folders: [
      ...["/proc", "/tmp", "/dev"].map(under),
      // Inside of what is read-only a folder to mount on is there already.
      ...all.map((path) => under(isFolder(path) ? path : dirname(path)))
    ],
    files: all.filter((path) => !isFolder(path)).map(under),
    links: links.map((path) => `${readlinkSync(path)}>${under(path)}`)
  }
}

const isFolder = (path: string) => lstatSync(real(path)).isDirectory()

const MIB = 1024 ** 2
/** V8 and WebAssembly reserve more than they use; the scan itself watches what is resident. */
const reservedMb = 2_048
const cacheFileMb = 2_048
const mostThreads = 512

/** Arguments of `prlimit`. */
export const limitsOf = ({ wallSeconds, memoryMb }: Caps, writes: boolean): ReadonlyArray<string> => {
  const uid = process.getuid?.() ?? 0
  return [
    "--core=0",
    `--data=${(2 * memoryMb + reservedMb) * MIB}`,
    `--cpu=${Math.ceil(wallSeconds * Math.max(2, availableParallelism()))}`,
    `--fsize=${writes ? cacheFileMb * MIB : 0}`,
    "--nofile=4096",
    // Before 5.14 the kernel counts all processes of the account, and it never counts those of root.
    ...(uid !== 0 && isAtLeast(5, 14) ? [`--nproc=${mostThreads}`] : [])
  ]
}

const noCapabilities = ["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--ambient-caps=-all"]

/** The arguments behind which a process sees only its program and these paths, and has no network. */
export const confined = (paths: ProcessPaths, caps: Caps): ReadonlyArray<string> => {
  const { mounts, folders, files, links } = viewOf(paths)
  const lines = (items: ReadonlyArray<string>) => items.join("\n")
  const pids = isAtLeast(6, 14) ? String(reservedPids + mostThreads) : ""
  return [
    ...["setpriv", "--pdeathsig", "KILL", "unshare", ...namespaces, "/bin/sh", "-c", script, "scan"],
    ...[lines(mounts), lines(folders), lines(files), lines(links), pids],
    ...["setpriv", ...noCapabilities, "prlimit", ...limitsOf(caps, paths.writable.length > 0), "--"]
  ]
}

const limited = (paths: ProcessPaths, caps: Caps): ReadonlyArray<string> => [
  "prlimit",
  ...limitsOf(caps, paths.writable.length > 0),
  "--"
]

export type Confinement =
  | { readonly level: "namespaces" }
  /** Why there are no namespaces. */
  | { readonly level: "limits" | "none"; readonly reason: string }

interface Attempt {
  readonly ok: boolean
  readonly message: string
}

const attempted = (command: ReadonlyArray<string>) =>
  Effect.async<Attempt>((resume) => {
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
    child.once("error", (error) => resume(Effect.succeed({ ok: false, message: error.message })))
    child.once("close", (code) =>
      resume(Effect.succeed({ ok: code === 0, message: message.split("\n")[0] ?? `exit code ${code}` }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const nothing: ProcessPaths = { readable: [], writable: [] }
const probeCaps: Caps = { wallSeconds: 30, memoryMb: 256 }

/** What this machine lets scanning processes be confined by: it is tried. */
export const confinement: Effect.Effect<Confinement> = Effect.gen(function* () {
  if (platform() !== "linux") return { level: "none", reason: `namespaces are Linux's; this is ${platform()}` }
  const inNamespaces = yield* attempted([...confined(nothing, probeCaps), process.execPath, "--version"])
  if (inNamespaces.ok) return { level: "namespaces" }
  const reason = inNamespaces.message
  const { ok } = yield* attempted([...limited(nothing, probeCaps), process.execPath, "--version"])
  return { level: ok ? "limits" : "none", reason }
})

/** In the namespace root is the owner of its own files only: what is another user's, and closed to others, cannot be shown. */
const canBeShown = (path: string): boolean => {
  const { uid, mode } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, mode: 0o005 }
  return process.getuid?.() !== 0 || uid === 0 || (mode & 0o005) === 0o005
}

/** Inside, only what is there before the start can be written to. */
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
export const behindOf = ({ level }: Confinement, caps: Caps) => {
  if (level === "namespaces") {
    return (paths: ProcessPaths) =>
      paths.readable.every(canBeShown) ? confined(prepared(paths), caps) : limited(paths, caps)
  }
  if (level === "limits") return (paths: ProcessPaths) => limited(paths, caps)
  return () => []
}
