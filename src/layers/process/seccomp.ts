import type { Machine } from "./machine.ts"

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

/**
 * The filter of a child that reads untrusted input, as bytes of `struct sock_filter` in hexadecimal. It holds for the command
 * and everything that it starts.
 */
export const filterOf = (of: Machine, { network }: { readonly network: boolean }): string =>
  bytesOf(programOf(of, network)).toString("hex")
