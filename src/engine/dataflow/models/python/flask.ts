import type { Model } from "../Model.ts"

/** Flask, Quart, Bottle and Sanic: a request that a module provides. */
export const flask: Model = {
  name: "flask",
  mentions:
    /\brequest\.(?:args|form|values|json|get_json|data|cookies|headers|files|url|path|full_path|base_url|host|referrer|stream|view_args|get_data|query|params)\b|\.(?:route|get|post|put|patch|delete)\(\s*["']\//,
  sources: [
    {
      kind: "request",
      path: /^flask\.request\.(?:args|form|values|json|data|cookies|headers|files|stream|view_args|url|base_url|path|query_string|full_path|host|referrer|user_agent|(?:get_json|get_data)\(\))$|^(?:quart|bottle|sanic)\.request\.(?:args|form|values|json|data|cookies|headers|query|params|forms|files|path|url)$|^http:request\.(?:params|segment|query|body)$/
    }
  ]
}
