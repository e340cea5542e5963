import { ANSWER, PAGE, TRUSTED } from "../../dataflow/models/labels.ts"
import { identifiersOf, type ReportedFlow, rangeOf } from "../../dataflow/report.ts"
import type { MatchFlow } from "../../dataflow/values/untrusted.ts"
import type { RuleId } from "./rules.ts"

/** Objects, which are sent as JSON; their properties are text. */
const isObject =
  /(?:^|\.)(?:body|query|params|headers|cookies|args|form|json|GET|POST|data|url\.searchParams)(?:\(\))?$/

/** The rest of a request line is encoded by every browser. */
const isEncoded =
  /(?:^|\.)(?:originalUrl|RequestURI|getRequestURI|getQueryString|QUERY_STRING|REQUEST_URI|RawQuery|query_string|base_url|url_root|root_url|host_url|original_url|fullpath|build_absolute_uri|get_full_path)(?:\(\))?$|^flask\.request\.url$/

/** What `URL` gives of an address is encoded. */
const isQuery = /(?:^|\.)url\.search$/

/** What no page of a stranger makes a visitor's browser send: cookies, and bodies of a type that forms do not have. */
const isOwn = /(?:^|[.$_])(?:COOKIES?|[cC]ookies(?:\.get\(\))?)$|^flask\.request\.(?:json|get_json\(\))$/
const OWN = 0.6

const isWholeObject = ({ label, text, name, isCut }: ReportedFlow): boolean =>
  label === ANSWER && text === "\u0000" && isObject.test(name) && !isCut

export const untrustedHtml: MatchFlow<RuleId> = (flow, path) => {
  // A path segment of a URL has no properties: this is an object that a view passes on.
  if (path.endsWith(".py") && /^http:request\.(?:params|segment)$/.test(flow.type) && flow.name.includes("."))
    return null
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.label === PAGE) {
    // Browsers encode markup in a whole URL.
    if (/(?:location\.href|document\.(?:URL|documentURI))$/.test(flow.type)) return null
    if (/^\s*(?:https?:)?\/\//.test(flow.text)) return null
    const message = `Untrusted input \`${flow.name}\` becomes part of the page's HTML through \`${flow.callee}\`.`
    return { ...at, rule: "dom_injection", message }
  }
  if (flow.label === TRUSTED) {
    const message = `Untrusted input \`${flow.name}\` is marked as safe HTML by \`${flow.callee}\`.`
    return { ...at, rule: "untrusted_markup", message }
  }
  if (isWholeObject(flow) || isEncoded.test(flow.type) || isQuery.test(flow.name)) return null
  const message =
    flow.callee === "return"
      ? `Untrusted input \`${flow.name}\` is part of the HTML that${flow.within === null ? " this function" : ` \`${flow.within}\``} returns.`
      : `Untrusted input \`${flow.name}\` is part of the HTML that \`${flow.callee}\` sends.`
  return { ...at, rule: "untrusted_html", message, ...(isOwn.test(flow.type) ? { confidence: OWN } : {}) }
}

/** Names that say that markup is expected, and those of the library that is handed to its plug-ins. */
const markupName =
  /html|markup|template|tpl|svg|content|body|inner|children|dom|node|el(?:ement)?s?$|fragment|icon|css|style|script|raw|safe|render|str(?:ing)?$|code|view|layout|partial|block|doc|page|text$|value$|data$|result|output|input|source|src$|^\$$|^jquery$/i

/** A parameter that becomes HTML: only where the function puts markup around it, and its name promises none. */
export const markupFromCaller: MatchFlow<RuleId> = (flow, path) => {
  if (flow.label !== PAGE || !/\.[cm]?[jt]sx?$/.test(path)) return null
  const isWhole = flow.text === "\u0000"
  if (isWhole || !/<[a-zA-Z]/.test(flow.text) || markupName.test(flow.name.split(".").at(-1)!)) return null
  const message = `\`${flow.name}\`, which callers choose, becomes part of HTML through \`${flow.callee}\` without being escaped.`
  return {
    ...rangeOf(flow),
    identifiers: identifiersOf(flow),
    rule: "markup_from_caller",
    source: "parameter",
    noun: flow.name,
    message
  }
}

/** The file declares another content type than HTML. */
export const sendsNoHtml = (text: string): boolean =>
  /[Cc]ontent-?[Tt]ype["']?\s*[,:=)\]]+\s*["']?\s*(?:application\/(?:json|xml|javascript|octet-stream|pdf|x-)|text\/(?:plain|csv|xml|css|javascript|event-stream|calendar)|image\/|audio\/|video\/)|setContentType\(\s*"(?:application\/(?!xhtml)|text\/(?:plain|csv|xml)|image\/)|MediaType\.(?:APPLICATION_JSON|TEXT_PLAIN)/.test(
    text
  ) ||
  (/[Cc]ontent-[Tt]ype/.test(text) && /["']application\/(?:json|javascript)["']/.test(text))
