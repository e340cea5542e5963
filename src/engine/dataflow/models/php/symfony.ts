import type { Model } from "../Model.ts"

export const symfony: Model = {
  name: "symfony",
  mentions: /#\[Route\(|@Route\(|HttpFoundation\\Request/,
  sources: [
    {
      kind: "request",
      path: /^http:php\.(?:query|request|headers|cookies|attributes|files)\.(?:get|all|getString)\(\)$|^http:php\.(?:getContent|toArray|getQueryString|getUri|getHost)\(\)$/
    }
  ]
}
