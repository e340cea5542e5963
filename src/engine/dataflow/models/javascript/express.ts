import type { Model } from "../Model.ts"

/** The shape of a request that Express, Fastify, Nest, Hapi and the handlers of serverless platforms share. */
export const express: Model = {
  name: "express",
  mentions:
    /\.parse\(\s*\w+,\s*(?:async\s*)?(?:function\s*)?\(\w+,\s*fields,|\breq(?:uest)?\??\.(?:query|params|body|headers|rawHeaders|cookies|signedCookies|url|originalUrl|path|hostname|payload|files?\b|get\(|header\(|param\(|json\(|formData\(|nextUrl)|[(,]\s*(?:req|request|ctx)\s*[,)]|\(\s*\{[^()]{0,80}\b(?:query|params|body|url|path|headers)\b[^()]{0,80}\}\s*,\s*(?:res|reply|response)\b/,
  sources: [
    {
      kind: "request",
      path: /^http:request\.(?:query|params|body|headers|rawHeaders|cookies|signedCookies|url|originalUrl|path|hostname|host|rawBody|file|files|upload\.originalname|(?:get|header|param|json|formData|text)\(\))$/
    }
  ]
}
