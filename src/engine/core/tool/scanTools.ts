import type { AuditTool, ToolDescription } from "./AuditTool.ts"

/** The tools of a scan. */
export interface ScanTools {
  /** All of its suite: what the configuration names, and which languages have rules, is known by these. */
  readonly suite: ReadonlyArray<AuditTool>
  /** Those of them that run, in the same order. */
  readonly running: ReadonlyArray<AuditTool>
}

const isNamed = ({ id, rules }: ToolDescription, names: ReadonlySet<string>): boolean =>
  names.has(id) || Object.keys(rules).some((rule) => names.has(`${id}.${rule}`))

const preferredBy = ({ rules }: ToolDescription): ReadonlyArray<string> =>
  Object.values(rules).flatMap(({ yieldsTo }) => yieldsTo ?? [])

/**
 * What has to run so that the rules of these names report what they report beside all others: their tools, those that they leave
 * lines to, and those that find what no output may show.
 */
export const scanTools = (suite: ReadonlyArray<AuditTool>, names: ReadonlyArray<string> | null): ScanTools => {
  if (names === null) return { suite, running: suite }
  let chosen = new Set(names)
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size
    chosen = new Set([...chosen, ...suite.filter((tool) => isNamed(tool, chosen)).flatMap(preferredBy)])
  }
  return { suite, running: suite.filter((tool) => tool.redacts === true || isNamed(tool, chosen)) }
}
