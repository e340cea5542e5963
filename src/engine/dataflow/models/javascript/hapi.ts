import type { Model } from "../Model.ts"

/** What Hapi's request has beyond that of Express. */
export const hapi: Model = {
  name: "hapi",
  mentions: /\breq(?:uest)?\.(?:payload|state|info\.referrer|raw\.req)\b/,
  sources: [
    {
      kind: "request",
      path: /^http:request\.(?:payload|state|info\.(?:referrer|host|hostname)|raw\.req\.(?:url|headers))$/
    }
  ]
}
