import { NAVIGATION } from "../../dataflow/models/labels.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import type { MatchFlow } from "../../dataflow/values/untrusted.ts"
import { urlPartAt } from "../../dataflow/values/urlText.ts"
import type { RuleId } from "./rules.ts"

/** The URL of the request itself, which is a path of this site. */
const ownAddress =
  /(?:\burl|originalUrl|\.URL(?:\.(?:Path|RawPath|RawQuery))?|RequestURI|getRequestURI|getRequestURL|getPathInfo|getQueryString|REQUEST_URI|QUERY_STRING|PATH_INFO|PHP_SELF|\.path|full_path|path_info|get_full_path|build_absolute_uri|fullpath|original_url|RawUrl|\.Url|\.Path|QueryString|Get(?:Display|Encoded)Url|location\.(?:href|pathname)|\burl\.pathname|(?:\breq|\brequest|nextUrl)\.(?:url\.)?search|document\.URL|nextUrl)(?:\(\)|["']\])?(?:\.0)?$/
/** One value of a query string, whatever it is called: `Request.QueryString["url"]`. */
const ofQuery = /QueryString\W+\w/
/** Where the sender states its own origin, which no page of another site can set in a browser. */
const sender =
  /^(?!.*(?:getParameter|\bparams|\bquery|\bargs|\$_(?:GET|POST|REQUEST))).*refer+er|(?:^|\.)headers$|headers?\W+(?:x-)?(?:host|forwarded|origin)|HTTP_(?:HOST|ORIGIN|X_)|SERVER_NAME|\.(?:get|header)\(["'](?:x-forwarded-)?(?:host|origin|referr?er)["']|get[A-Z]\w*Host|getServerName|get_host|build_absolute_uri\(|\.META$|(?:^|\.)(?:r|req|request|ctx|location|nextUrl)\.(?:url\.)?host(?:name|_with_port)?(?:\(\))?$/i

export const openRedirect: MatchFlow<RuleId> = (flow) => {
  const text = flow.text.replace(/^\s*(?:location:|redirect:)\s*/i, "")
  const part = urlPartAt(text, flow.hole)
  if (part !== "all" && part !== "host" && part !== "tail") return null
  const isOwn = ownAddress.test(flow.type) && ownAddress.test(flow.name) && !ofQuery.test(flow.name)
  if (isOwn || sender.test(flow.name)) return null
  const message =
    flow.label === NAVIGATION
      ? `Untrusted input \`${flow.name}\` determines the URL that \`${flow.callee}\` opens; \`javascript:\` URLs run code.`
      : `Untrusted input \`${flow.name}\` determines the site that ${flow.callee === "return" ? "the response" : `\`${flow.callee}\``} redirects the user to.`
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "open_redirect", message }
}
