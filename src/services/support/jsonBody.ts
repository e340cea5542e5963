import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../../schema/Errors.ts"

const maxBodyBytes = 1024 * 1024
/** Deeper nesting would exhaust the stack of code that prints or compares the value. */
const maxBodyDepth = 100
/** The largest `data` of a context entry has 22,000; to parse and decode a body of a million would take seconds. */
export const maxBodyParts = 25_000

const tooLarge = (limit: number) =>
  new PayloadTooLarge({
    message: `A request body may have at most ${limit} bytes.`,
    details: { limit, unit: "bytes" }
  })

/** The body as it came. The framework's own reader has no limit that returns 413. */
export const readBytes = (
  source: IncomingMessage,
  limit: number
): Effect.Effect<Buffer, PayloadTooLarge | BadRequest> =>
  Effect.async((resume) => {
    if (Number(source.headers["content-length"] ?? 0) > limit) return resume(Effect.fail(tooLarge(limit)))
    const chunks: Array<Buffer> = []
    let size = 0
    const settle = (result: Effect.Effect<Buffer, PayloadTooLarge | BadRequest>) => {
      source.off("data", onData)
      source.off("end", onEnd)
      source.off("error", onBroken)
      source.off("close", onBroken)
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        source.pause()
        settle(Effect.fail(tooLarge(limit)))
      } else chunks.push(chunk)
    }
    const onEnd = () => settle(Effect.succeed(Buffer.concat(chunks)))
    const onBroken = () => settle(Effect.fail(new BadRequest({ message: "The request body ended early." })))
    source.on("data", onData)
    source.on("end", onEnd)
    source.on("error", onBroken)
    source.on("close", onBroken)
  })

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d

/** Just after the string whose opening quote is before `start`. */
const endOfString = (bytes: Buffer, start: number): number => {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at + 1
}

/** How deep JSON is nested and how many names and values it has, found without making any of them. */
const extentOf = (bytes: Buffer): { readonly depth: number; readonly parts: number } => {
  let [parts, depth, open] = [0, 0, 0]
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at++]!
    if (byte === quote) at = endOfString(bytes, at)
    else if (byte === comma || byte === colon) parts++
    else if (isOpening(byte)) {
      parts++
      depth = Math.max(depth, ++open)
    } else if (isClosing(byte)) open--
  }
  return { depth, parts }
}

/** Parses JSON; no body at all is `null`. What would be costly to parse or to decode is rejected before. */
export const parseJson = (bytes: Buffer): Effect.Effect<unknown, BadRequest | PayloadTooLarge> => {
  const { depth, parts } = extentOf(bytes)
  if (depth > maxBodyDepth) {
    return Effect.fail(new BadRequest({ message: `The request body is nested more than ${maxBodyDepth} levels deep.` }))
  }
  if (parts > maxBodyParts) {
    return Effect.fail(
      new PayloadTooLarge({
        message: `A request body may have at most ${maxBodyParts} names and values; send fewer at a time.`,
        details: { limit: maxBodyParts, unit: "names and values" }
      })
    )
  }
  return Effect.flatMap(decodeUtf8(bytes), (text) =>
    text.trim() === ""
      ? Effect.succeed(null)
      : Effect.try({
          try: () => JSON.parse(text) as unknown,
          catch: () => new BadRequest({ message: "The request body is not valid JSON." })
        })
  )
}

const decodeUtf8 = (bytes: Buffer): Effect.Effect<string, BadRequest> =>
  Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new BadRequest({ message: "The request body is not UTF-8." })
  })

// A web page may send other types, and types that only mention JSON, to a foreign site without asking.
const isJson = (source: IncomingMessage): boolean =>
  /^application\/json\s*(;|$)/i.test(source.headers["content-type"] ?? "")

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** The JSON that a request carries; `null` where it has no body. */
export const readJson = (
  source: IncomingMessage
): Effect.Effect<unknown, PayloadTooLarge | BadRequest | UnsupportedMediaType> =>
  hasBody(source) && !isJson(source)
    ? Effect.fail(new UnsupportedMediaType({ message: "Send the body as application/json." }))
    : Effect.flatMap(readBytes(source, maxBodyBytes), parseJson)
