import { ANSWER, PAGE, TRUSTED } from "../../dataflow/models/labels.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import type { MatchFlow } from "../../dataflow/values/untrusted.ts"
import type { RuleId } from "./rules.ts"

/** Objects, which are sent as JSON; their properties are text. */
const isObject =
  /(?:^|\.)(?:body|query|params|headers|cookies|args|form|json|GET|POST|data|url\.searchParams)(?:\(\))?$/

/** The rest of a request line is encoded by every browser. */
const isEncoded =
  /(?:^|\.)(?:originalUrl|RequestURI|getRequestURI|getQueryString|QUERY_STRING|REQUEST_URI|RawQuery|query_string)(?:\(\))?$/

export const untrustedHtml: MatchFlow<RuleId> = (flow, path) => {
  // A path segment of a URL has no properties: this is an object that a view passes on.
  if (path.endsWith(".py") && flow.type === "http:request.params" && flow.name.includes(".")) return null
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
  const isWhole = flow.text === "\u0000"
  if (flow.label === ANSWER && isWhole && isObject.test(flow.name)) return null
  if (isEncoded.test(flow.type)) return null
  const message =
    flow.callee === "return"
      ? `Untrusted input \`${flow.name}\` is part of the HTML that${flow.within === null ? " this function" : ` \`${flow.within}\``} returns.`
      : `Untrusted input \`${flow.name}\` is part of the HTML that \`${flow.callee}\` sends.`
  return { ...at, rule: "untrusted_html", message }
}

/** The file declares another content type than HTML. */
export const sendsNoHtml = (text: string): boolean =>
  /[Cc]ontent-?[Tt]ype["']?\s*[,:=)\]]+\s*["']?\s*(?:application\/(?:json|xml|javascript|octet-stream|pdf|x-)|text\/(?:plain|csv|xml|css|javascript|event-stream|calendar)|image\/|audio\/|video\/)|setContentType\(\s*"(?:application\/(?!xhtml)|text\/(?:plain|csv|xml)|image\/)|MediaType\.(?:APPLICATION_JSON|TEXT_PLAIN)/.test(
    text
  ) ||
  (/[Cc]ontent-[Tt]ype/.test(text) && /["']application\/(?:json|javascript)["']/.test(text))
