import { arch, endianness } from "node:os"

/** What the kernel calls things on one instruction set. */
export interface Machine {
  /** The kernel's name of the instruction set: calls in another one, such as 32-bit calls on x86-64, have other numbers. */
  readonly audit: number
  /** Numbers of the calls by which a child is confined. */
  readonly calls: Readonly<Record<ConfiningCall, number>>
  readonly clone: number
  readonly socket: number
  readonly ioctl: number
  /** No node, git or shell needs one of these; each is a way into the kernel, to other processes or to the machine's settings. */
  readonly denied: ReadonlyArray<number>
  /** Programs use these where they are there, and work without. */
  readonly absent: ReadonlyArray<number>
}

/** In the order in which the launcher takes their numbers. */
export const confiningCalls = [
  "mount",
  "umount2",
  "pivot_root",
  "unshare",
  "prctl",
  "capset",
  "setgroups",
  "setresgid",
  "setresuid",
  "prlimit64",
  "open_tree",
  "move_mount",
  "mount_setattr"
] as const

type ConfiningCall = (typeof confiningCalls)[number]

/** The same numbers everywhere. */
const mounting = { open_tree: 428, move_mount: 429, mount_setattr: 442 }

/** The same number everywhere: pidfd_getfd, quotactl_fd, mount_setattr, and the file system calls from open_tree to fspick. */
const denied = [438, 443, 442, 428, 429, 430, 431, 432, 433]

/** clone3, whose flags a filter cannot see, and io_uring, whose requests it cannot. */
const absent = [435, 425, 426, 427]

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    calls: {
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      unshare: 272,
      prctl: 157,
      capset: 126,
      setgroups: 116,
      setresgid: 119,
      setresuid: 117,
      prlimit64: 302,
      ...mounting
    },
    clone: 56,
    socket: 41,
    ioctl: 16,
    denied: [
      ...denied,
      // ptrace, process_vm_readv, process_vm_writev, kcmp
      ...[101, 310, 311, 312],
      // mount, umount2, pivot_root, chroot, setns, unshare, name_to_handle_at, open_by_handle_at
      ...[165, 166, 155, 161, 308, 272, 303, 304],
      // kexec_load, kexec_file_load, init_module, finit_module, delete_module, bpf, perf_event_open, userfaultfd
      ...[246, 320, 175, 313, 176, 321, 298, 323],
      // add_key, request_key, keyctl, fanotify_init, migrate_pages, move_pages
      ...[248, 249, 250, 300, 256, 279],
      // swapon, swapoff, reboot, syslog, acct, quotactl, vhangup, sethostname, setdomainname, personality
      ...[167, 168, 169, 103, 163, 179, 153, 170, 171, 135],
      // settimeofday, clock_settime, clock_adjtime, adjtimex, iopl, ioperm, modify_ldt, uselib
      ...[164, 227, 305, 159, 172, 173, 154, 134]
    ],
    absent
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      unshare: 97,
      prctl: 167,
      capset: 91,
      setgroups: 159,
      setresgid: 149,
      setresuid: 147,
      prlimit64: 261,
      ...mounting
    },
    clone: 220,
    socket: 198,
    ioctl: 29,
    denied: [
      ...denied,
      ...[117, 270, 271, 272],
      ...[40, 39, 41, 51, 268, 97, 264, 265],
      ...[104, 294, 105, 273, 106, 280, 241, 282],
      ...[217, 218, 219, 262, 238, 239],
      ...[224, 225, 142, 116, 89, 60, 58, 161, 162, 92],
      ...[170, 112, 266, 171]
    ],
    absent
  }
}

/** This machine, or null where its numbers are not known. */
export const machine: Machine | null = endianness() === "LE" ? (machines[arch()] ?? null) : null
