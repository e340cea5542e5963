import { lookup } from "node:dns/promises"
import { Data, Effect } from "effect"
import ipaddr from "ipaddr.js"

/** The message is for a person and names the host only, never the address behind it. */
export class AddressRejected extends Data.TaggedError("AddressRejected")<{
  readonly reason: "not_public" | "unknown_host"
  readonly message: string
}> {}

export interface AddressGateOptions {
  readonly allowPrivateNetwork: boolean
  /** Every address of a host name. The system's resolver unless given. */
  readonly resolve?: (host: string) => Promise<ReadonlyArray<string>>
}

export interface AddressGate {
  /**
   * The addresses to connect to: the caller must use these and not resolve the name again, or a name server could
   * return another address the second time and bypass the check.
   */
  readonly admit: (host: string) => Effect.Effect<readonly [string, ...Array<string>], AddressRejected>
  /** For names that a proxy resolves: the host, unless it is an address that may not be connected to. */
  readonly admitLiteral: (host: string) => Effect.Effect<readonly [string], AddressRejected>
}

export const makeAddressGate = (options: AddressGateOptions): AddressGate => {
  const resolve = options.resolve ?? systemResolver
  const admit = Effect.fn("AddressGate.admit")(function* (host: string) {
    const name = nameOf(host)
    const addresses = ipaddr.isValid(name)
      ? [name]
      : yield* Effect.tryPromise(() => resolve(name)).pipe(
          Effect.timeout("10 seconds"),
          Effect.mapError(() => unknownHost(host))
        )
    const [first, ...others] = addresses
    if (first === undefined) return yield* unknownHost(host)
    // One bad address is enough: a name that is public and private at once is an attempt, not a host.
    if (!addresses.every((address) => mayConnect(address, options.allowPrivateNetwork))) {
      return yield* new AddressRejected({ reason: "not_public", message: rejected(host, options) })
    }
    return [first, ...others] as const
  })
  const admitLiteral = (host: string) =>
    ipaddr.isValid(nameOf(host)) ? Effect.as(admit(host), [host] as const) : Effect.succeed([host] as const)
  return { admit, admitLiteral }
}

const nameOf = (host: string) => host.replace(/^\[(.*)\]$/, "$1")

const rejected = (host: string, { allowPrivateNetwork }: AddressGateOptions) =>
  allowPrivateNetwork
    ? `${host} is an address that no repository is on, such as a cloud's metadata service.`
    : `${host} is not on the public internet. For hosts of your own network, set ASSAY_ALLOW_PRIVATE_NETWORK=true.`

const unknownHost = (host: string) =>
  new AddressRejected({ reason: "unknown_host", message: `The host ${host} could not be resolved.` })

const systemResolver = async (host: string): Promise<ReadonlyArray<string>> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

// Cloud metadata services hand out credentials of the machine: closed even where the private network is open.
const metadata = new Set(["169.254.169.254", "169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.192"])
const metadataV6 = new Set(["fd00:ec2::254", "fe80::a9fe:a9fe"])

/** Without the private network: whether an address is on the public internet, whichever way it is written. */
export const mayConnect = (text: string, allowPrivateNetwork: boolean): boolean => {
  // A zone ("fe80::1%eth0") makes sense on one link only.
  if (text.includes("%") || !ipaddr.isValid(text)) return false
  const address = embedded(ipaddr.parse(text))
  const plain = address.toString()
  if (metadata.has(plain) || metadataV6.has(plain)) return false
  return allowPrivateNetwork || isPublic(address)
}

const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

const isPublic = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(globalUnicast))

// IPv4 inside IPv6: ::ffff:a.b.c.d, ::a.b.c.d and the well-known NAT64 prefix reach the IPv4 address they carry.
const carriers = ["::ffff:0:0/96", "::/96", "64:ff9b::/96"].map((range) => ipaddr.IPv6.parseCIDR(range))

const embedded = (address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 => {
  if (address instanceof ipaddr.IPv4 || !carriers.some((range) => address.match(range))) return address
  const bytes = address.toByteArray()
  // :: and ::1 are addresses of their own.
  return bytes.slice(0, 15).every((byte) => byte === 0) ? address : new ipaddr.IPv4(bytes.slice(12))
}
