import { isIP } from "node:net"

export const loopbackNames: ReadonlyArray<string> = ["localhost", "127.0.0.1", "[::1]"]

/** Whether a host name, as a URL has it, is this machine's own. */
export const isLoopback = (hostname: string): boolean =>
  loopbackNames.includes(hostname) || (isIP(hostname) === 4 && hostname.startsWith("127."))
