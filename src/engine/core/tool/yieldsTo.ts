import { type AuditTool, type Match, ruleOf } from "./AuditTool.ts"

interface OfTool {
  readonly tool: string
  readonly match: Match
}

const idOf = ({ tool, match }: OfTool): string => `${tool}.${match.rule}`

/** Matches of one file without those of a rule that leaves their line to another rule, which matches there. */
export const withoutYielding = <A extends OfTool>(
  tools: ReadonlyArray<AuditTool>,
  matches: ReadonlyArray<A>,
  lineOf: (offset: number) => number
): ReadonlyArray<A> => {
  const toolOf = new Map(tools.map((tool) => [tool.id, tool]))
  const preferredOf = ({ tool, match }: A) => ruleOf(toolOf.get(tool)!, match.rule).yieldsTo ?? []
  if (matches.every((match) => preferredOf(match).length === 0)) return matches
  const found = new Set(matches.map((one) => `${idOf(one)} ${lineOf(one.match.start)}`))
  return matches.filter((one) => !preferredOf(one).some((id) => found.has(`${id} ${lineOf(one.match.start)}`)))
}
