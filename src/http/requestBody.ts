import type { IncomingMessage } from "node:http"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { BadRequest, LoneSurrogate, NulByte, PayloadTooLarge, UnsupportedMediaType } from "../schema/Errors.ts"

const maxBodyBytes = 1024 * 1024
/** Deeper nesting would exhaust the stack of code that prints or compares the value. */
const maxBodyDepth = 100

const tooLarge = () =>
  new PayloadTooLarge({
    message: `A request body may have at most ${maxBodyBytes} bytes.`,
    details: { limit: maxBodyBytes, unit: "bytes" }
  })

/** The body as text: at most 1 MiB, and UTF-8. The framework's own reader has no limit that returns 413. */
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

/** Parses JSON; no body at all is `null`. Rejects text that PostgreSQL cannot store. */
const parseJson = (text: string): Effect.Effect<unknown, BadRequest | NulByte | LoneSurrogate> =>
  Effect.gen(function* () {
    if (text.trim() === "") return null
    const value: unknown = yield* Effect.try({
      try: () => JSON.parse(text) as unknown,
      catch: () => new BadRequest({ message: "The request body is not valid JSON." })
    })
    // As many levels need as many brackets: most bodies need no look.
    if (text.split(/[[{]/, maxBodyDepth + 2).length > maxBodyDepth + 1 && isDeeper(value, maxBodyDepth)) {
      return yield* new BadRequest({ message: `The request body is nested more than ${maxBodyDepth} levels deep.` })
    }
    // Only an escape can bring either into valid UTF-8 JSON.
    if (text.includes("\\u")) yield* checkStrings(value)
    return value
  })

const isDeeper = (root: unknown, most: number): boolean => {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : []))
  }
  return false
}

/** Checks every string and key for NUL and unpaired surrogates, however deep they are nested. */
const checkStrings = (root: unknown): Effect.Effect<void, NulByte | LoneSurrogate> => {
  const rest: Array<readonly [unknown, string]> = [[root, ""]]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [value, path] = next
    const problem = typeof value === "string" ? stringProblem(value, path) : undefined
    if (problem !== undefined) return problem
    if (value === null || typeof value !== "object") continue
    for (const [key, item] of Object.entries(value)) {
      rest.push([key, path], [item, path === "" ? key : `${path}.${key}`])
    }
  }
  return Effect.void
}

const stringProblem = (text: string, path: string): NulByte | LoneSurrogate | undefined => {
  const param = path === "" ? {} : { param: path }
  if (text.includes("\0")) return new NulByte({ message: "NUL (U+0000) is not allowed.", ...param })
  return /\p{Surrogate}/u.test(text)
    ? new LoneSurrogate({ message: "An unpaired surrogate is not allowed.", ...param })
    : undefined
}

// A web page may send other types, and types that only mention JSON, to a foreign site without asking.
const isJson = (source: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(source.headers["content-type"] ?? "")

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/**
 * The same request with a JSON reader of ours. The framework touches a body only through these getters, after all
 * middleware, so the order stays authentication, limit, scope, body; failures reach the edge as defects of our own
 * classes.
 */
export const withJsonReader = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  // Nothing reads a body of these, and what has another request as its prototype is slow to read for the engine.
  if (request.method === "GET" || request.method === "HEAD") return request
  const source = request.source as IncomingMessage
  const read = Effect.gen(function* () {
    if (hasBody(source) && !isJson(source)) {
      return yield* new UnsupportedMediaType({ message: "Send the body as application/json." })
    }
    return yield* Effect.flatMap(readText(source), parseJson)
  })
  // By type of content the framework picks one of these.
  const readers = ["json", "text", "urlParamsBody", "multipart", "arrayBuffer"] as const
  return Object.create(
    request,
    Object.fromEntries(readers.map((name) => [name, { get: () => read }]))
  ) as HttpServerRequest.HttpServerRequest
}
