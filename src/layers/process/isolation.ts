import { release } from "node:os"

/** What processes in namespaces see of the machine. Every path is absolute and holds no symbolic link. */
export interface Isolation {
  /** An empty folder of this run: the processes' root folder is mounted over it, where no one else sees it. */
  readonly root: string
  /** Folders and files that are there, read-only. `/` is everything. */
  readonly readable: ReadonlyArray<string>
  /** Folders that are there, but empty, and files that cannot be opened. */
  readonly hidden: ReadonlyArray<string>
  /** What is there, read-only, of the hidden. */
  readonly shown: ReadonlyArray<string>
  /** Becomes `/tmp`; writable. */
  readonly tmp: string
  /** The work tree: writable under its own path, also where that is inside a hidden folder. */
  readonly folder: string
  /** Without it there is only a loopback interface, and no further namespaces can be made. */
  readonly network: boolean
  readonly maxProcesses: number
}

/**
 * Runs as root of a new user namespace and as PID 1 of a new PID namespace: builds the root folder, makes all of it but the
 * work tree and /tmp read-only, and enters it. Then it waits for the command and reaps orphans; when it ends, the kernel
 * kills every process that is left in the namespace, also those in sessions of their own. On descriptor 3 it reports that
 * the command starts. Parts of /proc are sealed because they belong to the machine: root could change its settings there.
 */
const script = `
set -eu
ulimit -c 0
root=$1 tmp=$2 folder=$3 uid=$4 gid=$5
shift 5
limits=
over() { mount -t tmpfs -o "mode=755,size=$2,nosuid,nodev" none "$root$1"; }
present() {
  [ -e "$root$2" ] && return
  mkdir -p "$root\${2%/*}"
  if [ -d "$1" ]; then mkdir "$root$2"; else : > "$root$2"; fi
}
attach() { present "$1" "$2"; mount "$3" "$1" "$root$2"; }
readable() {
  if [ -L "$1" ]; then
    mkdir -p "$root\${1%/*}"
    ln -s "$(readlink "$1")" "$root$1"
  elif [ -e "$1" ]; then
    attach "$1" "$1" --rbind
  fi
}
devices() {
  present /dev /dev
  over /dev 1m
  for device in null zero full random urandom tty; do attach /dev/$device /dev/$device --bind; done
  mkdir "$root/dev/shm"
  mount -t tmpfs -o mode=1777,size=64m,nosuid,nodev none "$root/dev/shm"
  ln -s /proc/self/fd "$root/dev/fd"
  for number in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${number%:*}" "$root/dev/\${number#*:}"; done
}
hidden() {
  if [ -d "$root$1" ]; then over "$1" 1m; elif [ -e "$root$1" ]; then mount --bind /dev/null "$root$1"; fi
}
seal() {
  for part in sys sysrq-trigger irq bus; do
    if [ -e "$root/proc/$part" ]; then mount --bind "$root/proc/$part" "$root/proc/$part"; fi
  done
  mounts=$(cat /proc/self/mountinfo)
  while read -r _ _ _ _ at options _; do
    at=$(printf %b "$at")
    case $at in
    "$root/proc" | "$root/dev/"* | "$root/tmp" | "$root/tmp/"* | "$root$folder") continue ;;
    "$root" | "$root/"*) [ -e "$at" ] || continue ;;
    *) continue ;;
    esac
    flags=remount,bind,ro,nosuid,nodev
    case ,$options, in *,noexec,*) flags=$flags,noexec ;; esac
    mount -o "$flags" "$at" 2> /dev/null || mount -t tmpfs -o size=4k,ro none "$at"
  done <<END
$mounts
END
}
while [ "$1" != -- ]; do
  case $1 in
  everything) mount --rbind / "$root" ;;
  nothing) over '' 16m ;;
  readable) readable "$2" ;;
  system) devices; present /proc /proc; mount -t proc proc "$root/proc" ;;
  pids) echo "$2" > "$root/proc/sys/kernel/pid_max" ;;
  processes) limits="--nproc=$2:$2" ;;
  alone)
    { ip link set lo up || ifconfig lo up || :; } 2> /dev/null
    echo 1 > "$root/proc/sys/user/max_user_namespaces" ;;
  hidden) hidden "$2" ;;
  esac
  shift 2
done
shift
attach "$tmp" /tmp --bind
attach "$folder" "$folder" --bind
seal
cd "$root"
pivot_root . .
umount -l .
cd "$folder"
echo ready >&3
set +e
unshare --user --map-user="$uid" --map-group="$gid" prlimit $limits setpriv --no-new-privs "$@" 3>&-
exit $?
`

const namespaces = ["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--uts"]

/** Of the kernel. */
export const isAtLeast = (major: number, minor: number): boolean => {
  const [ours = 0, ourMinor = 0] = release().split(/[.-]/).map(Number)
  return ours > major || (ours === major && ourMinor >= minor)
}

/** The kernel does not give out PIDs below this one again. */
export const reservedPids = 300

/** The kernel counts threads, too. */
const threadsOfProcess = 4

/**
 * What the kernel itself holds a fork bomb with until the count of processes ends it. The PID namespace has a limit of its
 * own from 6.14 on: before, the same file is the whole machine's. The limit of a user counts a user namespace's processes
 * only from 5.14 on, and root has none.
 */
const processLimit = (maxProcesses: number, uid: number): ReadonlyArray<string> => {
  const threads = threadsOfProcess * maxProcesses
  return [
    ...(isAtLeast(6, 14) ? ["pids", String(reservedPids + threads)] : []),
    ...(uid !== 0 && isAtLeast(5, 14) ? ["processes", String(threads)] : [])
  ]
}

/** The process that makes the namespaces, and PID 1 in them. */
export const isolationProcesses = 2

/**
 * A command in namespaces, as arguments of `setpriv`: it dies with this process, whatever ends it. Descriptor 3 must be a
 * pipe; nothing on it means that the command was not started, and standard error says why.
 */
export const isolated = (isolation: Isolation, command: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { root, tmp, folder, readable, hidden, shown, network, maxProcesses } = isolation
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  const each = (step: string, paths: ReadonlyArray<string>) => paths.flatMap((path) => [step, path])
  const all = readable.includes("/")
  return [
    ...["--pdeathsig", "KILL", "unshare", ...namespaces, ...(network ? [] : ["--net"]), "--fork", "--kill-child"],
    ...["/bin/sh", "-c", script, "isolation", root, tmp, folder, String(uid), String(gid)],
    ...[all ? "everything" : "nothing", ""],
    ...each("readable", all ? [] : readable),
    ...["system", ""],
    ...processLimit(maxProcesses, uid),
    ...(network ? [] : ["alone", ""]),
    ...each("hidden", hidden),
    ...each("readable", shown),
    ...["--", ...command]
  ]
}
