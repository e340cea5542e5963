import type { Model } from "../Model.ts"

/** Handlers of Tornado. */
export const tornado: Model = {
  name: "tornado",
  mentions:
    /\bself\.get_(?:\w*argument|cookie|secure_cookie)s?\(|\bself\.request\.(?:body|arguments|headers|uri|path|files|query)/,
  sources: [
    {
      kind: "request",
      path: /^self:\w+\.(?:get_(?:query_|body_)?arguments?|get_cookie)\(\)$|^self:\w+\.request\.(?:arguments|query_arguments|body_arguments|uri|path|query|files|cookies)$/
    }
  ]
}
