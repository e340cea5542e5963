import { type Match } from "../../core/tool/AuditTool.ts"
import { identifiersOf, rangeOf, type Told } from "../../dataflow/report.ts"
import { NAVIGATION } from "../../dataflow/sinks/redirectSinks.ts"
import { urlPartAt } from "../../dataflow/values/urlText.ts"
import type { RuleId } from "./rules.ts"

/** Where the request itself went, which is a path of this site, or where its sender says to come from. */
const ownAddress =
  /(?:\burl|originalUrl|\.URL(?:\.(?:Path|RawPath|RawQuery))?|RequestURI|getRequestURI|getRequestURL|getPathInfo|getQueryString|REQUEST_URI|QUERY_STRING|PATH_INFO|PHP_SELF|\.path|full_path|path_info|get_full_path|build_absolute_uri|fullpath|original_url|RawUrl|\.Url|\.Path|QueryString|Get(?:Display|Encoded)Url|location\.href|document\.URL|nextUrl)(?:\(\))?$/
const sender =
  /refer+er|headers?\W+(?:x-)?(?:host|forwarded|origin)|HTTP_(?:HOST|ORIGIN|X_)|get[A-Z]\w*Host|get_host|\.META$/i

export const tellRedirect = (flow: Told): Omit<Match<RuleId>, "steps"> | null => {
  const text = flow.text.replace(/^\s*(?:location:|redirect:)\s*/i, "")
  const part = urlPartAt(text, flow.hole)
  if (part !== "all" && part !== "host" && part !== "tail") return null
  const isOwn = ownAddress.test(flow.type) && ownAddress.test(flow.name)
  if (isOwn || sender.test(flow.name)) return null
  const message =
    flow.label === NAVIGATION
      ? `Untrusted input \`${flow.name}\` decides where \`${flow.callee}\` leads; \`javascript:\` runs code.`
      : `Untrusted input \`${flow.name}\` decides which site ${flow.callee === "return" ? "the answer" : `\`${flow.callee}\``} sends the user to.`
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "open_redirect", message }
}
