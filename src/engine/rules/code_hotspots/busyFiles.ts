import { baseName } from "../../core/text/paths.ts"
import type { EmitAt } from "../../core/tool/AuditTool.ts"
import type { ChangeHistory } from "../../core/tool/ChangeHistory.ts"
import { activeAuthors, type Churn } from "../../structure/churn.ts"
import type { KnownFile } from "./KnownFile.ts"
import type { RuleId } from "./rules.ts"

const MAX_REPORTED = 5
const MIN_CHANGES = 10
const MIN_COMPLEXITY = 50
const MIN_AUTHORS = 3
const MIN_COMMITS_OF_AUTHOR = 5
const MIN_SHARE = 0.9

interface Weighed {
  readonly file: KnownFile
  readonly churn: Churn
  readonly weight: number
}

const heaviest = (files: ReadonlyArray<KnownFile>, churn: ReadonlyMap<string, Churn>): ReadonlyArray<Weighed> =>
  files
    .flatMap((file): ReadonlyArray<Weighed> => {
      const known = churn.get(file.path)
      if (known === undefined || known.commits < MIN_CHANGES || file.complexity.total < MIN_COMPLEXITY) return []
      return [{ file, churn: known, weight: known.commits * file.complexity.total }]
    })
    .sort((a, b) => b.weight - a.weight || (a.file.path < b.file.path ? -1 : 1))

/** The hardest function, as the place; what is at fault is the file. */
const headOf = ({ path, complexity: { start, end, name } }: KnownFile) => ({
  noun: baseName(path),
  start,
  end,
  identifiers: /^\w+$/.test(name) ? [name] : []
})

const partOf = ({ complexity: { name, hardest } }: KnownFile): string =>
  name === "" ? "" : `, ${hardest} of it in \`${name}\``

export const reportHotspots = (
  files: ReadonlyArray<KnownFile>,
  churn: ReadonlyMap<string, Churn>,
  history: ChangeHistory,
  emit: EmitAt<RuleId>
): void => {
  for (const [rank, { file, churn: changes }] of heaviest(files, churn).slice(0, MAX_REPORTED).entries()) {
    const { commits, lines, byAuthor } = changes
    const people = byAuthor.size === 1 ? "one author" : `${byAuthor.size} authors`
    emit(file.path, {
      ...headOf(file),
      rule: "hotspot",
      message:
        `\`${baseName(file.path)}\` was changed in ${commits} of the last ${history.commits.length} commits (${lines} lines, ` +
        `${people}) and has a cognitive complexity of ${file.complexity.total}${partOf(file)}: number ${rank + 1} of ` +
        "this repository by change frequency times complexity."
    })
  }
}

const ownerShare = ({ byAuthor, lines }: Churn): number =>
  lines === 0 ? 0 : [...byAuthor.values()].reduce((most, count) => Math.max(most, count), 0) / lines

export const reportOwners = (
  files: ReadonlyArray<KnownFile>,
  churn: ReadonlyMap<string, Churn>,
  history: ChangeHistory,
  emit: EmitAt<RuleId>
): void => {
  const authors = activeAuthors(history, MIN_COMMITS_OF_AUTHOR)
  if (authors < MIN_AUTHORS) return
  const owned = heaviest(files, churn).filter(({ churn: changes }) => ownerShare(changes) >= MIN_SHARE)
  for (const { file, churn: changes } of owned.slice(0, MAX_REPORTED)) {
    emit(file.path, {
      ...headOf(file),
      rule: "single_owner",
      message:
        `${Math.floor(ownerShare(changes) * 100)} % of the ${changes.lines} lines changed in \`${baseName(file.path)}\` ` +
        `(${changes.commits} commits, cognitive complexity ${file.complexity.total}) are by one author, while ` +
        `${authors} people work on this repository.`
    })
  }
}
