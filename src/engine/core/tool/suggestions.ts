import type { AuditTool, Match, RuleSet } from "./AuditTool.ts"

/** The tools without their suggestions; a tool that has nothing else is left out. */
export const withoutSuggestions = (tools: ReadonlyArray<AuditTool>): ReadonlyArray<AuditTool> =>
  tools.flatMap((tool) => {
    const all = Object.entries(tool.rules)
    const kept = all.filter(([, rule]) => (rule.kind ?? tool.kind) !== "suggestion")
    if (kept.length === all.length) return [tool]
    return kept.length === 0 ? [] : [restrictedTo(tool, Object.fromEntries(kept))]
  })

const restrictedTo = (tool: AuditTool, rules: RuleSet): AuditTool => {
  // An id of no rule at all passes, so that it is reported as the mistake it is.
  const isReported = ({ rule }: Match) => Object.hasOwn(rules, rule) || !Object.hasOwn(tool.rules, rule)
  const { inspect, finish } = tool
  return {
    ...tool,
    rules,
    ...(inspect === undefined
      ? {}
      : { inspect: (file, emit) => inspect(file, (match) => isReported(match) && emit(match)) }),
    ...(finish === undefined
      ? {}
      : {
          finish: (summaries, project, emit) =>
            finish(summaries, project, (path, match) => {
              if (isReported(match)) emit(path, match)
            })
        })
  }
}
