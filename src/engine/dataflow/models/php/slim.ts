import { HTML } from "../../values/Value.ts"
import { SENT } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Slim and other frameworks whose requests follow PSR-7. */
export const slim: Model = {
  name: "slim",
  mentions: /ServerRequestInterface|Psr\\Http/,
  sinks: [
    {
      kind: HTML,
      label: SENT,
      path: /(?:^|\\)(?:ResponseInterface|Response)(?:\(\))?\.(?:getBody\(\)\.write|write)$/,
      args: [0],
      text: /<[a-zA-Z!/]/
    }
  ],
  sources: [
    {
      kind: "request",
      path: /^http:php\.(?:getParam|getQueryParam|getQueryParams|getParsedBody|getParsedBodyParam|getCookieParams|getHeaderLine|getHeader|getBody|getAttribute|getUploadedFiles|getUri)\(\)$/
    }
  ]
}
