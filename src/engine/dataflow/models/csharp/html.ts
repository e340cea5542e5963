import type { SinkCall } from "../../TaintLanguage.ts"
import { HTML } from "../../values/Value.ts"
import { ANSWER, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

/** Before Core an answer is HTML unless the code says otherwise, and so is the text of most controls of a page. */
const isWebForms = ({ file }: SinkCall): boolean => /\bSystem\.Web\b/.test(file())

export const html: Model = {
  name: "html",
  mentions: /\.(?:Text|InnerHtml)\s*\+?=|\bContentResult\b/,
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
      path: /^(?:Content|(?:Typed)?Results\.(?:Content|Text))$/,
      args: [0],
      when: ({ literal, argument }) => /html/i.test(literal(1) ?? argument(1))
    },
    {
      kind: HTML,
      label: SENT,
      path: /^(?:http:aspnetcontext\.)?Response\.(?:Write|WriteAsync)$/,
      args: [0],
      text: /<[a-zA-Z!/]/
    },
    {
      kind: HTML,
      label: SENT,
      path: /^(?:http:aspnetcontext\.)?Response\.Write$/,
      args: [0],
      text: /^[^{[]/,
      when: isWebForms
    },
    { kind: HTML, label: SENT, path: /^http:webforms\.label\.Text=$/, args: [0] },
    {
      kind: HTML,
      label: SENT,
      path: /^(?:[\w.]+\.)?(?:Label|Literal|LiteralControl|HyperLink|LinkButton)\.Text=$/,
      args: [0],
      when: isWebForms
    },
    { kind: HTML, label: SENT, path: /\.InnerHtml=$/, args: [0], when: isWebForms },
    {
      kind: HTML,
      label: ANSWER,
      path: /^ContentResult\.Content=$/,
      args: [0],
      text: /<[a-zA-Z!/]/,
      when: ({ around }) => /\bContentType\s*=\s*"text\/html/.test(around())
    }
  ]
}
