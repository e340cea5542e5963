import type { Model } from "../Model.ts"

/** Requests of aiohttp's server, of Sanic and Falcon. */
export const aiohttp: Model = {
  name: "aiohttp",
  mentions: /\brequest\.(?:query|match_info|rel_url|post|read|text|content)\b/,
  sources: [
    {
      kind: "request",
      path: /^http:starlette\.(?:query|match_info|args|form|json|rel_url|path|path_qs|query_string|(?:post|text|read)\(\))$/
    }
  ]
}
