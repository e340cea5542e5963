// The file system's codes, and PostgreSQL's SQLSTATE.
const codes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "53100"])

/** What git and other programs print of it. */
const message = /no space left on device|disk quota exceeded/i

/** Whether an error, or what caused it, is a disk without room for what was to be written. */
export const isDiskFull = (error: unknown): boolean => {
  if (typeof error === "string") return message.test(error)
  // Chains of causes are short; a circular one ends here, too.
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth++) {
    const { code, message: text, cause } = at as { readonly [key in "code" | "message" | "cause"]?: unknown }
    if (codes.has(code) || (typeof text === "string" && message.test(text))) return true
    at = cause
  }
  return false
}
