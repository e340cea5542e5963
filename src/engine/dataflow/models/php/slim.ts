import type { Model } from "../Model.ts"

/** Slim and other frameworks whose requests follow PSR-7. */
export const slim: Model = {
  name: "slim",
  mentions: /ServerRequestInterface|Psr\\Http/,
  sources: [
    {
      kind: "request",
      path: /^http:php\.(?:getParam|getQueryParam|getQueryParams|getParsedBody|getParsedBodyParam|getCookieParams|getHeaderLine|getHeader|getBody|getAttribute|getUploadedFiles|getUri)\(\)$/
    }
  ]
}
