import { auditTool, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { HTML } from "../../dataflow/values/Value.ts"
import { sendsNoHtml, untrustedHtml } from "./flows.ts"
import { autoescapeOff, mentionsAutoescape, mentionsProp, unescapedProps } from "./markup.ts"
import { rules } from "./rules.ts"
import { isTemplate, unescapedValues } from "./templates.ts"

const flows = untrustedFlows(HTML, untrustedHtml)

export default auditTool({
  id: "cross_site_scripting",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 2,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" && (taintLanguageOf(language) !== null || isTemplate(path)),
  inspect: (file, emit) => {
    if (isTemplate(file.path)) unescapedValues(file, emit)
    if (taintLanguageOf(file.language) === null) return undefined
    const language = ruleLanguageOf(file.language)
    if (language === "javascript" && mentionsProp.test(file.text) && file.tree !== null) unescapedProps(file, emit)
    if (
      (language === "javascript" || language === "python") &&
      mentionsAutoescape.test(file.text) &&
      file.tree !== null
    ) {
      autoescapeOff(file, emit)
    }
    const isOtherContent = language !== "javascript" && sendsNoHtml(file.text)
    return isOtherContent ? flowFacts(file) : flows.inspect(file, emit)
  },
  finish: flows.finish
})
