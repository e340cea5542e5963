import { isFromStranger } from "../../dataflow/models/trust.ts"
import { identifiersOf, rangeOf } from "../../dataflow/report.ts"
import type { MatchFlow } from "../../dataflow/values/untrusted.ts"
import { SESSION } from "../../dataflow/values/Value.ts"
import type { RuleId } from "./rules.ts"

/** Objects are printed with their line breaks escaped; the request's own path and address have none. */
const withoutBreaks =
  /(?:\.(?:body|query|params|headers|cookies|form|args|files|json|url|originalUrl|path|full_path|base_url|host|method|remote_addr|URL(?:\.(?:Path|RawQuery))?|RequestURI|Host|Header|Form)|\$_[A-Z]+|get(?:RequestURI|RequestURL|QueryString|ServletPath|ServerName|RemoteUser|Cookies|Parts?|Header|Headers|HeaderNames|InputStream|Reader)\([^()]*\)|[hH]eaders?\b.*|\$_SERVER.*|[cC]ookies?\b.*)$/

/** Untrusted input that becomes part of a log or of a session. */
export const untrustedRecord: MatchFlow<RuleId> = (flow) => {
  if (!isFromStranger(flow.source)) return null
  const at = { ...rangeOf(flow), identifiers: identifiersOf(flow) }
  if (flow.kind === SESSION) {
    const message = `Untrusted input \`${flow.name}\` is stored in the session by \`${flow.callee}\`, whose attributes other code trusts.`
    const checks = [{ looked_for: "a check of the value between the request and the session", found: false }]
    return { ...at, rule: "trust_boundary", message, checks }
  }
  if (withoutBreaks.test(flow.name)) return null
  const message = `Untrusted input \`${flow.name}\` is written by \`${flow.callee}\`; a line break in it begins an entry of its own.`
  const checks = [{ looked_for: "a call that removes or escapes line breaks", found: false }]
  return { ...at, rule: "log_injection", message, checks }
}
