import { ParserCrashed } from "../../languages/tree/Parser.ts"
import type { Range } from "../../languages/tree/Range.ts"
import { fixableRules, loadFixer } from "../../rules/fixers.ts"
import type { SourceFile } from "../files/SourceFile.ts"
import { groupKeyOf } from "../scan/groupKey.ts"
import type { LocatedFinding, ToolMatch } from "../scan/LocatedFinding.ts"
import { editedText } from "./applyEdits.ts"
import { combine } from "./combine.ts"
import type { Fixer, FixProject } from "./Fixer.ts"
import { redactedTextDiff } from "./redactedDiff.ts"

const MAX_DIFF_BYTES = 16_000
/** Of one rule in one file: an audit reports as many. */
const MAX_DIFFS_PER_RULE = 20

/** One file at a time: fixers that read more are not run here. */
const noProject: FixProject = { has: () => false, manifest: () => null }

interface Inspected {
  readonly file: SourceFile
  readonly matches: ReadonlyArray<ToolMatch>
  readonly secrets: ReadonlyArray<Range>
}

/** Findings with what their rule's fixer would change, on the first of those that are one finding. */
export const withSuggestedDiffs = async (
  located: ReadonlyArray<LocatedFinding>,
  inspected: Inspected
): Promise<ReadonlyArray<LocatedFinding>> => {
  const fixable = located.filter(({ rule_id }) => fixableRules.has(rule_id))
  if (fixable.length === 0) return located
  const diffs = new Map<LocatedFinding, string>()
  for (const rule of new Set(fixable.map(({ rule_id }) => rule_id))) {
    const fixer = await loadFixer(rule)
    if (fixer === null || fixer.readsProject === true) continue
    for (const group of groupsOf(fixable.filter(({ rule_id }) => rule_id === rule)).slice(0, MAX_DIFFS_PER_RULE)) {
      const diff = diffOf(fixer, group, inspected)
      if (diff !== null) diffs.set(group[0]!, diff)
    }
  }
  return located.map((finding) => ({ ...finding, suggested_diff: diffs.get(finding) ?? null }))
}

const groupsOf = (findings: ReadonlyArray<LocatedFinding>): ReadonlyArray<ReadonlyArray<LocatedFinding>> => {
  const groups = new Map<string, Array<LocatedFinding>>()
  for (const finding of findings) {
    const key = groupKeyOf(finding)
    groups.set(key, [...(groups.get(key) ?? []), finding])
  }
  return [...groups.values()]
}

/** A suggestion is no reason for a file's findings to be lost: a fixer that fails suggests nothing. */
const diffOf = (fixer: Fixer, group: ReadonlyArray<LocatedFinding>, inspected: Inspected): string | null => {
  const { file, matches, secrets } = inspected
  const sites = group.flatMap(({ start, end }) => {
    const found = matches.find(
      ({ tool, match }) =>
        tool === fixer.tool && match.rule === fixer.rule && match.start === start && match.end === end
    )
    return found === undefined ? [] : [{ file, match: found.match, project: noProject }]
  })
  try {
    const combined = combine(fixer, sites)
    if ("declined" in combined || combined.deferred.length > 0) return null
    const diff = redactedTextDiff(file.path, file.text, editedText(file.text, combined.edits), secrets)
    return Buffer.byteLength(diff) <= MAX_DIFF_BYTES ? diff : null
  } catch (error) {
    if (error instanceof ParserCrashed) throw error
    return null
  }
}
