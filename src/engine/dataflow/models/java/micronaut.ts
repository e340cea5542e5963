import type { Model } from "../Model.ts"

/** Micronaut; annotated parameters are read by the language. */
export const micronaut: Model = {
  name: "micronaut",
  mentions: /@QueryValue\b|io\.micronaut\.http/,
  sources: [
    {
      kind: "request",
      path: /^io\.micronaut\.http\.HttpRequest\.get(?:Parameters|Headers|Path|Uri|Body|Cookies)\(\)$|^io\.micronaut\.http\.multipart\.\w+\.getFilename\(\)$/
    }
  ]
}
