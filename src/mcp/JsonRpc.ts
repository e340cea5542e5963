import type { RequestId as MessageId } from "@modelcontextprotocol/sdk/types.js"
import { Brand, Data, Effect } from "effect"
import { clip } from "../schema/characters.ts"
import { isRecord } from "../services/support/isRecord.ts"

/** JSON-RPC's own error codes, and those of the protocol's HTTP binding. */
export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  invalidHttp: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022
} as const

/** A JSON-RPC error; `status` is that of the HTTP response, by default 200. */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly code: number
  readonly message: string
  readonly status?: number
  readonly data?: Readonly<Record<string, unknown>>
}> {}

export const invalidParams = (message: string) => new RpcError({ code: errorCodes.invalidParams, message })

/** Characters of a client's own text that a message may repeat. */
export const maxShown = 100

export type Params = Readonly<Record<string, unknown>>

/** A request, or a notification when it has no id. */
export interface Message {
  readonly id: MessageId | undefined
  readonly method: string
  readonly params: Params
}

/** A value as the JSON it is sent as: printed once, wherever it is embedded. */
export type JsonText = string & Brand.Brand<"JsonText">

export const JsonText = Brand.nominal<JsonText>()

export const toJson = (value: unknown): JsonText => JsonText(JSON.stringify(value))

/** The fields of an object, each printed. */
export type JsonFields = Readonly<Record<string, JsonText>>

export const objectOf = (fields: JsonFields): JsonText =>
  JsonText(
    `{${Object.entries(fields)
      .map(([name, value]) => `"${name}":${value}`)
      .join(",")}}`
  )

export const responseOf = (id: MessageId, result: JsonFields): JsonText =>
  objectOf({ jsonrpc: toJson("2.0"), id: toJson(id), result: objectOf(result) })

export const errorResponseOf = (id: MessageId | null, { code, message, data }: RpcError): JsonText =>
  toJson({ jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } })

/** The JSON-RPC message of a request body. */
export const readMessage = (body: unknown): Effect.Effect<Message, RpcError> => {
  if (!isRecord(body)) return invalidRequest(notAnObject(body))
  const { jsonrpc, id, method, params = {}, ...others } = body
  if (jsonrpc !== "2.0") return invalidRequest('A JSON-RPC message has "jsonrpc": "2.0".')
  if (typeof method !== "string") return invalidRequest("A JSON-RPC request has a method.")
  if (!isMessageId(id)) {
    return invalidRequest(`The id of a request is a whole number or a string of at most ${maxIdLength} characters.`)
  }
  const [other] = Object.keys(others)
  if (other !== undefined)
    return invalidRequest(`A JSON-RPC message has no field ${JSON.stringify(clip(other, maxShown))}.`)
  if (!isRecord(params)) return invalidRequest("The params of a request are an object.")
  return isRecord(params._meta ?? {})
    ? Effect.succeed({ id, method, params })
    : invalidRequest("The _meta of a request is an object.")
}

// The response repeats it.
const maxIdLength = 1000

const isMessageId = (id: unknown): id is MessageId | undefined =>
  id === undefined || (typeof id === "string" && id.length <= maxIdLength) || Number.isInteger(id)

const notAnObject = (body: unknown) =>
  Array.isArray(body) ? "Batches are not supported; send one message per request." : "A JSON-RPC message is an object."

const invalidRequest = (message: string) =>
  Effect.fail(new RpcError({ code: errorCodes.invalidRequest, message, status: 400 }))
