import { HTML, REDIRECT } from "../../values/Value.ts"
import { SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

/** The beginning of a tag. */
const tag = /<[a-zA-Z!/]/
const writer = ({ argument }: { readonly argument: (index: number) => string }): boolean =>
  /^(?:w|rw|writer|res|resp|response|c\.Writer|ctx\.Writer)$/.test(argument(0))

export const html: Model = {
  name: "html",
  mentions:
    /\btemplate\.(?:HTML|HTMLAttr|JS|JSStr|URL|CSS|Srcset)\(|\bfmt\.Fprint(?:f|ln)?\((?:w|rw)\b|\bw\.Write\(|\.String\(/,
  sinks: [
    {
      kind: HTML,
      label: SENT,
      path: /^fmt\.Fprintf$/,
      args: [2, 3, 4, 5, 6],
      when: (call) => writer(call) && tag.test(call.literal(1) ?? "") && !/%q/.test(call.literal(1) ?? "")
    },
    { kind: HTML, label: SENT, path: /^fmt\.Fprintf$/, args: [1], text: tag, when: writer },
    {
      kind: HTML,
      label: SENT,
      path: /^(?:fmt\.(?:Fprint|Fprintln)|io\.WriteString)$/,
      args: [1, 2, 3],
      text: tag,
      when: writer
    },
    { kind: HTML, label: SENT, path: /^net\/http\.ResponseWriter\.Write$/, args: [0], text: tag },
    {
      kind: HTML,
      label: TRUSTED,
      path: /^html\/template\.(?:HTML|HTMLAttr|JS|JSStr|URL|CSS|Srcset)$/,
      args: [0]
    },
    { kind: HTML, label: SENT, path: /^http:(?:echo\.HTML|gin\.Writer\.WriteString)$/, args: [1], text: tag },
    {
      kind: HTML,
      label: SENT,
      path: /^http:gin\.String$/,
      args: [1, 2, 3, 4],
      when: ({ around, argument }) =>
        /["']text\/html/.test(around()) && (tag.test(argument(1)) || /^\w+$/.test(argument(1)))
    },
    {
      kind: HTML,
      label: SENT,
      path: /^http:gin\.Data$/,
      args: [2],
      when: ({ literal }) => /html/.test(literal(1) ?? "")
    }
  ],
  sanitizers: [
    {
      path: /^(?:html\.EscapeString|html\/template\.(?:HTMLEscapeString|HTMLEscaper|JSEscapeString|JSEscaper|URLQueryEscaper)|net\/url\.(?:QueryEscape|PathEscape)|encoding\/json\.Marshal\w*|strconv\.Quote\w*)$|(?:^|\.)(?:Sanitize|SanitizeBytes|EscapeHTML)$/,
      kinds: HTML
    },
    { path: /^net\/url\.(?:QueryEscape|PathEscape)$/, kinds: REDIRECT }
  ]
}
