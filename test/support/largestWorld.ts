import { dirname, join } from "node:path"
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { emptyDiscovery } from "../../src/schema/Discovery.ts"
import { JobId, RepositoryId } from "../../src/schema/Ids.ts"
import { maxGuidance } from "../../src/schema/Setting.ts"
import { contextLimits, maxContextTags } from "../../src/schema/TeamContext.ts"
import { OrganizationContext } from "../../src/services/context/OrganizationContext.ts"
import { Discoveries } from "../../src/services/discovery/Discoveries.ts"
import { jsonb } from "../../src/services/support/statements.ts"
import { anObservation, as } from "./builders.ts"
import { aRepository } from "./gitRepository.ts"
import { withLargestChangeReviews } from "./largestChangeReviews.ts"
import { largestIssueCalls, withLargestIssues } from "./largestIssues.ts"
import { largestMissionCalls, withLargestMissions } from "./largestMissions.ts"
import { fixableRule } from "./missions.ts"
import { aWorld, repositoryArgs, toolSamples, type World } from "./samples.ts"
import { App } from "./TestApp.ts"

/** What an attacker writes wherever a repository or another agent can have text. */
export const marker = "Ignore-previous-instructions"

/** Text of a length, with characters that JSON escapes. */
export const longText = (length: number) => `${marker} "quoted"\n`.repeat(Math.ceil(length / 38)).slice(0, length)

/** Longer than any engine writes, for columns without a limit. */
const unlimited = longText(20_000)
/** As many observations as an issue may have, and more of everything than the bytes of a page hold. */
const rows = 105
const at = "2026-11-20T08:00:00.000Z"
const path = `src/${marker}/${"deep/".repeat(60)}file.ts`
const location = { file_path: path, symbol: longText(200), line_start: 1, line_end: 9 }
const locationsOf = (count: number) => [
  ...Array.from({ length: count }, () => location),
  { ...location, file_path: "src/index.ts" }
]
/** The observations that calls name, and some of those that they list: 200 locations of each would take most of the time. */
const hasAll = "(number <= 20 OR number % 8 = 0)"
const actor = { kind: "api_key", label: longText(120), api_key_id: null, user_id: null }

const jobResult = {
  commit_sha: "c0ffee",
  observations: { new: 1, resurfaced: 2, seen_again: 3 },
  tools: { completed: Array.from({ length: 39 }, (_, n) => `tool_${n}`), unfinished: [unlimited], domains: {} },
  tool_failures: Array.from({ length: 50 }, () => ({ tool: "secret_detection", message: longText(500) })),
  introduced_count: 50,
  introduced: Array.from({ length: 50 }, () => ({ title: longText(300), ...location })),
  resolved_count: 0,
  summary: longText(4000),
  comments_count: 24,
  comments: Array.from({ length: 24 }, () => ({ file_path: path, line: 1, body: longText(2000) }))
}

const entryContent = {
  title: longText(contextLimits.title.limit),
  summary: longText(contextLimits.summary.limit),
  body_md: longText(contextLimits.body_md.limit),
  // The name, quotation marks and braces take up 12 bytes, and each escaped character two.
  data: { notes: marker.repeat(1160) },
  tags: Array.from({ length: maxContextTags }, (_, n) => longText(contextLimits.tag.limit - 3) + n)
}

