import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { basename, extname } from "node:path"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { acceptedEncoding, compress, type Encoding, encodings, worthCompressing } from "./compression.ts"

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".woff2": "font/woff2",
  ".png": "image/png",
  ".webp": "image/webp",
  ".svg": "image/svg+xml",
  ".json": "application/json"
}

export const mediaTypeOf = (extension: string): string => mediaTypes[extension] ?? "application/octet-stream"

/** Pages run their own scripts only, load nothing from elsewhere, and cannot be framed. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url").slice(0, 22)

const isKnown = (ifNoneMatch: string | undefined, digest: string) =>
  ifNoneMatch?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === `"${digest}"`) === true

type Encoded = Readonly<Partial<Record<Encoding, Uint8Array>>>

/** Each encoding of the content that was not made beforehand is made when the first client asks for it, and kept. */
const encoder = (bytes: Uint8Array, ready: Encoded) => {
  const made = new Map<Encoding, Promise<Uint8Array>>()
  for (const encoding of encodings) {
    const known = ready[encoding]
    if (known !== undefined) made.set(encoding, Promise.resolve(known))
  }
  return (encoding: Encoding) => {
    const known = made.get(encoding) ?? compress(bytes, encoding, "once")
    made.set(encoding, known)
    return Effect.promise(() => known)
  }
}

interface ContentOptions {
  readonly cacheControl?: string
  readonly status?: number
  /** Compressed forms that the build made. */
  readonly made?: Encoded
}

/** One file of ours, kept in memory with its compressed forms; returns 304 to clients that have it. */
export const staticContent = (content: Uint8Array | string, mediaType: string, options: ContentOptions = {}) => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  const digest = digestOf(bytes)
  const encoded = encoder(bytes, options.made ?? {})
  const isCompressible = bytes.length >= worthCompressing && /^text\/|json|svg/.test(mediaType)
  const headers = {
    ...pageHeaders,
    // Weak, as it is the same for every encoding.
    etag: `W/"${digest}"`,
    "cache-control": options.cacheControl ?? "no-cache",
    ...(isCompressible ? { vary: "Accept-Encoding" } : {})
  }
  const send = (body: Uint8Array, more: Readonly<Record<string, string>>) =>
    HttpServerResponse.uint8Array(body, {
      status: options.status ?? 200,
      contentType: mediaType,
      headers: { ...headers, ...more }
    })
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (options.status === undefined && isKnown(request.headers["if-none-match"], digest)) {
      return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
    }
    const encoding = isCompressible ? acceptedEncoding(request.headers["accept-encoding"]) : null
    return encoding === null
      ? Effect.succeed(send(bytes, {}))
      : Effect.map(encoded(encoding), (body) => send(body, { "content-encoding": encoding }))
  })
}

/** A script, style or image whose path names its content, so that a browser asks for it once. */
export const asset = (file: URL) =>
  Effect.map(
    Effect.promise(() => readFile(file)),
    (bytes) => {
      const extension = extname(file.pathname)
      return {
        path: `/assets/${basename(file.pathname, extension)}.${digestOf(bytes)}${extension}` as const,
        content: staticContent(bytes, mediaTypeOf(extension), {
          cacheControl: "public, max-age=31536000, immutable"
        })
      }
    }
  )
