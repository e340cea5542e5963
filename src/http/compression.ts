import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

/** Encodings that every client of today reads, the denser first. */
export const encodings = ["br", "gzip"] as const
export type Encoding = (typeof encodings)[number]

/** Below about one packet, compressing saves nothing that a reader could notice. */
export const worthCompressing = 1400

const weightOf = (parameters: ReadonlyArray<string>) => {
  const weight = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("q="))
  return weight === undefined ? 1 : Number(weight.slice(2))
}

/** The encoding that a client prefers among ours, as its `Accept-Encoding` has it; null when it accepts none. */
export const acceptedEncoding = (accept: string | undefined): Encoding | null => {
  if (accept === undefined) return null
  const weights = new Map(
    accept.split(",").map((item) => {
      const [name = "", ...parameters] = item.toLowerCase().split(";")
      return [name.trim(), weightOf(parameters)] as const
    })
  )
  const weight = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0
  const [best] = encodings.filter((encoding) => weight(encoding) > 0).sort((a, b) => weight(b) - weight(a))
  return best ?? null
}

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** `once`: for what is kept and sent many times; `each`: for one response, where time counts as well. */
export const compress = (content: Uint8Array | string, encoding: Encoding, effort: "once" | "each"): Promise<Buffer> =>
  encoding === "br"
    ? brotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: effort === "once" ? 9 : 4 } })
    : gzipped(content, { level: effort === "once" ? 9 : 5 })

/**
 * A response that contains credentials is never compressed: a network observer could infer some of it from the size (BREACH). They are
 * returned by calls that create something, and by those of a session.
 */
const mayShowCredentials = ({ method, url }: HttpServerRequest.HttpServerRequest) =>
  !(method === "GET" || url.startsWith("/mcp/")) || url.startsWith("/api/session")

const textOf = ({ body, headers }: HttpServerResponse.HttpServerResponse): string | Uint8Array | null => {
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  if (!isJson || headers["content-encoding"] !== undefined) return null
  if (body._tag === "Uint8Array") return body.body
  return body._tag === "Raw" && typeof body.body === "string" ? body.body : null
}

/** The same response in fewer bytes, where it is JSON of some length and its client reads the encoding. */
export const compressedJson = (
  response: HttpServerResponse.HttpServerResponse
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
  const content = textOf(response)
  if (content === null || content.length < worthCompressing) return Effect.succeed(response)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (mayShowCredentials(request)) return Effect.succeed(response)
    const encoding = acceptedEncoding(request.headers["accept-encoding"])
    if (encoding === null) return Effect.succeed(HttpServerResponse.setHeader(response, "vary", "Accept-Encoding"))
    return Effect.map(
      Effect.promise(() => compress(content, encoding, "each")),
      (bytes) =>
        HttpServerResponse.raw(bytes, {
          status: response.status,
          cookies: response.cookies,
          headers: {
            ...response.headers,
            "content-length": String(bytes.length),
            "content-encoding": encoding,
            vary: "Accept-Encoding"
          }
        })
    )
  })
}
