import type { Model } from "../Model.ts"

export const echo: Model = {
  name: "echo",
  mentions: /\becho\.Context\b/,
  sources: [
    {
      kind: "request",
      path: /^http:echo\.(?:Param|QueryParam|FormValue|QueryParams|FormParams|ParamValues|Cookie|QueryString|Bind)\(\)$|^http:echo\.Request\(\)\.(?:Body|Header|RequestURI|URL\.(?:Path|RawQuery))$/
    }
  ],
  propagators: [{ path: /^http:echo\.Bind$/, how: "fills" }]
}
