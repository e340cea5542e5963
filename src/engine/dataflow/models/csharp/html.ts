import { HTML } from "../../values/Value.ts"
import { ANSWER, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

export const html: Model = {
  name: "html",
  sinks: [
    {
      kind: HTML,
      label: TRUSTED,
      path: /(?:^|\.)Html\.Raw$|^(?:HtmlString|MarkupString)$|^MvcHtmlString\.Create$/,
      args: [0]
    },
    {
      kind: HTML,
      label: ANSWER,
      path: /^(?:Content|Results\.(?:Content|Text))$/,
      args: [0],
      when: ({ literal, argument }) => /html/i.test(literal(1) ?? argument(1))
    },
    {
      kind: HTML,
      label: SENT,
      path: /^(?:http:aspnetcontext\.)?Response\.(?:Write|WriteAsync)$/,
      args: [0],
      text: /<[a-zA-Z!/]/
    }
  ]
}
