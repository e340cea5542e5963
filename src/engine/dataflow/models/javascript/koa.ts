import type { Model } from "../Model.ts"

/** The context of Koa, Hono and Egg. */
export const koa: Model = {
  name: "koa",
  mentions:
    /\bctx\.(?:request|query|querystring|params|req|path|url|originalUrl|href|headers|header|get\()\b|\bc\.req\./,
  sources: [
    {
      kind: "request",
      path: /^http:context\.(?:query|params|querystring|search|path|url|originalUrl|href|host|hostname|request\.(?:query|body|headers|header|url|path|originalUrl|href|rawBody|querystring|files)|req\.(?:query|params|headers|url|path|(?:query|param|header|json|text|formData|parseBody|valid)\(\))|headers|header|get\(\)|cookies\.get\(\)|body)$/
    }
  ]
}
