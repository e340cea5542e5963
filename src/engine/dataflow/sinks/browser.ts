import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import type { FunctionInfo, Parameter } from "../../languages/syntax/Syntax.ts"
import type { TaintLanguage } from "../TaintLanguage.ts"
import { ALL_KINDS, CODE, HTML, REDIRECT } from "../values/Value.ts"

type Sanitisers = TaintLanguage["sanitisers"]

/** What a page's address or another page says is harmless to servers: it is the user's own browser that reads it. */
const readInBrowser = HTML | REDIRECT | CODE
const browserSource =
  /^(?:dom:|(?:(?:window|document|self|top|parent|globalThis)\.)*location\.|(?:window\.)?document\.|window\.name$|react-router)/

export const safeAtSource = (path: string): number => (browserSource.test(path) ? ALL_KINDS & ~readInBrowser : 0)

const browserSources =
  /^(?:(?:(?:window|document|self|top|parent|globalThis)\.)*location\.(?:search|hash|href)|(?:window\.)?document\.(?:URL|documentURI|referrer)|window\.name|dom:message\.data|react-router(?:-dom)?\.useLocation\(\)\.(?:search|hash)|react-router(?:-dom)?\.useSearchParams\(\))$/
const browserText =
  /\blocation\.(?:search|hash|href)\b|\bdocument\.(?:URL|documentURI|referrer)\b|\bwindow\.name\b|\bonmessage\b|addEventListener\(\s*["']message|useSearchParams/

/** `addEventListener("message", (event) => …)` that never asks where the message comes from. */
const messageHandler = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  const before = file.text.slice(Math.max(0, tree.start(info.node) - 60), tree.start(info.node))
  const isHandler =
    /(?:^|[\s.;])(?:window\.|self\.|globalThis\.)?(?:addEventListener\(\s*["']message["']\s*,\s*(?:async\s*)?|onmessage\s*=\s*(?:async\s*)?)$/.test(
      before
    )
  return isHandler && !/\.(?:origin|source)\b/.test(tree.textOf(info.body).slice(0, 4_000))
}

const escapers =
  /(?:^|[.\\:])(?:\w*(?:[eE]scape|ESCAPE|[sS]aniti[sz]e|[pP]urif)\w*|escapeHTML|escapeHtml|he\.encode|encodeHTML|encodeHtml|htmlEncode|stripTags|striptags|xss|filterXSS|encodeURIComponent|encodeURI|bleach\.clean|nh3\.clean)$/

const sanitisers: Partial<Record<Language, Sanitisers>> = {
  javascript: [
    { path: escapers, kinds: HTML },
    {
      path: /^(?:DOMPurify|dompurify|isomorphic-dompurify)(?:\.default)?(?:\.sanitize)?$|^(?:sanitize-html|xss|escape-html|validator\.escape|lodash\.escape|_\.escape)(?:\.default)?$/,
      kinds: HTML
    },
    { path: /^encodeURIComponent$/, kinds: HTML | REDIRECT }
  ],
  python: [
    { path: escapers, kinds: HTML },
    {
      path: /^(?:html\.escape|cgi\.escape|markupsafe\.escape|flask\.escape|jinja2\.escape|bleach\.clean|nh3\.clean|django\.utils\.html\.(?:escape|conditional_escape|strip_tags|format_html)|urllib\.parse\.(?:quote|quote_plus|urlencode)|json\.dumps|flask\.(?:jsonify|render_template|url_for)|django\.shortcuts\.render|django\.template\.loader\.render_to_string)$/,
      kinds: HTML
    },
    { path: /^(?:flask\.url_for|django\.urls\.reverse)$/, kinds: REDIRECT }
  ],
  go: [
    {
      path: /^(?:html\.EscapeString|html\/template\.(?:HTMLEscapeString|HTMLEscaper|JSEscapeString|JSEscaper|URLQueryEscaper)|net\/url\.(?:QueryEscape|PathEscape)|encoding\/json\.Marshal\w*|strconv\.Quote\w*)$|(?:^|\.)(?:Sanitize|SanitizeBytes|EscapeHTML)$/,
      kinds: HTML
    },
    { path: /^net\/url\.(?:QueryEscape|PathEscape)$/, kinds: REDIRECT }
  ],
  java: [
    {
      path: /(?:^|\.)(?:htmlEscape\w*|escapeHtml\w*|escapeXml\w*|encodeForHTML\w*|encodeForJavaScript|forHtml\w*|forJavaScript\w*|escapeEcmaScript|htmlFilter|sanitize|encodeForURL)$|(?:^|\.)(?:Jsoup\.clean|URLEncoder\.encode|HTMLEntityCodec\.encode)$/,
      kinds: HTML
    },
    { path: /(?:^|\.)URLEncoder\.encode$/, kinds: REDIRECT }
  ],
  php: [
    {
      path: /(?:^|[.\\])(?:htmlspecialchars|htmlentities|strip_tags|esc_\w+|wp_kses\w*|urlencode|rawurlencode|http_build_query|json_encode|wp_json_encode|absint|sanitize_\w+|filter_var|checkPlain|check_plain|e|h|clean_url|addslashes_gpc|var_export|serialize|base64_encode|wp_verify_nonce|\w*(?:[eE]scape|[sS]anitize|[pP]urif|htmlSpecialChars|[eE]ncode)\w*)$/,
      kinds: HTML
    },
    {
      path: /^\\?(?:wp_validate_redirect|wp_sanitize_redirect|admin_url|home_url|site_url|route|url)$/,
      kinds: REDIRECT
    },
    { path: /^\\?(?:add_query_arg|remove_query_arg)$/, kinds: REDIRECT }
  ]
}

const flaskRoute = /@[\w.]+\.(?:route|get|post)\(/
const restMethod = /@(?:ResponseBody|RestController)\b/

/** Functions whose answer is sent to a browser as it is. */
const answersBrowser = (file: SourceFile, info: FunctionInfo): boolean => {
  const tree = file.tree!
  if (file.language === "python") {
    if (!/\bflask\b/.test(file.text.slice(0, 6_000))) return false
    const parent = tree.parent(info.node)
    return (
      tree.is(parent, "decorated_definition") &&
      flaskRoute.test(file.text.slice(tree.start(parent), tree.start(info.node)))
    )
  }
  const head = file.text.slice(tree.start(info.node), tree.start(info.body))
  return (
    /@(?:Get|Post|Request|Put)Mapping\b/.test(head) &&
    !/produces\s*=[^)]*(?:json|JSON|TEXT_PLAIN|text\/plain)/.test(head) &&
    (restMethod.test(head) || /\bString\b/.test(head))
  )
}

/** What an object says of an error is the code's own text. */
const errorTextMethods = ["get_error_message", "get_error_code", "getMessage", "getCode", "getErrorMessage"]

/** A language with what browsers are sent, and what they send themselves. */
export const withBrowser = (name: Language, language: TaintLanguage): TaintLanguage => {
  const more: TaintLanguage = { ...language, sanitisers: [...language.sanitisers, ...(sanitisers[name] ?? [])] }
  if (name === "python" || name === "java") return { ...more, answers: answersBrowser }
  if (name === "php") {
    return {
      ...more,
      roles: { ...more.roles, echo_statement: "construct", print_intrinsic: "construct" },
      cleanMethods: new Set([...more.cleanMethods, ...errorTextMethods])
    }
  }
  if (name !== "javascript") return more
  const parameter = (file: SourceFile, info: FunctionInfo, own: Parameter, index: number) =>
    index === 0 && messageHandler(file, info) ? { type: "dom:message" } : language.parameter(file, info, own, index)
  return {
    ...more,
    assignedSinks: true,
    parameter,
    sourceText: new RegExp(`${language.sourceText.source}|${browserText.source}`),
    sources: new RegExp(`${language.sources.source}|${browserSources.source}`)
  }
}
