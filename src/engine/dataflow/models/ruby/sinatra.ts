import type { Model } from "../Model.ts"

/** Rack's environment, which Sinatra and plain Rack applications read. */
export const sinatra: Model = {
  name: "sinatra",
  mentions: /\bRack::Request\b|\benv\[["'](?:HTTP_|QUERY_STRING|PATH_INFO|REQUEST_)/,
  sources: [
    {
      kind: "request",
      path: /^Rack::Request(?:\.new(?:\(\))?)?\.(?:params|GET|POST|path_info|path|query_string|cookies|referer|user_agent|url)\(\)$|^env\.(?:HTTP_\w+|QUERY_STRING|REQUEST_URI|REQUEST_PATH|PATH_INFO)$/
    }
  ]
}
