import { gitRecords } from "../../core/source/readGit.ts"
import type { Commit } from "../Survey.ts"

const MAX_COMMITS = 3_000
const MAX_CHANGES = 300

const header = /^\n?\x01([\da-f]{40,64}) (\d{1,12}) ([^\x02]*)\x02([\s\S]*)$/

type Status = "A" | "M" | "D"

const statusOf = (letter: string): Status | null =>
  letter === "A" || letter === "D" ? letter : letter === "" ? null : "M"

const addChange = (changes: Array<Commit["changes"][number]> | undefined, change: Commit["changes"][number]): void => {
  if (changes !== undefined && changes.length < MAX_CHANGES) changes.push(change)
}

/** The newest commits up to one, merges left out. Empty when git cannot say: a history may be cut off. */
export const readHistory = async (gitDir: string, commit: string): Promise<ReadonlyArray<Commit>> => {
  const commits: Array<Commit & { readonly changes: Array<Commit["changes"][number]> }> = []
  const options = [
    "log",
    "-z",
    "--no-renames",
    "--no-merges",
    "--name-status",
    "--no-ext-diff",
    "--no-textconv",
    "--no-show-signature"
  ]
  let status: Status | null = null
  try {
    for await (const record of gitRecords({ gitDir }, [
      ...options,
      "-n",
      String(MAX_COMMITS),
      "--format=tformat:%x01%H %ct %ae%x02%s",
      commit,
      "--"
    ])) {
      const text = record.toString("utf8")
      const match = header.exec(text)
      if (match !== null) {
        commits.push({ id: match[1]!, at: Number(match[2]), author: match[3]!, subject: match[4]!, changes: [] })
        status = null
      } else if (status !== null) {
        addChange(commits.at(-1)?.changes, { status, path: text })
        status = null
      } else {
        status = statusOf(text.trim().slice(0, 1))
      }
    }
  } catch {
    return []
  }
  return commits
}

const DAY = 86_400

/** How alive the repository was up to its commit: computed from commits alone, so it is the same at any time. */
export const activityOf = (commits: ReadonlyArray<Commit>): Readonly<Record<string, unknown>> | null => {
  const [newest] = commits
  if (newest === undefined || commits.length < 2) return null
  const since = (days: number) => commits.filter(({ at }) => at > newest.at - days * DAY)
  const recent = since(90)
  const churn = new Map<string, number>()
  for (const { changes } of since(365)) for (const { path } of changes) churn.set(path, (churn.get(path) ?? 0) + 1)
  return {
    last_commit_at: new Date(newest.at * 1_000).toISOString(),
    commits_read: commits.length,
    history_is_complete: commits.length < MAX_COMMITS,
    commits_in_90_days_before: recent.length,
    authors_in_90_days_before: new Set(recent.map(({ author }) => author)).size,
    most_changed_in_a_year: [...churn]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, 10)
      .map(([file_path, changes]) => ({ file_path, changes }))
  }
}
