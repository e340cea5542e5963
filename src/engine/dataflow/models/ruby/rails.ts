import type { Model } from "../Model.ts"

/** The request as controllers of Rails see it, and that of Sinatra and other Rack applications, which is named alike. */
export const rails: Model = {
  name: "rails",
  mentions: /\bparams\b|\brequest\.\w|\bcookies\b/,
  sources: [
    {
      kind: "request",
      path: /^http:ruby\.(?:params|cookies|request\.(?:params|GET|POST|body|raw_post|query_string|query_parameters|request_parameters|path_parameters|headers|referer|referrer|user_agent|fullpath|path|path_info|url|original_url|original_fullpath|host|cookies)\(\)|request\.env\(\)\.(?:HTTP_\w+|QUERY_STRING|REQUEST_URI|PATH_INFO))$/
    }
  ]
}