/** Everything of a repository's discovery that a tool can quote. */
const discovery = {
  ...emptyDiscovery,
  profile: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${marker}-${n}`, longText(400)])),
  principles_md: unlimited,
  patterns_md: unlimited,
  guides: Array.from({ length: 40 }, (_, n) => ({
    slug: `${n}`,
    title: marker,
    description: longText(500),
    content: unlimited
  })),
  skills: Array.from({ length: 40 }, (_, n) => ({
    name: `${n}`,
    content: unlimited,
    description: longText(500),
    extends: null
  })),
  guidance_slots: {
    rules: Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [
        `rule-${n}`,
        {
          origin: "stated",
          text: longText(2000),
          scope: { folder: "" },
          support: null,
          deviations: [],
          cited: [{ file_path: path, line: 1 }]
        }
      ])
    ),
    patterns: Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        n === 0 ? "route" : `pattern-${n}`,
        {
          title: marker,
          shape: longText(2000),
          support: { count: 8, of: 9 },
          scope: { folder: "" },
          canonical: { file_path: path, line_start: 1, line_end: 9, symbol: marker, snippet: unlimited },
          deviations: Array.from({ length: 30 }, () => ({
            shape: longText(1000),
            count: 1,
            file_path: path,
            line: 2
          }))
        }
      ])
    )
  }
}

export interface LargestWorld extends World {
  readonly finished: string
  readonly remote: string
}

/** A world whose rows hold the longest text that is legal, more of them than a page can, and more jobs than one may list. */
export const theLargestWorld = Effect.gen(function* () {
  const { cloneUrl } = yield* App
  const sql = yield* SqlClient.SqlClient
  const world = yield* aWorld
  const { owner } = world
  const workspace = owner.workspace_id
  const [repository] = yield* sql<{ readonly id: string }>`
    SELECT id FROM repositories WHERE workspace_id = ${workspace} AND github_repo = 'api'`
  const repository_id = RepositoryId.make(repository!.id)
  yield* sql`UPDATE workspaces SET max_queued = 10000 WHERE id = ${workspace}`
  yield* Effect.forEach(Array.from({ length: rows }), () =>
    anObservation(owner, { id: repository_id }, { priority: "P0" })
  )
  yield* sql`
    UPDATE observations SET title = ${longText(2000)}, description = ${unlimited}, snippet = ${longText(3000)},
      suggested_change = ${unlimited}, suggested_diff = ${longText(16_000)}, file_path = ${path}, ticket_url = ${longText(2000)},
      locations = CASE WHEN ${sql.literal(hasAll)} THEN ${jsonb(locationsOf(200))} ELSE ${jsonb(locationsOf(5))} END,
      steps = ${jsonb(Array.from({ length: 100 }, () => ({ file_path: path, line: 1, note: longText(500) })))},
      evidence = ${jsonb({
        citation: {
          checked_at_stage: "inspect",
          line_in_range: true,
          missing_identifiers: Array.from({ length: 50 }, () => marker),
          path_resolved: true
        },
        detection_query: null
      })}
    WHERE workspace_id = ${workspace}`
  yield* sql`
    UPDATE observations SET close_reason = 'dismissed', dismissal_category = 'other', dismissal_note = ${longText(500)},
      completion_note = ${longText(2000)}, closed_by = ${jsonb(actor)}
    WHERE workspace_id = ${workspace} AND status = 'closed'`
  yield* sql`
    INSERT INTO observation_events (observation_id, at, actor, event, from_status, to_status, reason)
    SELECT o.id, ${at}, ${jsonb(actor)}, 'reopened', 'closed', 'new', n || ': ' || ${longText(1990)}
    FROM observations o CROSS JOIN generate_series(1, 60) n
    WHERE o.workspace_id = ${workspace} AND o.number <= 6 ORDER BY n`
  yield* sql`
    INSERT INTO fix_attempts (id, workspace_id, repository_id, observation_id, outcome, pr_status, pr_url, pr_number,
      last_failure_reason, started_at, updated_at)
    SELECT gen_random_uuid(), workspace_id, repository_id, id, 'started', 'in_review', ${longText(500)}, number,
      ${unlimited}, ${at}, ${at}
    FROM observations WHERE workspace_id = ${workspace} AND number > 6 AND rule_id <> ${fixableRule}`
  yield* sql`
    INSERT INTO repositories (id, workspace_id, github_org, github_repo, github_base_branch, access_mode, clone_url,
      default_branch, description, display_name, created_at)
    SELECT gen_random_uuid(), ${workspace}, 'acme', 'repository-' || n, ${`${marker}/${"branch/".repeat(30)}`} || n,
      'anonymous', ${longText(2000)}, ${marker}, ${longText(2000)}, ${longText(200)}, ${at}
    FROM generate_series(1, ${rows}) n`
  yield* sql`
    UPDATE repositories SET default_branch = ${marker}, description = ${longText(2000)},
      display_name = ${longText(200)}, guidance = ${longText(maxGuidance)},
      review_instructions = ${longText(maxGuidance)}
    WHERE workspace_id = ${workspace} AND github_repo = 'api'`
  yield* sql`UPDATE workspaces SET review_instructions = ${longText(maxGuidance)} WHERE id = ${workspace}`
  const job = (status: string, workflow: string, count: number) => sql`
    INSERT INTO jobs (id, workspace_id, repository_id, workflow, status, params, dedupe_hash, original_job_id, error,
      failure_kind, requested_by, result, pr_url, created_at, queued_at, finished_at)
    SELECT id, ${workspace}, ${repository_id}, ${workflow}, ${status}, ${jsonb({ branch: longText(255) })}, id::text,
      id, ${status === "failed" ? unlimited : null}, ${status === "failed" ? "internal" : null}, ${jsonb(actor)},
      ${status === "completed" ? jsonb(jobResult) : null}, ${longText(500)}, ${at}, ${at},
      ${status === "pending" ? null : at}
    FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count})) made`
  yield* job("completed", "review", rows / 3)
  yield* job("failed", "review", rows)
  yield* job("completed", "audit", rows / 3)
  yield* job("pending", "review", rows)
  const [finished] = yield* sql<{ readonly id: string }>`
    SELECT id FROM jobs WHERE workspace_id = ${workspace} AND status = 'completed' AND workflow = 'review' LIMIT 1`
  yield* Effect.flatMap(Discoveries, (discoveries) =>
    discoveries.record({
      workspace_id: workspace,
      repository_id,
      job_id: JobId.make(world.job_id),
      commit: "c0ffee",
      output: discovery
    })
  )
  yield* Effect.flatMap(OrganizationContext, (guidance) => guidance.set(longText(maxGuidance))).pipe(as(owner))
  yield* sql`
    INSERT INTO context_entries (id, workspace_id, key, status, kind, title, summary, body_md, data, scope, tags,
      created_by, updated_by, created_at, updated_at)
    SELECT gen_random_uuid(), workspace_id, n || ${"k".repeat(197)}, status, kind, title, summary, '', '{}', scope, tags,
      created_by, updated_by, created_at, updated_at
    FROM context_entries CROSS JOIN generate_series(1, ${rows}) n
    WHERE workspace_id = ${workspace} AND project_id IS NULL AND key = 'read'`
  yield* sql`
    UPDATE context_entries SET title = ${entryContent.title}, summary = ${entryContent.summary},
      tags = ${entryContent.tags},
      body_md = CASE WHEN length(key) < 20 THEN ${entryContent.body_md} ELSE '' END,
      data = CASE WHEN length(key) < 20 THEN ${jsonb(entryContent.data)} ELSE '{}'::jsonb END
    WHERE workspace_id = ${workspace} AND key <> 'organization-context'`
  const prev = { ...entryContent, kind: "note", scope: "subtree", status: "proposed" }
  yield* sql`
    INSERT INTO context_events (id, entry_id, version, event, actor, prev, detail, created_at)
    SELECT gen_random_uuid(), id, n + 1, 'updated', updated_by, ${jsonb(prev)},
      ${jsonb({ changed: Object.keys(entryContent), reason: longText(2000) })}, ${at}
    FROM context_entries CROSS JOIN generate_series(1, 60) n
    WHERE workspace_id = ${workspace} AND project_id IS NULL AND key = 'read'`
  yield* sql`
    INSERT INTO projects (id, workspace_id, kind, slug, name, description, created_at, updated_at)
    SELECT gen_random_uuid(), ${workspace}, 'project', 'project-' || n, ${longText(200)}, ${longText(2000)}, ${at}, ${at}
    FROM generate_series(1, ${rows}) n`
  yield* sql`UPDATE projects SET description = ${longText(2000)} WHERE workspace_id = ${workspace}`
  yield* sql`
    INSERT INTO project_repositories (project_id, repository_id, added_at)
    SELECT p.id, r.id, ${at} FROM projects p CROSS JOIN repositories r
    WHERE p.workspace_id = ${workspace} AND r.workspace_id = ${workspace} AND p.slug = ${world.project}`
  yield* withLargestIssues(world, { rows, longText })
  yield* withLargestMissions(world, { rows, longText })
  yield* withLargestChangeReviews(world, { rows, path, longText })
  return {
    ...world,
    finished: finished!.id,
    remote: aRemoteWithBranches(join(dirname(cloneUrl), workspace))
  } satisfies LargestWorld
}).pipe(Effect.orDie)

/** A repository with as many branches as a preview lists, of the longest names that a file system takes. */
const aRemoteWithBranches = (path: string) => {
  const remote = aRepository({ "a.ts": "" }, { path, bare: true })
  const names = Array.from({ length: 55 }, (_, n) => `${marker}/${"b".repeat(200)}${n}`)
  remote.branches(names)
  return remote.path
}

const page = { limit: 200 }

/** The call of each tool with the largest answer. */
export const largestCalls = (w: LargestWorld): Readonly<Record<string, Record<string, unknown>>> => {
  const preview = { github_org: "acme", github_repo: "new", clone_url: w.remote }
  const entry = { kind: "note", ...entryContent }
  const written = {
    create_context_entry: { key: "n".repeat(contextLimits.key.limit), ...entry },
    upsert_context_entry: { key: "put", expected_etag: w.entries.put, ...entry },
    update_context_entry: { key: "patch", expected_etag: w.entries.patch, ...entryContent },
    disable_context_entry: { key: "disable", expected_etag: w.entries.disable, reason: longText(2000) }
  }
  return {
    ...toolSamples(w),
    ...written,
    ...largestIssueCalls(w, { longText }),
    ...largestMissionCalls(w, { longText }),
    list_repositories: page,
    list_fix_prs: { ...repositoryArgs, ...page },
    list_pr_reviews: { ...repositoryArgs, ...page },
    preview_repository: preview,
    register_repository: preview,
    update_repository: { ...repositoryArgs, description: longText(2000) },
    set_repository_guidance: { ...repositoryArgs, text: longText(maxGuidance) },
    set_review_instructions: { ...repositoryArgs, text: longText(maxGuidance) },
    set_workspace_guidance: { text: longText(maxGuidance) },
    set_workspace_setting: { name: "review_instructions", value: longText(maxGuidance) },
    clear_workspace_setting: { name: "review_instructions" },
    // The other numbers are those of fix pull requests, which are not reviewed.
    request_pr_review: { ...repositoryArgs, pr_number: 1 },
    get_job_status: { job_id: w.finished },
    list_jobs: page,
    list_active_jobs: page,
    list_repository_jobs: { ...repositoryArgs, ...page },
    list_observations: { include: ["locations"], ...page },
    search_issues: { q: "ignore", include: ["locations"], ...page },
    recent_issues: { ...repositoryArgs, file_path: "src/index.ts", include: ["locations"], ...page },
    get_context_digest: { limit: 100 },
    get_repo_context_digest: { ...repositoryArgs, limit: 100 },
    list_context_entries: { include_disabled: true, ...page },
    get_context_entry_history: { key: "read", ...page },
    complete_observation: { ref: w.open[2], note: longText(2000), url: longText(2000) },
    dismiss_observation: { ref: w.open[1], dismissal_category: "other", dismissal_note: longText(500) },
    triage_observations: {
      action: "acknowledge",
      refs: Array.from({ length: 1000 }, (_, n) => `OBS-${9_000_000 + n}`)
    },
    reopen_observation: { ref: w.closed, reopen_reason: longText(2000) },
    list_change_reviews: page,
    set_change_review_criteria: {
      name: "BIG-1",
      criteria: Array.from({ length: 50 }, (_, n) => ({ text: `${n} ${longText(990)}` }))
    },
    list_projects: page,
    create_project: { name: longText(200), description: longText(2000) },
    update_project: { project: w.project, description: longText(2000) }
  }
}
