import type { ChangeHistory } from "../core/tool/ChangeHistory.ts"

export interface Churn {
  readonly commits: number
  /** Added and removed. */
  readonly lines: number
  /** Lines by author. */
  readonly byAuthor: ReadonlyMap<number, number>
}

/** How often, how much and by whom each file was changed. */
export const churnOf = (history: ChangeHistory): ReadonlyMap<string, Churn> => {
  const tallies = history.paths.map(() => ({ commits: 0, lines: 0, byAuthor: new Map<number, number>() }))
  for (const { author, changes } of history.commits) {
    for (const [path, lines] of changes) {
      const tally = tallies[path]!
      tally.commits++
      tally.lines += lines
      tally.byAuthor.set(author, (tally.byAuthor.get(author) ?? 0) + lines)
    }
  }
  return new Map(tallies.map((tally, path) => [history.paths[path]!, tally]))
}

/** Authors with at least so many commits. */
export const activeAuthors = (history: ChangeHistory, minCommits: number): number => {
  const commits = new Map<number, number>()
  for (const { author } of history.commits) commits.set(author, (commits.get(author) ?? 0) + 1)
  return [...commits.values()].filter((count) => count >= minCommits).length
}
