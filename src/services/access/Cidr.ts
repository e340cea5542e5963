import ipaddr from "ipaddr.js"

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses `10.0.0.0/8`, `::1/128` or a bare address; `null` when it is neither. */
export const parseRange = (text: string): Range | null => {
  try {
    if (text.includes("/")) {
      const [address, bits] = ipaddr.parseCIDR(text)
      return [address, bits]
    }
    if (!ipaddr.isValid(text)) return null
    const address = ipaddr.parse(text)
    return [address, address.kind() === "ipv4" ? 32 : 128]
  } catch {
    return null // parseCIDR has no way to ask first
  }
}

/** Whether the address lies in one of the ranges; IPv4-mapped IPv6 counts as IPv4. Unreadable input never matches. */
export const inRanges = (address: string, ranges: ReadonlyArray<string>): boolean => {
  if (!ipaddr.isValid(address)) return false
  const client = ipaddr.process(address)
  return ranges.some((text) => {
    const range = parseRange(text)
    if (range === null) return false
    const [network, bits] = range
    if (network.kind() === "ipv6" && (network as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
      return client.kind() === "ipv4" && client.match((network as ipaddr.IPv6).toIPv4Address(), bits - 96)
    }
    return network.kind() === client.kind() && client.match(network, bits)
  })
}

/**
 * The client's address: the socket's, or, behind trusted proxies, the right-most hop of `X-Forwarded-For` that is not
 * one of them. `null` when it cannot be established.
 */
export const clientAddress = (
  socket: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: ReadonlyArray<string>
): string | null => {
  if (socket === undefined || !ipaddr.isValid(socket)) return null
  if (trustedProxies.length === 0 || !inRanges(socket, trustedProxies)) return normalise(socket)
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim())
  for (const hop of hops.reverse()) {
    if (!ipaddr.isValid(hop)) return null
    if (!inRanges(hop, trustedProxies)) return normalise(hop)
  }
  return null
}

const normalise = (address: string): string => ipaddr.process(address).toString()
