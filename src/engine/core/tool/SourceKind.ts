/**
 * Where a value that reaches a sink comes from. A request, a message or a socket is what strangers send; the others are
 * trusted more, so that what starts there is less sure to be a defect.
 */
export type SourceKind =
  | "request"
  | "message"
  | "socket"
  | "arguments"
  | "environment"
  | "stdin"
  | "file"
  | "database"
  | "parameter"
