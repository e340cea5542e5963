import type { SourceFile } from "../../core/files/SourceFile.ts"
import { auditTool, type Emit, type FileSummary, ruleLanguageOf } from "../../core/tool/AuditTool.ts"
import { type FlowFacts, flowFacts } from "../../dataflow/facts.ts"
import { taintLanguageOf } from "../../dataflow/languages/languages.ts"
import { untrustedFlows } from "../../dataflow/values/untrusted.ts"
import { HTML } from "../../dataflow/values/Value.ts"
import { markupFromCaller, sendsNoHtml, untrustedHtml } from "./flows.ts"
import { autoescapeOff, mentionsAutoescape, mentionsProp, unescapedProps } from "./markup.ts"
import { isAllOtherContent, ofHtml } from "./otherContent.ts"
import { type RuleId, rules } from "./rules.ts"
import { isTemplate, rawOutputs } from "./templates.ts"
import { reportingRendered } from "./unrendered.ts"
import { viewLocals } from "./viewLocals.ts"
import { joinViews, type ViewFacts } from "./views.ts"

const flows = untrustedFlows(HTML, untrustedHtml, { parameters: markupFromCaller })

interface ViewsAndFlows extends ViewFacts {
  readonly flows?: FlowFacts
}

/** Of a file without views, the very facts that other tools return of it: they are kept and parsed once for all. */
type Facts = FlowFacts | ViewsAndFlows

const isFlows = (facts: Facts): facts is FlowFacts => "functions" in facts

const withFlows = (summaries: ReadonlyArray<FileSummary<Facts>>): ReadonlyArray<FileSummary<FlowFacts>> => {
  const areFlows = (all: ReadonlyArray<FileSummary<Facts>>): all is ReadonlyArray<FileSummary<FlowFacts>> =>
    all.every(({ facts }) => isFlows(facts))
  if (areFlows(summaries)) return summaries
  return summaries.flatMap(({ path, facts }) => {
    const flows = isFlows(facts) ? facts : facts.flows
    return flows === undefined ? [] : [{ path, facts: flows }]
  })
}

const flowsOf = (file: SourceFile, emit: Emit<RuleId>): FlowFacts | undefined => {
  const language = ruleLanguageOf(file.language)
  if (language === "javascript" && mentionsProp.test(file.text) && file.tree !== null) unescapedProps(file, emit)
  if (
    (language === "javascript" || language === "python") &&
    mentionsAutoescape.test(file.text) &&
    file.tree !== null
  ) {
    autoescapeOff(file, emit)
  }
  if (language === "javascript" || !sendsNoHtml(file.text)) return flows.inspect(file, reportingRendered(file, emit))
  return isAllOtherContent(file) ? flowFacts(file) : flows.inspect(file, reportingRendered(file, ofHtml(file, emit)))
}

const viewFactsOf = (file: SourceFile): ViewFacts => {
  const outputs = isTemplate(file.path) ? rawOutputs(file) : []
  const locals = taintLanguageOf(file.language) === null ? [] : viewLocals(file)
  return { ...(outputs.length > 0 ? { outputs } : {}), ...(locals.length > 0 ? { locals } : {}) }
}

export default auditTool<Facts, RuleId>({
  id: "cross_site_scripting",
  suite: "standard",
  kind: "finding",
  domain: "security",
  category: "security",
  priority: "P1",
  version: 6,
  rules,
  appliesTo: ({ path, language, role }) =>
    role === "source" && (taintLanguageOf(language) !== null || isTemplate(path)),
  inspect: (file, emit) => {
    const found = taintLanguageOf(file.language) === null ? undefined : flowsOf(file, emit)
    const views = viewFactsOf(file)
    return Object.keys(views).length === 0 ? found : { ...views, ...(found === undefined ? {} : { flows: found }) }
  },
  finish: (summaries, project, emit) => {
    flows.finish(withFlows(summaries), project, emit)
    joinViews(
      summaries.flatMap(({ path, facts }) => (isFlows(facts) ? [] : [{ path, facts }])),
      emit
    )
  }
})
