/**
 * Indexes of tables that may be large. They are built after the migrations, beside readers and writers, which a migration's
 * CREATE INDEX would hold up. The key is the index's name. A statement must be correct without them.
 */
export const onlineIndexes: Readonly<Record<string, string>> = {
  // Retention reads the ended jobs of all workspaces in the order of their ends.
  jobs_by_end: "jobs (finished_at, id) WHERE finished_at IS NOT NULL",
  // Retention deletes the oldest first.
  outbox_mails_by_age: "outbox_mails (created_at) WHERE status <> 'pending'",
  audit_log_by_age: "audit_log (at)",
  // The claim of queued jobs takes the next few of each workspace that waits, however many wait.
  jobs_by_turn:
    "jobs (workspace_id, ((queued_at AT TIME ZONE 'UTC') - job_head_start(workflow)), id) " +
    "INCLUDE (repository_id, workflow) WHERE status = 'pending'"
}
