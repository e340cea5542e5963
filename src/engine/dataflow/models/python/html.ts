import { HTML, REDIRECT } from "../../values/Value.ts"
import { ANSWER, SENT, TRUSTED } from "../labels.ts"
import type { Model } from "../Model.ts"

const isHtmlType = (type: string | null): boolean => type === null || /html/.test(type)
const escapers =
  /(?:^|[.\\:])(?:\w*(?:[eE]scape|ESCAPE|[sS]aniti[sz]e|[pP]urif)\w*|escapeHTML|escapeHtml|he\.encode|encodeHTML|encodeHtml|htmlEncode|stripTags|striptags|xss|filterXSS|encodeURIComponent|encodeURI|bleach\.clean|nh3\.clean)$/

export const html: Model = {
  name: "html",
  mentions: /\b(?:Markup|mark_safe|format_html|HttpResponse|make_response|HTMLResponse|SafeString)\(|\breturn\s+f["']/,
  sinks: [
    {
      kind: HTML,
      label: TRUSTED,
      path: /^(?:flask\.Markup|markupsafe\.Markup|jinja2\.Markup|django\.utils\.safestring\.(?:mark_safe|SafeString|SafeText)|django\.utils\.html\.(?:format_html|mark_safe))$/,
      args: [0]
    },
    {
      kind: HTML,
      label: ANSWER,
      path: /^(?:django\.http\.HttpResponse\w*|flask\.make_response|flask\.Response|werkzeug\.wrappers\.Response)$/,
      args: [0],
      named: ["content", "response"],
      when: ({ option, literal, callee }) =>
        !/Redirect|JsonResponse/.test(callee) &&
        isHtmlType(option("content_type") ?? option("mimetype")) &&
        isHtmlType(/HttpResponse/.test(callee) ? literal(1) : null)
    },
    {
      kind: HTML,
      label: ANSWER,
      path: /^(?:fastapi|starlette)\.responses\.HTMLResponse$/,
      args: [0],
      named: ["content"]
    },
    {
      kind: HTML,
      label: SENT,
      path: /^aiohttp\.web\.Response$/,
      args: [],
      named: ["text", "body"],
      when: ({ option }) => /html/.test(option("content_type") ?? "")
    },
    { kind: HTML, label: ANSWER, path: /^return$/, args: [0] }
  ],
  sanitizers: [
    { path: escapers, kinds: HTML },
    {
      path: /^(?:html\.escape|cgi\.escape|markupsafe\.escape|flask\.escape|jinja2\.escape|bleach\.clean|nh3\.clean|django\.utils\.html\.(?:escape|conditional_escape|strip_tags|format_html)|urllib\.parse\.(?:quote|quote_plus|urlencode)|json\.dumps|flask\.(?:jsonify|render_template|url_for)|django\.shortcuts\.render|django\.template\.loader\.render_to_string)$/,
      kinds: HTML
    },
    // A query string as Django writes it, percent-encoded.
    { path: /\.urlencode$/, kinds: HTML },
    { path: /^(?:flask\.url_for|django\.urls\.reverse)$/, kinds: REDIRECT }
  ]
}
