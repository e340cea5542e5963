import { HTML, REDIRECT } from "../../values/Value.ts"
import { ANSWER, SENT } from "../labels.ts"
import type { Model } from "../Model.ts"

/** The beginning of a tag. */
const tag = /<[a-zA-Z!/]/

export const html: Model = {
  name: "html",
  mentions: /\.getWriter\(\)|\.contentType\(|\bJspWriter\b/,
  sinks: [
    {
      kind: HTML,
      label: SENT,
      path: /(?:ServletResponse\.getWriter\(\)|\bPrintWriter|JspWriter|ServletOutputStream|ServletResponse\.getOutputStream\(\))\.(?:print|println|write|append)$/,
      args: [0]
    },
    {
      kind: HTML,
      label: SENT,
      path: /(?:ServletResponse\.getWriter\(\)|\bPrintWriter|JspWriter)\.(?:printf|format)$/,
      args: [0, 1, 2, 3]
    },
    { kind: HTML, label: ANSWER, path: /^return$/, args: [0], text: tag },
    {
      kind: HTML,
      label: SENT,
      path: /\.contentType\(\)\.body$/,
      args: [0],
      text: tag,
      when: ({ receiver }) => /\.contentType\(\s*(?:MediaType\.TEXT_HTML|MediaType\.\w+\("text\/html)/.test(receiver)
    }
  ],
  sanitizers: [
    {
      path: /(?:^|\.)(?:htmlEscape\w*|escapeHtml\w*|escapeXml\w*|encodeForHTML\w*|encodeForJavaScript|forHtml\w*|forJavaScript\w*|escapeEcmaScript|htmlFilter|sanitize|encodeForURL)$|(?:^|\.)(?:Jsoup\.clean|URLEncoder\.encode|HTMLEntityCodec\.encode)$/,
      kinds: HTML
    },
    { path: /(?:^|\.)URLEncoder\.encode$/, kinds: REDIRECT }
  ]
}
