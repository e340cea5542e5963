import type { Model } from "../Model.ts"

/** What PHP itself knows of a request. */
export const superglobals: Model = {
  name: "superglobals",
  mentions: /\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\b|php:\/\/input|\bgetallheaders\(|\bfilter_input\(/,
  sources: [
    {
      kind: "request",
      path: /^\$_(?:GET|POST|REQUEST|COOKIE|FILES)$|^\$_SERVER\.(?:HTTP_\w+|QUERY_STRING|REQUEST_URI|PATH_INFO|PHP_SELF|ORIG_PATH_INFO)$|^\\?(?:getallheaders|apache_request_headers)\(\)$|^filter_input\(\)$|^http:request\.(?:body|params)$/
    }
  ]
}
