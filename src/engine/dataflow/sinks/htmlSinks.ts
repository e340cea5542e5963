import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpHtml } from "../languages/csharpMoreSinks.ts"
import { rubyHtml } from "../languages/rubyMoreSinks.ts"
import type { SinkRule } from "../TaintLanguage.ts"
import { HTML } from "../values/Value.ts"

const label = "HTML that a browser is sent"
/** Changes the page in the browser. */
export const PAGE = "the page's own HTML"
/** Promises that a text needs no escaping. */
export const TRUSTED = "HTML that is not escaped"
/** What a route answers: HTML by default. */
export const ANSWER = "an answer that browsers take for HTML"

/** The beginning of a tag. */
const tag = /<[a-zA-Z!/]/
const jsResponse = /^(?:res|response|resp)(?:\.(?:status|set|header|cookie|type|code)\((?:[^()]|\([^()]*\))*\))*$/
const otherType = /json|text\/plain|["']text["']|["']txt["']|image\/|octet-stream|csv|["']xml["']|application\//

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: HTML,
    label: ANSWER,
    path: /(?:^|\.)send$/,
    args: [0],
    when: ({ receiver }) => jsResponse.test(receiver) && !otherType.test(receiver)
  },
  {
    kind: HTML,
    label,
    path: /(?:^|\.)(?:write|end)$/,
    args: [0],
    text: tag,
    when: ({ receiver }) => jsResponse.test(receiver) && !otherType.test(receiver)
  },
  { kind: HTML, label, path: /^http:context\.(?:body=|html)$/, args: [0], text: tag },
  { kind: HTML, label: PAGE, path: /\.(?:innerHTML|outerHTML|srcdoc)=$/, args: [0] },
  { kind: HTML, label: PAGE, path: /\.insertAdjacentHTML$/, args: [1] },
  { kind: HTML, label: PAGE, path: /^(?:window\.)?document\.(?:write|writeln)$/, args: [0, 1, 2] },
  { kind: HTML, label: PAGE, path: /\.createContextualFragment$/, args: [0] },
  {
    kind: HTML,
    label: PAGE,
    path: /^(?:\$|jQuery|jquery|jquery\.default|window\.\$)\(\)(?:\.\w+\(\))*\.html$/,
    args: [0]
  },
  {
    kind: HTML,
    label: PAGE,
    path: /^(?:\$|jQuery|jquery|jquery\.default|window\.\$)\(\)(?:\.\w+\(\))*\.(?:append|prepend|after|before|replaceWith|wrap)$/,
    args: [0],
    text: tag
  },
  { kind: HTML, label: PAGE, path: /^(?:\$|jQuery|jquery|jquery\.default|\$\.parseHTML)$/, args: [0], text: /^\s*</ },
  { kind: HTML, label: TRUSTED, path: /\.bypassSecurityTrust(?:Html|Script|Url|ResourceUrl)$/, args: [0] }
]

const isHtmlType = (type: string | null): boolean => type === null || /html/.test(type)

const python: ReadonlyArray<SinkRule> = [
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
    label,
    path: /^aiohttp\.web\.Response$/,
    args: [],
    named: ["text", "body"],
    when: ({ option }) => /html/.test(option("content_type") ?? "")
  },
  { kind: HTML, label: ANSWER, path: /^return$/, args: [0] }
]

const writer = ({ argument }: { readonly argument: (index: number) => string }): boolean =>
  /^(?:w|rw|writer|res|resp|response|c\.Writer|ctx\.Writer)$/.test(argument(0))

const go: ReadonlyArray<SinkRule> = [
  {
    kind: HTML,
    label,
    path: /^fmt\.Fprintf$/,
    args: [2, 3, 4, 5, 6],
    when: (call) => writer(call) && tag.test(call.literal(1) ?? "") && !/%q/.test(call.literal(1) ?? "")
  },
  { kind: HTML, label, path: /^fmt\.Fprintf$/, args: [1], text: tag, when: writer },
  {
    kind: HTML,
    label,
    path: /^(?:fmt\.(?:Fprint|Fprintln)|io\.WriteString)$/,
    args: [1, 2, 3],
    text: tag,
    when: writer
  },
  { kind: HTML, label, path: /^net\/http\.ResponseWriter\.Write$/, args: [0], text: tag },
  {
    kind: HTML,
    label: TRUSTED,
    path: /^html\/template\.(?:HTML|HTMLAttr|JS|JSStr|URL|CSS|Srcset)$/,
    args: [0]
  },
  { kind: HTML, label, path: /^http:(?:echo\.HTML|gin\.Writer\.WriteString)$/, args: [1], text: tag },
  {
    kind: HTML,
    label,
    path: /^http:gin\.Data$/,
    args: [2],
    when: ({ literal }) => /html/.test(literal(1) ?? "")
  }
]

const java: ReadonlyArray<SinkRule> = [
  {
    kind: HTML,
    label,
    path: /(?:ServletResponse\.getWriter\(\)|\bPrintWriter|JspWriter|ServletOutputStream|ServletResponse\.getOutputStream\(\))\.(?:print|println|write|append)$/,
    args: [0]
  },
  {
    kind: HTML,
    label,
    path: /(?:ServletResponse\.getWriter\(\)|\bPrintWriter|JspWriter)\.(?:printf|format)$/,
    args: [0, 1, 2, 3]
  },
  { kind: HTML, label: ANSWER, path: /^return$/, args: [0], text: tag }
]

const php: ReadonlyArray<SinkRule> = [
  { kind: HTML, label, path: /^(?:echo|print)$/, args: [0, 1, 2, 3, 4, 5] },
  { kind: HTML, label, path: /^\\?(?:printf|vprintf)$/, args: [0, 1, 2, 3, 4] },
  { kind: HTML, label, path: /^\\?(?:print_r|die|exit|wp_die)$/, args: [0], when: ({ count }) => count === 1 },
  { kind: HTML, label: TRUSTED, path: /(?:^|[.\\])HtmlString$/, args: [0] }
]

export const htmlSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyHtml,
  csharp: csharpHtml
}

export const htmlCalls: Partial<Record<RuleLanguage, string>> = {
  javascript:
    "\\.(?:innerHTML|outerHTML|srcdoc)\\s*\\+?=|\\.insertAdjacentHTML\\(|\\bdocument\\.write(?:ln)?\\(|\\bcreateContextualFragment\\(|\\bbypassSecurityTrust\\w+\\(|\\)\\.html\\(",
  python: "\\b(?:Markup|mark_safe|format_html|HttpResponse|make_response|HTMLResponse|SafeString)\\(",
  go: "\\btemplate\\.(?:HTML|HTMLAttr|JS|JSStr|URL|CSS|Srcset)\\(|\\bfmt\\.Fprint(?:f|ln)?\\((?:w|rw)\\b|\\bw\\.Write\\(",
  java: "\\.getWriter\\(\\)|\\bJspWriter\\b",
  php: "\\becho\\b[^;]{0,200}?\\$_|<\\?=[^?]{0,200}?\\$_|\\bprint[ (]"
}
