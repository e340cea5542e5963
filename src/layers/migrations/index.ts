import createWorkspaces from "./0001_create_workspaces.ts"
import createApiKeys from "./0002_create_api_keys.ts"
import createRepositories from "./0003_create_repositories.ts"
import createJobs from "./0004_create_jobs.ts"
import createObservations from "./0005_create_observations.ts"
import createSpending from "./0006_create_spending.ts"
import createFixesAndDiscoveries from "./0007_create_fixes_and_discoveries.ts"
import indexObservations from "./0008_index_observations.ts"
import indexChanges from "./0009_index_changes.ts"
import createOutbox from "./0010_create_outbox.ts"
import createProjects from "./0011_create_projects.ts"
import createContextEntries from "./0012_create_context_entries.ts"
import createSettings from "./0015_create_settings.ts"
import addObservationSteps from "./0016_add_observation_steps.ts"
import indexResolution from "./0020_index_resolution.ts"
import keepRecordsOfDeletedJobs from "./0021_keep_records_of_deleted_jobs.ts"
import createKnownPaths from "./0026_create_known_paths.ts"
import restrictRows from "./0027_restrict_rows.ts"
import createInvitations from "./0028_create_invitations.ts"
import createUserIdentities from "./0029_create_user_identities.ts"
import createAuditLog from "./0030_create_audit_log.ts"
import createBulkOperations from "./0031_create_bulk_operations.ts"
import createViewsAndNotices from "./0032_create_views_and_notices.ts"
import addLabelsAndCheckFeatures from "./0033_add_labels_and_check_features.ts"
import followFixAttempts from "./0034_follow_fix_attempts.ts"
import createCredentials from "./0035_create_credentials.ts"
import createTrackers from "./0036_create_trackers.ts"
import followGitHub from "./0037_follow_github.ts"
import createRepositoryCommands from "./0038_create_repository_commands.ts"
import addSuggestedDiff from "./0040_add_suggested_diff.ts"
import indexClosedFixPrs from "./0041_index_closed_fix_prs.ts"
import createRuleSettings from "./0042_create_rule_settings.ts"
import createIssues from "./0043_create_issues.ts"
import followObservations from "./0044_follow_observations.ts"
import createWebhooks from "./0045_create_webhooks.ts"
import createChangeReviews from "./0046_create_change_reviews.ts"
import createMissions from "./0047_create_missions.ts"
import runMissions from "./0048_run_missions.ts"
import announceMissions from "./0050_announce_missions.ts"
import countObservations from "./0051_count_observations.ts"
import createObservationChanges from "./0052_create_observation_changes.ts"
import indexIssueLeases from "./0053_index_issue_leases.ts"
import indexChangesByKind from "./0054_index_changes_by_kind.ts"
import indexFixPrsOfWorkspace from "./0055_index_fix_prs_of_workspace.ts"
import createRetention from "./0056_create_retention.ts"
import traceJobs from "./0057_trace_jobs.ts"
import orderJobsByTurn from "./0058_order_jobs_by_turn.ts"
import sumContextEntries from "./0059_sum_context_entries.ts"
import countLines from "./0060_count_lines.ts"

/** Append only; once merged, a migration is never edited. */
export const migrations = {
  "0001_create_workspaces": createWorkspaces,
  "0002_create_api_keys": createApiKeys,
  "0003_create_repositories": createRepositories,
  "0004_create_jobs": createJobs,
  "0005_create_observations": createObservations,
  "0006_create_spending": createSpending,
  "0007_create_fixes_and_discoveries": createFixesAndDiscoveries,
  "0008_index_observations": indexObservations,
  "0009_index_changes": indexChanges,
  "0010_create_outbox": createOutbox,
  "0011_create_projects": createProjects,
  "0012_create_context_entries": createContextEntries,
  "0015_create_settings": createSettings,
  "0016_add_observation_steps": addObservationSteps,
  "0020_index_resolution": indexResolution,
  "0021_keep_records_of_deleted_jobs": keepRecordsOfDeletedJobs,
  "0026_create_known_paths": createKnownPaths,
  "0027_restrict_rows": restrictRows,
  "0028_create_invitations": createInvitations,
  "0029_create_user_identities": createUserIdentities,
  "0030_create_audit_log": createAuditLog,
  "0032_create_views_and_notices": createViewsAndNotices,
  "0031_create_bulk_operations": createBulkOperations,
  "0033_add_labels_and_check_features": addLabelsAndCheckFeatures,
  "0034_follow_fix_attempts": followFixAttempts,
  "0035_create_credentials": createCredentials,
  "0036_create_trackers": createTrackers,
  "0037_follow_github": followGitHub,
  "0040_add_suggested_diff": addSuggestedDiff,
  "0041_index_closed_fix_prs": indexClosedFixPrs,
  "0038_create_repository_commands": createRepositoryCommands,
  "0042_create_rule_settings": createRuleSettings,
  "0043_create_issues": createIssues,
  "0044_follow_observations": followObservations,
  "0045_create_webhooks": createWebhooks,
  "0046_create_change_reviews": createChangeReviews,
  "0047_create_missions": createMissions,
  "0048_run_missions": runMissions,
  "0050_announce_missions": announceMissions,
  "0051_count_observations": countObservations,
  "0052_create_observation_changes": createObservationChanges,
  "0053_index_issue_leases": indexIssueLeases,
  "0054_index_changes_by_kind": indexChangesByKind,
  "0055_index_fix_prs_of_workspace": indexFixPrsOfWorkspace,
  "0056_create_retention": createRetention,
  "0057_trace_jobs": traceJobs,
  "0058_order_jobs_by_turn": orderJobsByTurn,
  "0059_sum_context_entries": sumContextEntries,
  "0060_count_lines": countLines
}
