// Any host does: only whether a path leads away from it counts.
const here = "http://site.invalid"

const isOurs = (path: string) => path.startsWith("/") && !path.startsWith("//")

/** A path of the web app, from what a request asks for; the start page for what leads elsewhere, however it is spelled. */
export const returnPath = (request: string | undefined): string => {
  if (request === undefined || !isOurs(request) || !URL.canParse(request, here)) return "/"
  const { origin, pathname, search, hash } = new URL(request, here)
  const isPage = isOurs(pathname) && !/^\/(?:api|mcp)(?:\/|$)/.test(pathname)
  return origin === here && isPage ? pathname + search + hash : "/"
}
