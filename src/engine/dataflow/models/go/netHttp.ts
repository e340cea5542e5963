import type { Model } from "../Model.ts"

/** The server of the standard library, and the routers that leave its request as it is: Gorilla, Chi, httprouter. */
export const netHttp: Model = {
  name: "net/http",
  mentions: /\bhttp\.Request\b|\bhttprouter\.Params\b/,
  sources: [
    {
      kind: "request",
      path: /^http:go\.(?:Form|PostForm|MultipartForm|Body|Header|RequestURI|Host|(?:FormValue|PostFormValue|PathValue|UserAgent|Referer|Cookie|Cookies|FormFile)\(\)|URL\.(?:Query\(\)|Path|RawQuery|RawPath)|Header\.\w+\(\))$|^github\.com\/gorilla\/mux\.Vars\(\)$|^github\.com\/julienschmidt\/httprouter\.Params\.ByName\(\)$/
    }
  ]
}
