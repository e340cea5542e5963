import type { LocatedFinding } from "../scan/LocatedFinding.ts"
import type { SettingsWarning } from "../settings/RepositorySettings.ts"
import { meansRule } from "../settings/ruleNames.ts"
import { compareText } from "../text/compareText.ts"
import type { ToolDescription } from "../tool/AuditTool.ts"
import { faultOf, type IgnoreComment } from "./ignoreComments.ts"
import type { SilencedFinding } from "./Silenced.ts"

const MAX_LISTED = 1_000
const MAX_COMMENTS = 500

export interface StaleIgnore {
  readonly path: string
  readonly line: number
  readonly rules: ReadonlyArray<string>
  readonly reason: string
}

export interface SilenceSummary {
  readonly silenced: ReadonlyArray<SilencedFinding>
  readonly silenced_counts: Readonly<Record<string, number>>
  readonly stale_ignores: ReadonlyArray<StaleIgnore>
  readonly warnings: ReadonlyArray<SettingsWarning>
}

const silencedOf = ({ rule_id, file_path, line_start, silence }: LocatedFinding): ReadonlyArray<SilencedFinding> =>
  silence === undefined
    ? []
    : [{ rule: rule_id, path: file_path, line: line_start, by: silence.by, reason: silence.reason }]

const inOrder = (a: SilencedFinding, b: SilencedFinding): number =>
  compareText(a.path, b.path) || a.line - b.line || compareText(a.rule, b.rule)

/** What was not reported because a person decided so, and what of such decisions has no effect. */
export class SilenceReport {
  private readonly comments: Array<readonly [path: string, comment: IgnoreComment]> = []

  add(path: string, comments: ReadonlyArray<IgnoreComment>): void {
    for (const comment of comments) this.comments.push([path, comment])
  }

  summary(
    located: ReadonlyArray<LocatedFinding>,
    baseline: ReadonlyArray<SilencedFinding>,
    warnings: ReadonlyArray<SettingsWarning>,
    tools: ReadonlyArray<ToolDescription>
  ): SilenceSummary {
    const silenced = [...located.flatMap(silencedOf), ...baseline].sort(inOrder)
    const counts = new Map<string, number>()
    for (const { by } of silenced) counts.set(by, (counts.get(by) ?? 0) + 1)
    const comments = [...this.comments].sort(([a, one], [b, other]) => compareText(a, b) || one.line - other.line)
    return {
      silenced: silenced.slice(0, MAX_LISTED),
      silenced_counts: Object.fromEntries([...counts].sort(([a], [b]) => compareText(a, b))),
      stale_ignores: staleOf(comments, located, tools).slice(0, MAX_COMMENTS),
      warnings: [...warnings, ...comments.flatMap(warningOf)].slice(0, MAX_COMMENTS)
    }
  }
}

const warningOf = ([path, comment]: readonly [string, IgnoreComment]): ReadonlyArray<SettingsWarning> => {
  const fault = faultOf(comment)
  return fault === null ? [] : [{ path, line: comment.line, message: fault }]
}

/** Comments that silenced nothing although all that they name was looked for. */
const staleOf = (
  comments: ReadonlyArray<readonly [path: string, comment: IgnoreComment]>,
  located: ReadonlyArray<LocatedFinding>,
  tools: ReadonlyArray<ToolDescription>
): ReadonlyArray<StaleIgnore> => {
  const used = new Set(
    located.flatMap(({ file_path, silence }) => (silence?.by === "comment" ? [`${silence.line} ${file_path}`] : []))
  )
  const ids = tools.flatMap((tool) => Object.keys(tool.rules).map((rule) => `${tool.id}.${rule}`))
  const isLookedFor = (name: string) => ids.some((id) => meansRule(name, id))
  return comments.flatMap(([path, { line, rules, reason }]) => {
    if (reason === null || used.has(`${line} ${path}`) || !rules.every(isLookedFor)) return []
    return [{ path, line, rules, reason }]
  })
}
