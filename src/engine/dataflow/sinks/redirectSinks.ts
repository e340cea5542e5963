import type { RuleLanguage } from "../../core/tool/AuditTool.ts"
import { csharpRedirects } from "../languages/csharpMoreSinks.ts"
import { rubyRedirects } from "../languages/rubyMoreSinks.ts"
import type { SinkRule } from "../TaintLanguage.ts"
import { REDIRECT } from "../values/Value.ts"

const label = "a redirect"
/** The browser goes there by itself. */
export const NAVIGATION = "a change of the page's address"

const jsResponse =
  /^(?:res|response|resp|reply)(?:\.(?:status|code|cookie|clearCookie|set|header)\((?:[^()]|\([^()]*\))*\))*$/

const javascript: ReadonlyArray<SinkRule> = [
  {
    kind: REDIRECT,
    label,
    path: /(?:^|\.)redirect$/,
    args: [0],
    when: ({ receiver, count }) => count === 1 && jsResponse.test(receiver)
  },
  {
    kind: REDIRECT,
    label,
    path: /(?:^|\.)redirect$/,
    args: [1],
    when: ({ receiver, literal }) => jsResponse.test(receiver) && literal(0) !== "back"
  },
  {
    kind: REDIRECT,
    label,
    path: /^(?:http:context\.redirect|next\/server\.NextResponse\.redirect|NextResponse\.redirect|next\/navigation\.redirect)$/,
    args: [0]
  },
  { kind: REDIRECT, label: NAVIGATION, path: /^(?:window\.|document\.|self\.|top\.)*location(?:\.href)?=$/, args: [0] },
  {
    kind: REDIRECT,
    label: NAVIGATION,
    path: /^(?:window\.|document\.|self\.|top\.)*location\.(?:assign|replace)$/,
    args: [0]
  }
]

const python: ReadonlyArray<SinkRule> = [
  {
    kind: REDIRECT,
    label,
    path: /^(?:flask(?:\.helpers)?\.redirect|werkzeug\.utils\.redirect|django\.shortcuts\.redirect|django\.http\.HttpResponse(?:Permanent)?Redirect|(?:fastapi|starlette)\.responses\.RedirectResponse|bottle\.redirect|sanic\.response\.redirect|quart\.redirect)$/,
    args: [0],
    named: ["url", "location", "to", "redirect_to"]
  },
  {
    kind: REDIRECT,
    label,
    path: /^aiohttp\.web\.HTTP(?:Found|SeeOther|MovedPermanently|TemporaryRedirect)$/,
    args: [0],
    named: ["location"]
  }
]

const go: ReadonlyArray<SinkRule> = [
  { kind: REDIRECT, label, path: /^net\/http\.Redirect$/, args: [2] },
  { kind: REDIRECT, label, path: /^net\/http\.RedirectHandler$/, args: [0] },
  { kind: REDIRECT, label, path: /^http:(?:gin|echo)\.Redirect$/, args: [1] },
  { kind: REDIRECT, label, path: /^http:fiber\.Redirect$/, args: [0] }
]

const java: ReadonlyArray<SinkRule> = [
  { kind: REDIRECT, label, path: /ServletResponse\.sendRedirect$/, args: [0] },
  { kind: REDIRECT, label, path: /(?:^|\.)RedirectView$/, args: [0] },
  {
    kind: REDIRECT,
    label,
    path: /ServletResponse\.(?:setHeader|addHeader)$|HttpHeaders(?:\(\))?\.(?:set|add)$/,
    args: [1],
    when: ({ literal }) => literal(0)?.toLowerCase() === "location"
  },
  { kind: REDIRECT, label, path: /^return$/, args: [0], text: /^redirect:[^/]*\u0000/ }
]

const php: ReadonlyArray<SinkRule> = [
  { kind: REDIRECT, label, path: /^\\?header$/, args: [0], text: /^\s*location:\s*\S*\u0000/i },
  { kind: REDIRECT, label, path: /^\\?wp_redirect$/, args: [0] },
  { kind: REDIRECT, label, path: /(?:^|[.\\])RedirectResponse$/, args: [0] },
  {
    kind: REDIRECT,
    label,
    path: /^redirect$|^(?:Illuminate\\Support\\Facades\\)?Redirect\.(?:to|away)$|^redirect\(\)\.(?:to|away)$/,
    args: [0]
  }
]

export const redirectSinks: Partial<Record<RuleLanguage, ReadonlyArray<SinkRule>>> = {
  javascript,
  python,
  go,
  java,
  php,
  ruby: rubyRedirects,
  csharp: csharpRedirects
}

export const redirectCalls: Partial<Record<RuleLanguage, string>> = {
  javascript: "\\.redirect\\(|\\blocation(?:\\.href)?\\s*=[^=]|\\blocation\\.(?:assign|replace)\\(",
  python:
    "\\b(?:redirect|HttpResponseRedirect|HttpResponsePermanentRedirect|RedirectResponse|HTTPFound|HTTPSeeOther)\\(",
  go: "\\.Redirect\\(",
  java: '\\bsendRedirect\\(|\\bRedirectView\\(|"redirect:',
  php: "\\bheader\\s*\\(\\s*[\"'][Ll]ocation|\\bwp_redirect\\s*\\(|\\bRedirectResponse\\(|\\bredirect\\("
}
