import type { Scope } from "../../api/session.ts"

/** What each scope lets a key do, in words, by what it touches. */
export const scopeGroups: ReadonlyArray<{
  readonly name: string
  readonly scopes: ReadonlyArray<readonly [scope: Scope, words: string]>
}> = [
  {
    name: "Read",
    scopes: [
      ["view_repositories", "Repositories, their knowledge and settings"],
      ["view_observations", "Observations with their code"],
      ["view_jobs", "Jobs, their logs and costs"],
      ["view_context", "Team context"],
      ["view_issues", "Issues, projects and missions"]
    ]
  },
  {
    name: "Decide and write",
    scopes: [
      ["triage_observations", "Dismiss, acknowledge, complete and reopen observations"],
      ["manage_issues", "File, claim and change issues"],
      ["manage_context", "Propose context entries; a person confirms them"],
      ["corroborate_context", "Corroborate what another key proposed"]
    ]
  },
  {
    name: "Run jobs, which spends money",
    scopes: [
      ["submit_audit_jobs", "Start audits, discoveries and reviews"],
      ["submit_fix_jobs", "Request fixes, which open pull requests"],
      ["submit_program_jobs", "Create and steer missions"],
      ["cancel_running_jobs", "Cancel jobs"]
    ]
  },
  {
    name: "Administer",
    scopes: [
      ["register_repo", "Register repositories"],
      ["manage_repos", "Change repositories and who sees them"],
      ["delete_repo", "Delete repositories with all their observations"],
      ["manage_projects", "Create and move projects, write context above them"],
      ["manage_tenant_settings", "Change settings, rules and webhooks of the workspace"]
    ]
  }
]

const read: ReadonlyArray<Scope> = [
  "view_repositories",
  "view_jobs",
  "view_observations",
  "view_context",
  "view_issues"
]
const triage: ReadonlyArray<Scope> = [...read, "triage_observations"]

interface Preset {
  readonly id: "read" | "triage" | "fix"
  readonly name: string
  readonly hint: string
  readonly scopes: ReadonlyArray<Scope>
}

/** Usual sets of scopes, the least first. */
export const presets: ReadonlyArray<Preset> = [
  { id: "read", name: "Read only", hint: "Repositories, observations, jobs, context, issues", scopes: read },
  { id: "triage", name: "Triage", hint: "Read, dismiss, acknowledge, complete", scopes: triage },
  {
    id: "fix",
    name: "Audit and fix",
    hint: "Triage, start jobs, request fixes",
    scopes: [...triage, "submit_audit_jobs", "submit_fix_jobs", "cancel_running_jobs"]
  }
]

/** What a set of scopes is called: the preset that has exactly these, otherwise `Custom`. */
export const presetName = (scopes: ReadonlyArray<Scope>): string =>
  presets.find((preset) => preset.scopes.length === scopes.length && preset.scopes.every((one) => scopes.includes(one)))
    ?.name ?? "Custom"
