import type { Model } from "../Model.ts"

/** JAX-RS, Quarkus and Jersey; annotated parameters are read by the language. */
export const jaxrs: Model = {
  name: "jaxrs",
  mentions: /@(?:QueryParam|PathParam|FormParam|HeaderParam|CookieParam|BeanParam)\b|\bUriInfo\b/,
  sources: [
    {
      kind: "request",
      path: /^(?:(?:javax|jakarta)\.ws\.rs\.core\.)?UriInfo\.get(?:QueryParameters|PathParameters|Path|RequestUri|AbsolutePath)\(\)$|^(?:(?:javax|jakarta)\.ws\.rs\.core\.)?HttpHeaders\.get(?:HeaderString|RequestHeader|RequestHeaders|Cookies)\(\)$|^(?:(?:javax|jakarta)\.ws\.rs\.container\.)?ContainerRequestContext\.get(?:HeaderString|Headers|Cookies|EntityStream)\(\)$/
    }
  ]
}
