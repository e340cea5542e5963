import { auditTool } from "../../core/tool/AuditTool.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { CONNECTION } from "../../dataflow/models/labels.ts"
import { isFromStranger } from "../../dataflow/models/trust.ts"
import { identifiersOf, isChosenWhole, rangeOf } from "../../dataflow/report.ts"
import { type MatchFlow, untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { urlPartAt } from "../../dataflow/values/urlText.ts"
import { URL } from "../../dataflow/values/Value.ts"
import { type RuleId, rules } from "./rules.ts"

/** Values that begin with a slash, so that they cannot change a host name before them. */
const isPath =
  /(?:\burl|originalUrl|\.URL\.(?:Path|RawPath|RawQuery)|RequestURI|getRequestURI|getPathInfo|getQueryString|REQUEST_URI|QUERY_STRING|PATH_INFO|PHP_SELF|\.path|full_path|path_info|get_full_path\(\))(?:\(\))?$/

/** PHP opens files and URLs alike; only what is named or written like a URL is reported here. */
const opensBoth = /^\\?(?:file_get_contents|fopen|readfile|copy|getimagesize|simplexml_load_file)$/
const addressName = /(?:url|uri|link|href|feed|host|domain|endpoint|webhook|callback)\W*$/i

const untrusted: MatchFlow<RuleId> = (flow) => {
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (!isFromStranger(flow.source) && isChosenWhole(flow)) return null
  if (flow.label === CONNECTION) {
    if (!/^(?:\w+:\/\/)?\u0000/.test(flow.text)) return null
    const message = `Untrusted input \`${flow.name}\` determines the host that \`${flow.callee}\` connects to.`
    return { ...at, rule: "untrusted_host", message }
  }
  const part = urlPartAt(flow.text, flow.hole)
  if (part === "path" || part === "unknown") return null
  if (part !== "host" && isPath.test(flow.type) && !flow.isCut) return null
  if (opensBoth.test(flow.callee) && !/^https?:/i.test(flow.text) && !addressName.test(flow.name)) return null
  const message =
    part === "all"
      ? `Untrusted input \`${flow.name}\` is the URL that \`${flow.callee}\` sends a request to.`
      : part === "host"
        ? `Untrusted input \`${flow.name}\` determines the host that \`${flow.callee}\` sends a request to.`
        : `Untrusted input \`${flow.name}\` follows the host name without a slash, so it can change the host that ` +
          `\`${flow.callee}\` sends a request to.`
  return { ...at, rule: "untrusted_url", message }
}

const exported: MatchFlow<RuleId> = (flow) => {
  const part = flow.label === CONNECTION ? "all" : urlPartAt(flow.text, flow.hole)
  if (part !== "host" && part !== "tail") return null
  const message = `\`${flow.name}\`, a parameter of an exported function, is part of the host that \`${flow.callee}\` sends a request to.`
  return { ...rangeOf(flow), identifiers: identifiersOf(flow), rule: "exported_url", message }
}

export default auditTool({
  id: "server_side_request_forgery",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 5,
  rules,
  appliesTo: ({ language, role }) => role === "source" && taintLanguageOf(language) !== null,
  ...untrustedFlows(URL, untrusted, { exported })
})
