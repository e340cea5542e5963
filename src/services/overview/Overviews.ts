import { Clock, DateTime, Effect } from "effect"
import type { AuditFreshness, OpenObservations, RepositoryOverview, WorkspaceOverview } from "../../schema/Overview.ts"
import type { RepositoryPath } from "../../schema/Repository.ts"
import { Caller, holds } from "../access/Caller.ts"
import { MissionReads } from "../missions/MissionReads.ts"
import { Projects } from "../projects/Projects.ts"
import { Repositories } from "../repositories/Repositories.ts"
import { benchmarkOf } from "./benchmark.ts"
import { type OpenCount, OverviewsRepo } from "./OverviewsRepo.ts"
import { Scores } from "./Scores.ts"

const dayMillis = 24 * 60 * 60 * 1000

/** How a repository, or the whole workspace, stands. */
export class Overviews extends Effect.Service<Overviews>()("Overviews", {
  effect: Effect.gen(function* () {
    const repo = yield* OverviewsRepo
    const repositories = yield* Repositories
    const projects = yield* Projects
    const missions = yield* MissionReads
    const scores = yield* Scores

    const ofRepository = Effect.fn("Overviews.ofRepository")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const where = { workspace_id, repository_id: repository.id }
      const { lines, coverage, previous } = yield* scores.baseline(repository.id)
      const { last_audit_sha } = yield* repo.lastAudit(where)
      return {
        github_org: repository.github_org,
        github_repo: repository.github_repo,
        github_base_branch: repository.github_base_branch,
        repo_name: repository.repo_name,
        display_name: repository.display_name,
        description: repository.description,
        head_sha: repository.head_sha,
        last_audit_at: repository.last_audit_at,
        last_audit_sha,
        last_discovery_at: repository.last_discovery_at,
        lines,
        open: openOf(yield* repo.openCounts(where)),
        open_fix_prs: yield* repo.openFixPrs({ ...where, limit: 5 }),
        ...(yield* repo.activity(where)),
        benchmark: benchmarkOf(yield* repo.openGroups(where), coverage, previous)
      } satisfies RepositoryOverview
    })

    const ofWorkspace = Effect.fn("Overviews.ofWorkspace")(function* () {
      const { workspace_id, permissions } = yield* Caller
      const since = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 7 }))
      const { name, repositories, never_audited, pending, running, failed, open_fix_prs, proposed } =
        yield* repo.workspace({ workspace_id, since, hiddenLevels: yield* projects.hiddenLevels() })
      return {
        name,
        repositories,
        never_audited,
        open: openOf(yield* repo.openCounts({ workspace_id, repository_id: null })),
        jobs: { pending, running, failed_last_week: failed },
        open_fix_prs,
        proposed_context_entries: proposed,
        missions_waiting_on_me: holds(permissions, "view_jobs") ? yield* missions.countWaitingOnMe() : 0,
        worst: yield* repo.worst({ workspace_id, limit: 10 })
      } satisfies WorkspaceOverview
    })

    /** Asks the remote, for some seconds, which commit is the newest. */
    const freshness = Effect.fn("Overviews.freshness")(function* (path: RepositoryPath) {
      const { workspace_id } = yield* Caller
      const repository = yield* repositories.find(path)
      const { head_sha, verified } = yield* repositories.verifyHead(repository)
      const audit = yield* repo.lastAudit({ workspace_id, repository_id: repository.id })
      const { last_audit_at, repo_name } = repository
      const age = last_audit_at === null ? null : (yield* Clock.currentTimeMillis) - Date.parse(last_audit_at)
      const found = {
        repo_name,
        head_sha,
        head_verified: verified,
        last_audit_sha: audit.last_audit_sha,
        last_audit_at,
        age_days: age === null ? null : Math.round((age / dayMillis) * 10) / 10,
        is_current: isCurrent(head_sha, audit.last_audit_sha, verified),
        active_audit_job_id: audit.active_audit_job_id
      }
      return { ...found, advice: adviceOn(found) } satisfies AuditFreshness
    })

    return { ofRepository, ofWorkspace, freshness }
  })
}) {}

const openOf = (rows: ReadonlyArray<OpenCount>): OpenObservations => {
  const sum = (matches: (row: OpenCount) => boolean) =>
    rows.reduce((total, row) => total + (matches(row) ? row.count : 0), 0)
  const by =
    <K extends "priority" | "kind" | "domain">(key: K) =>
    (value: OpenCount[K]) =>
      sum((row) => row[key] === value)
  const [priority, kind, domain] = [by("priority"), by("kind"), by("domain")]
  return {
    total: sum(() => true),
    by_priority: { P0: priority("P0"), P1: priority("P1"), P2: priority("P2"), P3: priority("P3") },
    by_kind: { finding: kind("finding"), suggestion: kind("suggestion"), advisory: kind("advisory") },
    by_domain: {
      security: domain("security"),
      code_quality: domain("code_quality"),
      reliability: domain("reliability"),
      data_apis: domain("data_apis"),
      testing: domain("testing"),
      devops: domain("devops"),
      ux: domain("ux")
    }
  }
}

const isCurrent = (head: string | null, audited: string | null, verified: boolean): boolean | null => {
  if (audited === null || (head !== null && head !== audited)) return false
  return verified ? true : null
}

const adviceOn = (found: Omit<AuditFreshness, "advice">): string => {
  if (found.active_audit_job_id !== null) return "An audit is queued or runs already; wait for it."
  if (found.last_audit_sha === null) return "It was never audited; submit an audit."
  if (found.is_current === false) return "There are commits that no audit has seen; submit an audit."
  return found.is_current === null
    ? "The remote did not answer, so newer commits are not ruled out."
    : "The newest commit was audited."
}
