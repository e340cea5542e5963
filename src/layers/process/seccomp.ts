import { arch, endianness } from "node:os"

/**
 * A seccomp filter for children that read untrusted input. Node cannot load one, and neither can util-linux: perl can, which
 * git depends on where a distribution packages it. The filter is loaded by a one-line program that then becomes the command,
 * so it holds for the command and everything that it starts.
 */

interface Machine {
  /** The kernel's name of the instruction set: calls in another one, such as 32-bit calls on x86-64, have other numbers. */
  readonly audit: number
  readonly prctl: number
  readonly clone: number
  readonly socket: number
  readonly ioctl: number
  /** No node, git or shell needs one of these; each is a way into the kernel, to other processes or to the machine's settings. */
  readonly denied: ReadonlyArray<number>
  /** Programs use these where they are there, and work without. */
  readonly absent: ReadonlyArray<number>
}

/** The same number everywhere: pidfd_getfd, quotactl_fd, mount_setattr, and the file system calls from open_tree to fspick. */
const denied = [438, 443, 442, 428, 429, 430, 431, 432, 433]

/** clone3, whose flags a filter cannot see, and io_uring, whose requests it cannot. */
const absent = [435, 425, 426, 427]

const machines: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000003e,
    prctl: 157,
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
    prctl: 167,
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

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const error = (number: number) => 0x00050000 | number
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97]

const LOAD = 0x20
const RETURN = 0x06
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45

/** Offsets in `struct seccomp_data`; of arguments the lower half. */
const [NUMBER, ARCHITECTURE] = [0, 4]
const argument = (index: number) => 16 + 8 * index

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e020000
/** 32-bit pointers in 64-bit mode: the same calls under other numbers. */
const x32 = 0x40000000
/** TIOCSTI and TIOCLINUX put input into a terminal. */
const terminalInput = [0x5412, 0x541c]

const [UNIX, INET, INET6, NETLINK] = [1, 2, 10, 16]

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number]

const returns = (value: number): Instruction => [RETURN, 0, 0, value]
/** Goes on after `then` unless the condition holds. */
const when = (code: number, value: number, then: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> => [
  [code, 0, then.length, value],
  ...then
]

const programOf = ({ audit, clone, socket, ioctl, denied, absent }: Machine, network: boolean) => {
  const families = network ? [UNIX, INET, INET6, NETLINK] : [UNIX]
  return [
    [LOAD, 0, 0, ARCHITECTURE] as const,
    [IF_EQUAL, 1, 0, audit] as const,
    returns(KILL),
    [LOAD, 0, 0, NUMBER] as const,
    ...when(IF_AT_LEAST, x32, [returns(error(EPERM))]),
    ...denied.flatMap((number) => when(IF_EQUAL, number, [returns(error(EPERM))])),
    ...absent.flatMap((number) => when(IF_EQUAL, number, [returns(error(ENOSYS))])),
    ...when(IF_EQUAL, clone, [
      [LOAD, 0, 0, argument(0)],
      ...when(IF_ANY_BIT, namespaceFlags, [returns(error(EPERM))]),
      returns(ALLOW)
    ]),
    ...when(IF_EQUAL, socket, [
      [LOAD, 0, 0, argument(0)],
      ...families.flatMap((family) => when(IF_EQUAL, family, [returns(ALLOW)])),
      returns(error(EAFNOSUPPORT))
    ]),
    ...when(IF_EQUAL, ioctl, [
      [LOAD, 0, 0, argument(1)],
      ...terminalInput.flatMap((request) => when(IF_EQUAL, request, [returns(error(EPERM))])),
      returns(ALLOW)
    ]),
    returns(ALLOW)
  ]
}

const bytesOf = (program: ReadonlyArray<Instruction>) => {
  const bytes = Buffer.alloc(8 * program.length)
  program.forEach(([code, whenTrue, whenFalse, value], index) => {
    bytes.writeUInt16LE(code, 8 * index)
    bytes.writeUInt8(whenTrue, 8 * index + 2)
    bytes.writeUInt8(whenFalse, 8 * index + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * index + 4)
  })
  return bytes
}

// PR_SET_SECCOMP (22) with SECCOMP_MODE_FILTER (2) and a `struct sock_fprog`: a count, padding, a pointer.
const loader = [
  "my $prctl = 0 + shift;",
  'my $filter = pack("H*", shift);',
  'my $program = pack("S x![P] P", length($filter) / 8, $filter);',
  'syscall($prctl, 22, 2, $program) == 0 or die "seccomp: $!\\n";',
  'exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";'
].join(" ")

/** Whether there is a filter for this machine's instruction set. */
export const hasFilter = machines[arch()] !== undefined && endianness() === "LE"

/** The arguments behind which calls that no child needs are denied. It has to have given up new privileges before. */
export const filtered = ({ network }: { readonly network: boolean }): ReadonlyArray<string> => {
  const machine = machines[arch()]
  return machine === undefined
    ? []
    : ["perl", "-e", loader, String(machine.prctl), bytesOf(programOf(machine, network)).toString("hex")]
}
