import type { Model } from "../Model.ts"

/** ASP.NET, with and without Core, and its minimal APIs; bound parameters are read by the language. */
export const aspnet: Model = {
  name: "aspnet",
  mentions:
    /\bRequest\s*(?:\.|\[)|\bHttp(?:Request|Context)\b|\[\s*(?:From(?:Query|Body|Route|Form|Header|Uri)|Http(?:Get|Post|Put|Patch|Delete))\b|\w*Controller(?:Base)?\b|\bPageModel\b|\.Text\b|\[BindProperty\b|\.FileName\b|\.Map(?:Get|Post|Put|Patch|Delete)\(/,
  sources: [
    {
      kind: "request",
      path: /^http:upload\.(?:FileName|ContentDisposition|InputStream|OpenReadStream\(\))$|^http:aspnet(?:context\.Request)?\.(?:Query|Form|Files|Headers|Cookies|QueryString|Path|PathBase|Host|Body|Params|RawUrl|Url|RouteValues|UserAgent|UrlReferrer|InputStream|BodyReader|\*|(?:ReadFormAsync|GetDisplayUrl|GetEncodedUrl|ReadFromJsonAsync)\(\))$|^http:aspnet\.(?:query|body)$|^http:webforms\.field\.Text$/
    }
  ]
}
