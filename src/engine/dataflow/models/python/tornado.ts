import { HTML, REDIRECT } from "../../values/Value.ts"
import { ANSWER, REDIRECTION } from "../labels.ts"
import type { Model } from "../Model.ts"

/** What a handler says of its answer, where it is no HTML. */
const otherContent = /content-type[^\n]*(?:json|plain|csv|octet-stream|image|xml|javascript)/i

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
  ],
  sinks: [
    { kind: REDIRECT, label: REDIRECTION, path: /^self:\w*Handler\.redirect$/, args: [0], named: ["url"] },
    {
      kind: HTML,
      label: ANSWER,
      path: /^self:\w*Handler\.(?:write|finish)$/,
      args: [0],
      when: ({ around }) => !otherContent.test(around())
    }
  ]
}
