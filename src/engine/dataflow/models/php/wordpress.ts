import type { Model } from "../Model.ts"

export const wordpress: Model = {
  name: "wordpress",
  mentions: /\bWP_REST_Request\b|\bget_query_var\(/,
  sources: [
    {
      kind: "request",
      path: /^\\?WP_REST_Request\.get_(?:param|params|json_params|body|body_params|query_params|url_params|header|file_params)\(\)$|^\\?WP_REST_Request\.\w+$|^\\?get_query_var\(\)$/
    }
  ]
}
