import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".json": "application/json"
}

// Pages run their own scripts only and cannot be framed.
const pageHeaders = {
  "content-security-policy":
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer"
}

/** One file of ours, read once; returns 304 to clients that have it. */
export const staticContent = (content: Uint8Array | string, mediaType: string) => {
  const bytes = typeof content === "string" ? Buffer.from(content) : content
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
  const headers = { ...pageHeaders, etag, "cache-control": "no-cache" }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    request.headers["if-none-match"] === etag
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.uint8Array(bytes, { contentType: mediaType, headers })
  )
}

/** As `staticContent`, of a file that ships with the product: a missing one is a broken installation. */
export const staticFile = (path: URL | string) =>
  Effect.map(
    Effect.promise(() => readFile(path)),
    (bytes) => staticContent(bytes, mediaTypes[extname(String(path))] ?? "application/octet-stream")
  )
