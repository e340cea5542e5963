import type { AuditTool, Hit } from "./AuditTool.ts"

/** The tools without what they suggest; a tool that does nothing else is left out. */
export const withoutSuggestions = (tools: ReadonlyArray<AuditTool>): ReadonlyArray<AuditTool> =>
  tools.flatMap((tool) => {
    const rules = tool.rules.filter((rule) => (rule.kind ?? tool.kind) !== "suggestion")
    if (rules.length === tool.rules.length) return [tool]
    return rules.length === 0 ? [] : [quieted(tool, rules)]
  })

const quieted = (tool: AuditTool, rules: AuditTool["rules"]): AuditTool => {
  const told = new Set(rules.map(({ id }) => id))
  const all = new Set(tool.rules.map(({ id }) => id))
  // A rule that nobody knows goes through, to be complained of as usual.
  const isTold = ({ rule }: Hit) => told.has(rule) || !all.has(rule)
  const { inspect, conclude } = tool
  return {
    ...tool,
    rules,
    ...(inspect === undefined ? {} : { inspect: (file, emit) => inspect(file, (hit) => isTold(hit) && emit(hit)) }),
    ...(conclude === undefined
      ? {}
      : {
          conclude: (facts, project, emit) =>
            conclude(facts, project, (path, hit) => {
              if (isTold(hit)) emit(path, hit)
            })
        })
  }
}
