/** The base address of a mirror: without a login and a query, which would be shown in logs. */
export const mirrorOf = (text: string): URL | undefined => {
  const written = text.replace(/\/+$/, "")
  if (!/^(?:https?:\/\/[^/]|file:\/\/\/)/i.test(written) || !URL.canParse(written)) return undefined
  const url = new URL(written)
  return url.username === "" && url.password === "" && url.search === "" && url.hash === "" ? url : undefined
}

/** Where a mirror has the dump of an ecosystem. */
export const dumpUrl = (base: URL, ecosystem: string): URL =>
  new URL(`${base.href.replace(/\/+$/, "")}/${encodeURIComponent(ecosystem)}/all.zip`)
