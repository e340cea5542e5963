import { Cause, ConfigError, Data, ParseResult } from "effect"

/** Ends the command with a status; the message is all that is printed. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly status: number
  readonly message: string
}> {}

/** The command could not do its work. */
export const failed = (message: string): CommandFailed => new CommandFailed({ status: 2, message: `assay: ${message}` })

export const asFailure = (error: unknown): CommandFailed =>
  error instanceof CommandFailed ? error : failed(error instanceof Error ? error.message : String(error))

/** One error for a person: what is wrong, without a stack. */
export const explain = (error: unknown): string => {
  if (Cause.isUnknownException(error)) return explain(error.error)
  if (ConfigError.isConfigError(error)) return configProblem(error)
  if (ParseResult.isParseError(error)) return error.message
  if (isListenFailure(error)) {
    const { code, address, port } = error.cause
    return code === "EADDRINUSE"
      ? `port ${port} on ${address} is taken; is another assay running? Set ASSAY_PORT, ASSAY_DOCS_PORT or ASSAY_ADMIN_PORT.`
      : `cannot listen on ${address}:${port} (${code})`
  }
  return error instanceof Error ? error.message : String(error)
}

const configProblem = (error: ConfigError.ConfigError): string => {
  switch (error._op) {
    case "And":
    case "Or":
      return [
        ...new Set([configProblem(error.left), configProblem(error.right)].flatMap((text) => text.split("\n")))
      ].join("\n")
    default:
      return `${error.path.join(".")} ${error.message}`
  }
}

const isListenFailure = (
  error: unknown
): error is { readonly cause: { readonly code: string; readonly address: string; readonly port: number } } =>
  typeof error === "object" &&
  error !== null &&
  "cause" in error &&
  typeof error.cause === "object" &&
  error.cause !== null &&
  "syscall" in error.cause &&
  error.cause.syscall === "listen"
