import type { Model } from "../Model.ts"

export const fiber: Model = {
  name: "fiber",
  mentions: /\bfiber\.Ctx\b/,
  sources: [
    {
      kind: "request",
      path: /^http:fiber\.(?:Query|Params|FormValue|Body|Get|Cookies|BodyRaw|Queries|Path|OriginalURL|BaseURL|Hostname|BodyParser|QueryParser|ParamsParser|ReqHeaderParser)\(\)$/
    }
  ],
  propagators: [{ path: /^http:fiber\.(?:BodyParser|QueryParser|ParamsParser|ReqHeaderParser)$/, how: "fills" }]
}
