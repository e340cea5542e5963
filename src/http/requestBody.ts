import type { IncomingMessage } from "node:http"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { BadRequest, LoneSurrogate, NulByte, PayloadTooLarge } from "../schema/Errors.ts"

export const maxBodyBytes = 1024 * 1024

const tooLarge = () =>
  new PayloadTooLarge({
    message: `A request body may have at most ${maxBodyBytes} bytes.`,
    details: { limit: maxBodyBytes, unit: "bytes" }
  })

/** The body as text: at most 1 MiB, and UTF-8. The framework's own reader has no limit that answers 413. */
const readText = (source: IncomingMessage): Effect.Effect<string, PayloadTooLarge | BadRequest> =>
  Effect.async((resume) => {
    if (Number(source.headers["content-length"] ?? 0) > maxBodyBytes) return resume(Effect.fail(tooLarge()))
    const chunks: Array<Buffer> = []
    let size = 0
    const settle = (result: Effect.Effect<string, PayloadTooLarge | BadRequest>) => {
      source.off("data", onData)
      source.off("end", onEnd)
      source.off("error", onBroken)
      source.off("close", onBroken)
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBodyBytes) {
        source.pause()
        settle(Effect.fail(tooLarge()))
      } else chunks.push(chunk)
    }
    const onEnd = () => settle(decodeUtf8(Buffer.concat(chunks)))
    const onBroken = () => settle(Effect.fail(new BadRequest({ message: "The request body ended early." })))
    source.on("data", onData)
    source.on("end", onEnd)
    source.on("error", onBroken)
    source.on("close", onBroken)
  })

const decodeUtf8 = (bytes: Buffer): Effect.Effect<string, BadRequest> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new BadRequest({ message: "The request body is not UTF-8." })
  })

/** Parses JSON; no body at all is `null`. Refuses what PostgreSQL cannot hold as text. */
export const parseJson = (text: string): Effect.Effect<unknown, BadRequest | NulByte | LoneSurrogate> =>
  Effect.gen(function* () {
    if (text.trim() === "") return null
    const value: unknown = yield* Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => new BadRequest({ message: "The request body is not valid JSON." })
    })
    // Only an escape can bring either into valid UTF-8 JSON.
    if (text.includes("\\u")) yield* checkStrings(value)
    return value
  })

/** Looks through every string and key for NUL and unpaired surrogates; deep nesting is no problem for it. */
export const checkStrings = (root: unknown): Effect.Effect<void, NulByte | LoneSurrogate> => {
  const rest: Array<readonly [unknown, string]> = [[root, ""]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, path] = next
    if (typeof value === "string") {
      const param = path === "" ? {} : { param: path }
      if (value.includes("\0")) return new NulByte({ message: "NUL (U+0000) is not allowed.", ...param })
      if (/\p{Surrogate}/u.test(value)) {
        return new LoneSurrogate({ message: "An unpaired surrogate is not allowed.", ...param })
      }
    } else if (value !== null && typeof value === "object") {
      for (const [key, item] of Object.entries(value)) {
        rest.push([key, path], [item, path === "" ? key : `${path}.${key}`])
      }
    }
  }
  return Effect.void
}

/**
 * The same request with a JSON reader of ours. The framework touches a body only through `json`, after all middleware,
 * so the order stays authentication, limit, scope, body; failures reach the edge as defects of our own classes.
 */
export const withJsonReader = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const source = request.source as IncomingMessage
  return Object.create(request, {
    json: { get: () => Effect.flatMap(readText(source), parseJson) }
  }) as HttpServerRequest.HttpServerRequest
}
