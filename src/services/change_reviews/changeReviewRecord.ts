import type { ChangeReview, ChangeReviewReadiness, Readiness } from "../../schema/ChangeReview.ts"
import { sha256Hex } from "../support/ids.ts"
import type { BranchRow, CriterionRow, ReviewRow, VerdictsRow } from "./ChangeReviewsRepo.ts"

type Branch = Pick<BranchRow, "repository_id" | "branch">
type Commits = Pick<BranchRow, "base_sha" | "head_sha">

/** Equal for the same branches in any order. */
export const branchesHash = (branches: ReadonlyArray<Branch>): string =>
  sha256Hex(JSON.stringify(branches.map(({ repository_id, branch }) => `${repository_id} ${branch}`).sort()))

/** Equal while no branch has another commit: a verdict holds as long. */
export const commitsHash = (branches: ReadonlyArray<Branch & Commits>): string =>
  sha256Hex(
    JSON.stringify(
      branches
        .map(({ repository_id, branch, base_sha, head_sha }) => [repository_id, branch, base_sha, head_sha].join(" "))
        .sort()
    )
  )

const isBehind = ({ head_sha, latest_sha }: Pick<BranchRow, "head_sha" | "latest_sha">): boolean =>
  head_sha !== null && latest_sha !== null && latest_sha !== head_sha

export const isStale = ({ branches }: Pick<VerdictsRow, "branches">): boolean => branches.some(isBehind)

export const isRunning = ({ job_status }: Pick<VerdictsRow, "job_status">): boolean =>
  job_status === "pending" || job_status === "running"

const countOf = (criteria: VerdictsRow["criteria"], verdict: CriterionRow["verdict"]): number =>
  criteria.filter((one) => one.verdict === verdict).length

export const readinessOf = (row: Omit<VerdictsRow, "name">): Readiness => {
  if (isRunning(row)) return "running"
  if (row.criteria.some(({ verdict }) => verdict === "not_met")) return "not_ready"
  const isComplete = row.branches.length > 0 && row.criteria.length > 0
  return isComplete && !isStale(row) && row.criteria.every(({ verdict }) => verdict === "met")
    ? "ready"
    : "needs_attention"
}

export const recordOf = (row: ReviewRow): ChangeReview => {
  const { name, title, job_id, created_by, created_at, updated_at } = row
  return {
    name,
    title,
    readiness: readinessOf(row),
    branches: row.branches.map(({ id: _, repository_id: __, checked_at: ___, ...branch }) => branch),
    criteria: row.criteria.map(({ decided_for: _, ...criterion }) => criterion),
    stale: isStale(row),
    job_id,
    created_by,
    created_at,
    updated_at
  }
}

export const readinessRowOf = (row: VerdictsRow): ChangeReviewReadiness => ({
  name: row.name,
  readiness: readinessOf(row),
  met: countOf(row.criteria, "met"),
  not_met: countOf(row.criteria, "not_met"),
  cannot_tell: countOf(row.criteria, "cannot_tell")
})
