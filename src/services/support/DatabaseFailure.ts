/** SQLSTATEs of a server that is away, going, full or not accepting: connection exceptions, no resources, intervention. */
const unavailableState = /^(08...|53...|57P0[1-5]|25006)$/

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "ENOTFOUND"
])

/** What the driver says without a code. */
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end)/

const isSqlError = (error: object) => "_tag" in error && error._tag === "SqlError"

const speaksOfAbsence = (error: unknown, depth: number): boolean => {
  if (depth > 8 || typeof error !== "object" || error === null) return false
  const { code, syscall, message, cause, errors } = error as {
    readonly [key in "code" | "syscall" | "message" | "cause" | "errors"]?: unknown
  }
  if (typeof code === "string") {
    if (unavailableState.test(code) || networkCodes.has(code)) return true
    // The folder of the Unix socket is there while the server is up.
    if ((code === "ENOENT" || code === "EACCES") && syscall === "connect") return true
  }
  if (typeof message === "string" && messages.test(message)) return true
  if (Array.isArray(errors) && errors.some((one) => speaksOfAbsence(one, depth + 1))) return true
  return speaksOfAbsence(cause, depth + 1)
}

const isFailingDatabase = (error: unknown, depth: number): boolean => {
  if (depth > 8 || typeof error !== "object" || error === null) return false
  if (isSqlError(error)) return speaksOfAbsence(error, 0)
  return "cause" in error && isFailingDatabase(error.cause, depth + 1)
}

/** Whether an error or defect is a database that cannot be reached now, rather than a bug: worth a 503 and a retry. */
export const isDatabaseUnavailable = (error: unknown): boolean => isFailingDatabase(error, 0)
