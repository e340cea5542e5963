import type { components } from "./schema.d.ts"

type Envelope = components["schemas"]["Error"]

/** What a request failed with: the fields of the error envelope, or `unreachable` when no response came at all. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly requiredFeatures: ReadonlyArray<string>
  /** Problems of single fields, by the path of the field, for example `name` or `scopes.0`. */
  readonly fields: Readonly<Record<string, string>>

  constructor(status: number, envelope: Partial<Envelope> & { readonly code: string; readonly message: string }) {
    super(envelope.message)
    this.name = "ApiError"
    this.code = envelope.code
    this.status = status
    this.requestId = envelope.request_id ?? null
    this.details = (envelope.details ?? {}) as Readonly<Record<string, unknown>>
    this.requiredFeatures = envelope.required_features ?? []
    this.fields = Object.fromEntries(
      (envelope.errors ?? []).map(({ loc, msg }) => [loc.slice(1).join("."), msg] as const)
    )
  }

  /** Whether the same request may succeed when it is sent again. */
  get isTemporary() {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504
  }
}

const isEnvelope = (value: unknown): value is { readonly error: Envelope } =>
  typeof value === "object" && value !== null && "error" in value && typeof value.error === "object"

export const errorOf = (response: Response, body: unknown) =>
  isEnvelope(body)
    ? new ApiError(response.status, body.error)
    : new ApiError(response.status, {
        code: "unreadable",
        message: `The server returned ${response.status} without an explanation.`
      })

export const unreachable = () =>
  new ApiError(0, {
    code: "unreachable",
    message: "The server cannot be reached. Check the connection, then try again."
  })
