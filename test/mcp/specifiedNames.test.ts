import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { aKey, aWorkspace, withFeatures } from "../support/builders.ts"
import { aClient } from "../support/mcp.ts"
import { TestApp } from "../support/TestApp.ts"

/** Tools that the specification of the agent-protocol server names, by its paragraphs. */
const named = {
  reading: ["search_issues", "recent_issues"],
  "team context": [
    "get_context_digest",
    "get_repo_context_digest",
    "list_context_entries",
    "get_context_entry",
    "get_context_entry_history",
    "create_context_entry",
    "upsert_context_entry",
    "update_context_entry",
    "disable_context_entry",
    "restore_context_entry",
    "corroborate_context_entry"
  ],
  "projects and issues": [
    "list_projects",
    "get_project",
    "list_issues",
    "get_issue",
    "list_issue_events",
    "file_issue",
    "file_issues_from_findings",
    "update_issue_fields",
    "update_issue_status",
    "close_issue",
    "reopen_issue",
    "claim_issue",
    "renew_claim",
    "release_issue",
    "note_issue",
    "relate_issues",
    "unrelate_issues",
    "attach_pr",
    "add_acceptance_criterion",
    "set_acceptance_criterion_met",
    "create_project",
    "update_project",
    "add_repo_to_project",
    "remove_repo_from_project"
  ],
  missions: [
    "create_mission",
    "resubmit_mission",
    "list_missions",
    "get_mission",
    "resolve_mission",
    "list_missions_waiting_on_me",
    "get_mission_pull_request",
    "get_mission_settings",
    "pause_mission"
  ],
  "change reviews": [
    "list_change_reviews",
    "get_change_review",
    "find_change_review",
    "list_change_review_readiness",
    "set_change_review_criteria",
    "start_change_review_from_branches"
  ],
  "triage at scale": ["triage_observations"]
}

/** Tools that the specification describes without a name: its words, and the names that they have here. */
const described = {
  "list repositories": ["list_repositories"],
  "repository overview": ["get_repository_overview"],
  "knowledge bundle": ["get_repository_knowledge"],
  "list observations": ["list_observations"],
  "applicable rules for a file path": ["get_applicable_rules"],
  "canonical pattern": ["get_canonical_pattern"],
  "explain an observation": ["explain_observation"],
  "pending migrations": ["list_pending_migrations"],
  "how-to guides": ["get_how_to_guides"],
  "cost forecast": ["get_cost_forecast"],
  "job status": ["get_job_status"],
  "list jobs": ["list_jobs"],
  "list fix PRs": ["list_fix_prs"],
  "observation detail": ["get_observation"],
  "repository detail": ["get_repository"],
  "repository/workspace guidance": ["get_repository_guidance", "get_workspace_guidance"],
  "workspace settings": ["get_workspace_settings"],
  "workspace overview": ["get_workspace_overview"],
  "audit freshness": ["get_audit_freshness"],
  "repository preview": ["preview_repository"],
  "PR reviews": ["list_pr_reviews"],
  "review instructions": ["get_review_instructions"],
  "to-do list": ["get_todo_list"],
  "active jobs": ["list_active_jobs"],
  "submit a job": ["submit_job"],
  "submit a fix for an OBS-N": ["submit_fix"],
  "request a fix for an already-minted fix job": ["request_fix"],
  "retry a failed or cancelled job": ["retry_job"],
  "register a repository": ["register_repository"],
  "request a PR review": ["request_pr_review"],
  "revise a fix PR": ["revise_fix_pr"],
  "dismiss, acknowledge, complete, reopen an observation": [
    "dismiss_observation",
    "acknowledge_observation",
    "complete_observation",
    "reopen_observation"
  ],
  "create a ticket": ["create_ticket"],
  "update repository metadata": ["update_repository"],
  "set guidance/context": ["set_repository_guidance", "set_workspace_guidance", "set_review_instructions"],
  "set/clear a workspace setting": ["set_workspace_setting", "clear_workspace_setting"]
}

/** Tools beyond the specification: each is the pair of a REST route or the sum of several calls. */
const beyond = ["get_repository_brief", "list_repository_jobs", "request_branch_review"]

const prompts = ["agent_loop", "triage_new_findings", "investigate_finding", "branch_review"]
const promptsOfChangeReviews = ["my_change_reviews", "change_review_for_branch", "start_change_review"]

const specified = [...Object.values(named), ...Object.values(described), beyond].flat()

/** What the protocol's own client is shown under a key with all scopes. */
const listed = (settings: { readonly plan: "free" | "paid"; readonly hasFeatures: boolean }) =>
  Effect.gen(function* () {
    const person = yield* aWorkspace({ plan: settings.plan })
    if (settings.hasFeatures) yield* withFeatures(person)
    const client = yield* aClient((yield* aKey(person)).api_key)
    const { tools, nextCursor } = yield* Effect.promise(() => client.listTools())
    const { prompts: shown, nextCursor: next } = yield* Effect.promise(() => client.listPrompts())
    assert.deepStrictEqual([nextCursor, next], [undefined, undefined])
    return { tools: tools.map(({ name }) => name).sort(), prompts: shown.map(({ name }) => name).sort() }
  })

layer(TestApp)("the agent-protocol server", (it) => {
  it.scoped("serves every tool and prompt of the specification, and no other", () =>
    Effect.gen(function* () {
      const served = yield* listed({ plan: "paid", hasFeatures: true })
      assert.deepStrictEqual(served.tools, [...specified].sort())
      assert.deepStrictEqual(served.prompts, [...prompts, ...promptsOfChangeReviews].sort())
    })
  )

  for (const plan of ["free", "paid"] as const) {
    it.scoped(
      `lists the same tools without features on ${plan}, and the prompts of change reviews only with theirs`,
      () =>
        Effect.gen(function* () {
          const served = yield* listed({ plan, hasFeatures: false })
          assert.deepStrictEqual(served.tools, [...specified].sort())
          assert.deepStrictEqual(served.prompts, [...prompts].sort())
        })
    )
  }
})
