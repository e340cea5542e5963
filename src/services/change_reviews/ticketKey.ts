/** What looks like a ticket key and is the name of a standard, an algorithm or one of our own records. */
const otherNames = new Set(
  "AES CVE CWE DES ECMA GHSA HTTP IEEE IPV ISO MSN MD OBS OWASP PEP PKCS RFC RSA SHA TLS UTF UTC WCAG X".split(" ")
)

const ticketKey = /(?<![A-Za-z0-9])([A-Z][A-Z0-9]{1,19})-([1-9][0-9]{0,8})(?![A-Za-z0-9])/g

const keysIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(ticketKey)].filter(([, project = ""]) => !otherNames.has(project)).map(([key]) => key)

/** The first ticket key in a title, else the one that all branches name; null where there is none. */
export const ticketKeyOf = (title: string | undefined, branches: ReadonlyArray<string>): string | null => {
  const [ofTitle] = title === undefined ? [] : keysIn(title)
  if (ofTitle !== undefined) return ofTitle
  const [first, ...others] = branches.map(keysIn)
  return first?.find((key) => others.every((keys) => keys.includes(key))) ?? null
}
