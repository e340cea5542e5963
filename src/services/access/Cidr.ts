import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

// The library alone would also read `10/8`, `0x0a.0.0.1` and octal numbers, which people mean differently.
const parseAddress = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | null => (isIP(text) === 0 ? null : ipaddr.parse(text))

/** Parses `10.0.0.0/8`, `::1/128` or a bare address; `null` when it is neither. */
export const parseRange = (text: string): Range | null => {
  const [, host = "", length] = /^([^/%]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = parseAddress(host)
  if (address === null) return null
  const longest = address.kind() === "ipv4" ? 32 : 128
  const bits = length === undefined ? longest : Number(length)
  return bits <= longest ? [address, bits] : null
}

/** Whether the address lies in one of the ranges; IPv4-mapped IPv6 counts as IPv4. Unreadable input never matches. */
export const inRanges = (address: string, ranges: ReadonlyArray<string>): boolean => {
  if (isIP(address) === 0) return false
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
  if (socket === undefined || isIP(socket) === 0) return null
  if (trustedProxies.length === 0 || !inRanges(socket, trustedProxies)) return normalise(socket)
  const hops = (forwardedFor ?? "").split(",").map((hop) => hop.trim())
  for (const hop of hops.reverse()) {
    if (isIP(hop) === 0) return null
    if (!inRanges(hop, trustedProxies)) return normalise(hop)
  }
  return null
}

const normalise = (address: string): string => ipaddr.process(address).toString()
