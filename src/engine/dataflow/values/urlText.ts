const HOLE = "\u0000"
const GAP = "\u0001"

/** Which part of an address a tainted part of its text is. */
export type UrlPart = "all" | "host" | "tail" | "path" | "unknown"

/** "tail" follows the name of a host without a slash: `https://api.example.com` + x. */
export const urlPartAt = (text: string, hole: number): UrlPart => {
  let at = -1
  for (let i = 0; i <= hole; i++) at = text.indexOf(HOLE, at + 1)
  if (hole < 0 || at < 0) return "unknown"
  const before = text.slice(0, at).trimStart()
  if (before === "") return "all"
  const authority = /^(?:[a-zA-Z][\w+.-]*:|\u0000:?|\u0001:?)?\/\/([^/?#]*)$/.exec(before)?.[1]
  if (authority === undefined) return before.endsWith(GAP) && !before.includes("/") ? "unknown" : "path"
  if (authority.includes(GAP)) return "unknown"
  if (/:\d*$/.test(authority)) return "path"
  return /[\w-]+\.\w+$|^[\w-]*\w$/.test(authority) ? "tail" : "host"
}
