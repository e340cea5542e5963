import type { Model } from "../Model.ts"

/** Spring MVC and WebFlux; its annotated parameters are read by the language. */
export const spring: Model = {
  name: "spring",
  mentions:
    /@(?:Get|Post|Put|Delete|Patch|Request)Mapping\b|@(?:RequestParam|PathVariable|RequestBody|RequestHeader|CookieValue|ModelAttribute|RequestPart|MatrixVariable)\b|MultipartFile|\bFilePart\b|\bServerRequest\b|\bWebRequest\b/,
  sources: [
    {
      kind: "request",
      path: /^http:upload\.(?:getOriginalFilename|getSubmittedFileName|filename|getInputStream|getBytes)\(\)$|^http:webflux\.(?:queryParam|pathVariable|queryParams|pathVariables|path|bodyToMono|formData)\(\)$|^(?:org\.springframework\.web\.context\.request\.)?(?:Native)?WebRequest\.get(?:Parameter|ParameterValues|Header|HeaderValues)\(\)$/
    },
    { kind: "message", path: /^message:java$/ }
  ]
}
