const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"])

/** An address that a link of a stored text may lead to; null for scripts, data, and paths of this site. */
export const safeUrl = (url: string | undefined | null): string | null => {
  if (url == null || !URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return schemes.has(protocol) ? href : null
}
