import { Effect } from "effect"
import {
  aBulkOperation,
  aChangeReview,
  aCredential,
  aDelivery,
  aFailedFix,
  aJob,
  aKey,
  aMember,
  anArtifact,
  anInvitation,
  anObservation,
  aProject,
  aRegisteredRepository,
  aView,
  aWebhook,
  aWorkspace,
  type Person,
  signedIn
} from "./builders.ts"
import { aSetOfEntries, contextSamples, contextToolSamples, type KnownEntries } from "./contextSamples.ts"
import { aRecordedDiscovery } from "./discovery.ts"
import { aSetOfIssues, issueSamples, issueToolSamples, type KnownIssues } from "./issueSamples.ts"
import { type KnownMissions, missionsOf } from "./missions.ts"
import { aNotice } from "./notices.ts"
import type { Sample } from "./Sample.ts"
import { App } from "./TestApp.ts"

/** One workspace with one of everything that a call can name. */
export interface World {
  readonly owner: Person
  /** Someone else in the workspace. */
  readonly member: Pick<Person, "user_id" | "email">
  readonly invitation_id: string
  /** Another one of the owner's. */
  readonly session_id: string
  readonly api_key: string
  readonly key_id: string
  readonly cloneUrl: string
  readonly job_id: string
  /** Of the job. */
  readonly artifact_id: string
  /** A project of the owner's. */
  readonly project: string
  /** Of the workspace, and of the project. */
  readonly entries: KnownEntries
  readonly projectEntries: KnownEntries
  /** Of the project. */
  readonly issues: KnownIssues
  /** Open observations, one for each call that closes one. */
  readonly open: ReadonlyArray<string>
  readonly closed: string
  /** The owner's. */
  readonly view_id: string
  /** Of the host of a repository. */
  readonly credential_id: string
  readonly webhook_id: string
  /** To that endpoint. */
  readonly delivery_id: string
  /** Of a branch of the repository. */
  readonly change_review: string
  /** A change of many observations that can be undone. */
  readonly bulk_operation_id: string
  readonly missions: KnownMissions
}

const projectMissing = "project_not_found"

export const repositoryArgs = { github_org: "acme", github_repo: "api", github_base_branch: "main" }
const repositoryPath = "/api/repos/acme/api/main"

const missionPath = ({ missions }: World, name: keyof KnownMissions["of"]) => `/api/missions/${missions.of[name].ref}`

const missionRequest = (ref: string | undefined) => ({
  repository: "api@main",
  title: "No outdated TLS",
  goal: { refs: [ref] },
  budget_usd: 5
})

export const aWorld = Effect.gen(function* () {
  const { cloneUrl } = yield* App
  const owner = yield* aWorkspace()
  const member = yield* aMember(owner.workspace_id, "member")
  const { id: invitation_id } = yield* anInvitation(owner)
  const elsewhere = yield* signedIn(owner)
  const { api_key, key } = yield* aKey(owner)
  const repository = yield* aRegisteredRepository(owner)
  // Registering over the API queues a discovery, and a repository with jobs is not reset.
  yield* aRegisteredRepository(owner, "idle")
  const job = yield* aJob(owner, repository)
  yield* aRecordedDiscovery({ workspace_id: owner.workspace_id, repository_id: repository.id, job_id: job.id })
  const open = yield* Effect.all([1, 2, 3, 4, 5].map(() => anObservation(owner, repository)))
  yield* aFailedFix(owner, open[4]!)
  const closed = yield* anObservation(owner, repository, { closed: true })
  const { slug: project } = yield* aProject(owner, { name: "Shop" })
  yield* aNotice(owner)
  const webhook = yield* aWebhook(owner)
  const entries = yield* aSetOfEntries(owner, null)
  const projectEntries = yield* aSetOfEntries(owner, project)
  return {
    owner,
    member,
    invitation_id,
    session_id: elsewhere.caller.credential.id,
    api_key,
    project,
    entries,
    projectEntries,
    issues: yield* aSetOfIssues(owner, project),
    key_id: key.id,
    cloneUrl,
    job_id: job.id,
    artifact_id: yield* anArtifact(job.id),
    open,
    closed,
    view_id: (yield* aView(owner, { name: "Severe" })).id,
    credential_id: (yield* aCredential(owner)).id,
    webhook_id: webhook.id,
    delivery_id: (yield* aDelivery(owner, webhook.id)).id,
    change_review: (yield* aChangeReview(owner)).name,
    bulk_operation_id: yield* aBulkOperation(owner),
    missions: yield* missionsOf(owner, { id: repository.id, slug: "api@main" })
  } satisfies World
})

/** By operation; in an order in which all of them succeed in one world. */
export const samples = (w: World): Readonly<Record<string, Sample>> => ({
  "sessions.read": { call: { path: "/api/session" }, status: 200 },
  "sessions.workspaces": { call: { path: "/api/session/workspaces" }, status: 200 },
  "sessions.switch_workspace": {
    call: { path: "/api/session/workspace", json: { workspace_id: w.owner.workspace_id } },
    status: 200,
    named: true
  },
  "sessions.list": { call: { path: "/api/session/sessions" }, status: 200 },
  "sessions.end": {
    call: { method: "DELETE", path: `/api/session/sessions/${w.session_id}` },
    status: 204,
    named: true
  },
  "sessions.change_password": {
    call: {
      method: "PUT",
      path: "/api/session/password",
      json: { current_password: "not the password", new_password: "another long password" }
    },
    status: 403
  },
  "sessions.update_profile": {
    call: { method: "PATCH", path: "/api/session/profile", json: { name: "Ada", single_keys: false } },
    status: 200
  },
  "members.list": { call: { path: "/api/workspace/members" }, status: 200 },
  "members.update": {
    call: { method: "PATCH", path: `/api/workspace/members/${w.member.user_id}`, json: { role: "viewer" } },
    status: 200,
    named: true
  },
  "credentials.list": { call: { path: "/api/credentials" }, status: 200 },
  "credentials.create": {
    call: {
      path: "/api/credentials",
      json: { kind: "https", host: "git.example.org", repository: "api@main", username: "assay", secret: "a-token" }
    },
    status: 201
  },
  "credentials.delete": {
    call: { method: "DELETE", path: `/api/credentials/${w.credential_id}` },
    status: 204,
    named: true
  },
  "members.invite": {
    call: { path: "/api/workspace/invitations", json: { email: "grace@example.com", role: "member" } },
    status: 201
  },
  "members.invitations": { call: { path: "/api/workspace/invitations" }, status: 200 },
  "members.withdraw_invitation": {
    call: { method: "DELETE", path: `/api/workspace/invitations/${w.invitation_id}` },
    status: 204,
    named: true
  },
  "members.remove": {
    call: { method: "DELETE", path: `/api/workspace/members/${w.member.user_id}` },
    status: 204,
    named: true
  },
  "audit_log.list": { call: { path: "/api/audit-log" }, status: 200 },
  "outbox.list": { call: { path: "/api/outbox" }, status: 200 },
  "keys.create": { call: { path: "/api/keys", json: { name: "ci", scopes: ["view_jobs"] } }, status: 201 },
  "keys.list": { call: { path: "/api/keys" }, status: 200 },
  "keys.read": { call: { path: `/api/keys/${w.key_id}` }, status: 200, named: true },
  "keys.update": {
    call: { method: "PATCH", path: `/api/keys/${w.key_id}`, json: { name: "b" } },
    status: 200,
    named: true
  },
  "repositories.list": { call: { path: "/api/repos" }, status: 200 },
  "repositories.read": { call: { path: repositoryPath }, status: 200, named: true },
  "repositories.register": {
    call: { path: "/api/repos", json: { github_org: "acme", github_repo: "web", clone_url: w.cloneUrl } },
    status: 201
  },
  "repositories.preview": {
    call: { path: "/api/repos/preview", json: { github_org: "acme", github_repo: "new", clone_url: w.cloneUrl } },
    status: 200
  },
  "repositories.local_folders": { call: { path: "/api/repos/local" }, status: 200 },
  "repositories.scores": { call: { path: "/api/repos/scores" }, status: 200 },
  "repositories.update": {
    call: { method: "PATCH", path: repositoryPath, json: { display_name: "The API" } },
    status: 200,
    named: true
  },
  "repositories.overview": { call: { path: `${repositoryPath}/overview` }, status: 200, named: true },
  "repositories.brief": { call: { path: `${repositoryPath}/brief` }, status: 200, named: true },
  "repositories.audit_freshness": { call: { path: `${repositoryPath}/audit-freshness` }, status: 200, named: true },
  "repositories.guidance": { call: { path: `${repositoryPath}/guidance` }, status: 200, named: true },
  "repositories.set_guidance": {
    call: { method: "PUT", path: `${repositoryPath}/guidance`, json: { text: "Count money in cents." } },
    status: 200,
    named: true
  },
  "repositories.commands": { call: { path: `${repositoryPath}/commands` }, status: 200, named: true },
  "repositories.set_commands": {
    call: { method: "PUT", path: `${repositoryPath}/commands`, json: { test: "npm test" } },
    status: 200,
    named: true
  },
  "repositories.review_instructions": {
    call: { path: `${repositoryPath}/review-instructions` },
    status: 200,
    named: true
  },
  "repositories.set_review_instructions": {
    call: { method: "PUT", path: `${repositoryPath}/review-instructions`, json: { text: "Look twice at payments." } },
    status: 200,
    named: true
  },
  "workspace.overview": { call: { path: "/api/workspace/overview" }, status: 200 },
  "workspace.todo": { call: { path: "/api/workspace/todo" }, status: 200 },
  "workspace.limits": { call: { path: "/api/workspace/limits" }, status: 200 },
  "workspace.doctor": { call: { path: "/api/workspace/doctor" }, status: 200 },
  "trends.read": { call: { path: "/api/workspace/trends?bucket=week&repo=api%40main" }, status: 200 },
  "rules.list": { call: { path: "/api/rules?tool=complexity&repo=api%40main" }, status: 200 },
  "rules.settings": { call: { path: "/api/rules/settings" }, status: 200 },
  "rules.set_setting": {
    call: {
      method: "PUT",
      path: "/api/rules/settings/complexity",
      json: { state: "off", reason: "The parsers are generated by hand." }
    },
    status: 200
  },
  "rules.proposals": { call: { path: "/api/rules/proposals" }, status: 200 },
  "workspace.guidance": { call: { path: "/api/workspace/guidance" }, status: 200 },
  "workspace.set_guidance": {
    call: { method: "PUT", path: "/api/workspace/guidance", json: { text: "We deploy on Tuesdays." } },
    status: 200
  },
  "workspace.settings": { call: { path: "/api/workspace/settings" }, status: 200 },
  "workspace.set_setting": {
    call: { method: "PUT", path: "/api/workspace/settings/audit_suggestions", json: { value: true } },
    status: 200
  },
  "workspace.clear_setting": {
    call: { method: "DELETE", path: "/api/workspace/settings/audit_suggestions" },
    status: 200
  },
  "repositories.reset": {
    call: { path: "/api/repos/acme/idle/main/reset", json: { wipe: true } },
    status: 200,
    named: true
  },
  "repositories.discovery": { call: { path: `${repositoryPath}/discovery` }, status: 200, named: true },
  "repositories.knowledge": { call: { path: `${repositoryPath}/knowledge` }, status: 200, named: true },
  "repositories.rules": { call: { path: `${repositoryPath}/rules?file_path=src/a.ts` }, status: 200, named: true },
  "repositories.pattern": { call: { path: `${repositoryPath}/patterns/route` }, status: 200, named: true },
  "repositories.guides": { call: { path: `${repositoryPath}/guides` }, status: 200, named: true },
  "repositories.reviews": { call: { path: `${repositoryPath}/reviews` }, status: 200, named: true },
  "repositories.fix_prs": { call: { path: `${repositoryPath}/fix-prs` }, status: 200, named: true },
  "jobs.submit": { call: { path: `${repositoryPath}/jobs`, json: { workflow: "audit" } }, status: 201, named: true },
  "jobs.list_of_repository": { call: { path: `${repositoryPath}/jobs` }, status: 200, named: true },
  "jobs.list": { call: { path: "/api/jobs" }, status: 200 },
  "jobs.list_active": { call: { path: "/api/jobs/active" }, status: 200 },
  "jobs.read": { call: { path: `/api/jobs/${w.job_id}` }, status: 200, named: true },
  "jobs.artifacts": { call: { path: `/api/jobs/${w.job_id}/artifacts` }, status: 200, named: true },
  "jobs.artifact": {
    call: { path: `/api/jobs/${w.job_id}/artifacts/${w.artifact_id}` },
    status: 200,
    named: true
  },
  "jobs.events": { call: { path: `/api/jobs/${w.job_id}/events` }, status: 200, named: true },
  "jobs.cancel": { call: { method: "POST", path: `/api/jobs/${w.job_id}/cancel` }, status: 200, named: true },
  "jobs.retry": { call: { method: "POST", path: `/api/jobs/${w.job_id}/retry` }, status: 201, named: true },
  "change_reviews.list": { call: { path: "/api/change-reviews" }, status: 200 },
  "change_reviews.read": { call: { path: `/api/change-reviews/${w.change_review}` }, status: 200, named: true },
  "change_reviews.find": {
    call: { path: "/api/change-reviews/find?repo=acme%2Fapi&branch=feature%2Fx" },
    status: 200,
    named: true
  },
  "change_reviews.readiness": { call: { path: "/api/change-reviews/readiness" }, status: 200 },
  "change_reviews.refresh": {
    call: { method: "POST", path: `/api/change-reviews/${w.change_review}/refresh` },
    status: 200,
    named: true
  },
  "change_reviews.set_criteria": {
    call: {
      method: "PUT",
      path: `/api/change-reviews/${w.change_review}/criteria`,
      json: { criteria: [{ text: "Few files", check: { kind: "max_size", files: 20 } }] }
    },
    status: 200,
    named: true
  },
  "change_reviews.start": {
    call: {
      path: "/api/change-reviews",
      json: { branches: [{ repository: "acme/api@main", branch: "feature/y" }], title: "Add a second one" }
    },
    status: 201,
    named: true
  },
  "projects.list": { call: { path: "/api/projects?kind=project" }, status: 200 },
  "projects.create": { call: { path: "/api/projects", json: { name: "Payments", kind: "area" } }, status: 201 },
  "projects.read": { call: { path: `/api/projects/${w.project}` }, status: 200, named: true, missing: projectMissing },
  "projects.update": {
    call: { method: "PATCH", path: `/api/projects/${w.project}`, json: { description: "What customers see." } },
    status: 200,
    named: true,
    missing: projectMissing
  },
  "projects.add_repository": {
    call: { path: `/api/projects/${w.project}/repositories`, json: repositoryArgs },
    status: 200,
    named: true,
    missing: projectMissing
  },
  "projects.remove_repository": {
    call: { method: "DELETE", path: `/api/projects/${w.project}/repositories/acme/api/main` },
    status: 200,
    named: true,
    missing: projectMissing
  },
  "projects.grant_role": {
    call: { method: "PUT", path: `/api/projects/${w.project}/roles`, json: { email: w.owner.email, role: "editor" } },
    status: 200,
    named: true,
    missing: projectMissing
  },
  "projects.members": {
    call: { path: `/api/projects/${w.project}/roles` },
    status: 200,
    named: true,
    missing: projectMissing
  },
  "projects.withdraw_role": {
    call: { method: "DELETE", path: `/api/projects/${w.project}/roles/${w.owner.user_id}` },
    status: 204,
    named: true,
    missing: projectMissing
  },
  ...issueSamples(w.project, w.issues, w.open[0]!),
  "forecasts.of_repository": { call: { path: `${repositoryPath}/forecasts` }, status: 200, named: true },
  "forecasts.lookup": {
    call: { path: "/api/forecasts/lookup?workflow=audit&repo_name=api%40main" },
    status: 200,
    named: true
  },
  "context.repository_digest": { call: { path: `${repositoryPath}/context-digest` }, status: 200, named: true },
  ...contextSamples("context", "/api/context", w.entries),
  ...contextSamples("project_context", `/api/projects/${w.project}/context`, w.projectEntries),
  "observations.list": { call: { path: "/api/observations" }, status: 200 },
  "observations.search": { call: { path: "/api/observations/search?q=key%20-test" }, status: 200 },
  "observations.recent": {
    call: { path: `${repositoryPath}/recent-findings?file_path=src%2Findex.ts` },
    status: 200,
    named: true
  },
  "observations.pending_migrations": { call: { path: "/api/observations/pending-migrations" }, status: 200 },
  "missions.list": { call: { path: "/api/missions?status=running,paused" }, status: 200 },
  "missions.create": {
    call: { path: "/api/missions", json: missionRequest(w.missions.free[0]) },
    status: 201,
    named: true
  },
  "missions.waiting": { call: { path: "/api/missions/waiting" }, status: 200 },
  "missions.settings": { call: { path: "/api/missions/settings" }, status: 200 },
  "missions.resolve": {
    call: { path: `/api/missions/resolve?repository=api%40main&number=${w.missions.of.read.number}` },
    status: 200,
    named: true
  },
  "missions.read": { call: { path: missionPath(w, "read") }, status: 200, named: true },
  "missions.read_of_repository": {
    call: { path: `${repositoryPath}/missions/${w.missions.of.read.number}` },
    status: 200,
    named: true
  },
  "missions.events": { call: { path: `${missionPath(w, "read")}/events` }, status: 200, named: true },
  "missions.pull_request": { call: { path: `${missionPath(w, "read")}/pull-request` }, status: 200, named: true },
  "missions.resubmit": {
    call: { path: `${missionPath(w, "resubmit")}/resubmit`, json: { limits_md: "Leave `docs` alone." } },
    status: 200,
    named: true
  },
  "missions.pause": { call: { method: "POST", path: `${missionPath(w, "pause")}/pause` }, status: 200, named: true },
  "missions.approve": {
    call: { method: "POST", path: `${missionPath(w, "approve")}/approve` },
    status: 200,
    named: true
  },
  "missions.send_back": {
    call: { path: `${missionPath(w, "send_back")}/send-back`, json: { reason: "Too much at once." } },
    status: 200,
    named: true
  },
  "missions.raise_budget": {
    call: { path: `${missionPath(w, "raise_budget")}/budget`, json: { budget_usd: 20 } },
    status: 200,
    named: true
  },
  "missions.skip_step": {
    call: {
      path: `${missionPath(w, "skip_step")}/steps/${w.missions.of.skip_step.step_id}/skip`,
      json: { reason: "Fixed by hand." }
    },
    status: 200,
    named: true
  },
  "missions.retry_step": {
    call: {
      method: "POST",
      path: `${missionPath(w, "retry_step")}/steps/${w.missions.of.retry_step.step_id}/retry`
    },
    status: 200,
    named: true
  },
  "missions.answer": {
    call: { path: `${missionPath(w, "answer")}/answer`, json: { text: "Keep the old name." } },
    status: 200,
    named: true
  },
  "missions.resume": { call: { method: "POST", path: `${missionPath(w, "resume")}/resume` }, status: 200, named: true },
  "missions.cancel": { call: { method: "POST", path: `${missionPath(w, "cancel")}/cancel` }, status: 200, named: true },
  "views.list": { call: { path: "/api/views" }, status: 200 },
  "views.create": {
    call: { path: "/api/views", json: { name: "Mine", query: "status=new&repo=api%40main", shared: true } },
    status: 201
  },
  "views.update": {
    call: { method: "PATCH", path: `/api/views/${w.view_id}`, json: { name: "Ours" } },
    status: 200,
    named: true
  },
  "views.delete": { call: { method: "DELETE", path: `/api/views/${w.view_id}` }, status: 204, named: true },
  "trackers.list": { call: { path: "/api/trackers" }, status: 200 },
  "trackers.set": {
    call: {
      method: "PUT",
      path: "/api/trackers/linear",
      json: { repository: "api@main", project: "ENG", token: "lin_api_sample" }
    },
    status: 200,
    named: true
  },
  "trackers.delete": {
    call: { method: "DELETE", path: "/api/trackers/linear?repository=api%40main" },
    status: 204,
    named: true
  },
  "webhooks.list": { call: { path: "/api/webhooks" }, status: 200 },
  "webhooks.create": {
    call: {
      path: "/api/webhooks",
      json: { url: "http://127.0.0.1:9/other", events: ["job.failed"], repos: ["api@main"], min_priority: "P1" }
    },
    status: 201
  },
  "webhooks.read": { call: { path: `/api/webhooks/${w.webhook_id}` }, status: 200, named: true },
  "webhooks.update": {
    call: { method: "PATCH", path: `/api/webhooks/${w.webhook_id}`, json: { events: ["job.completed"] } },
    status: 200,
    named: true
  },
  "webhooks.rotate_secret": {
    call: { method: "POST", path: `/api/webhooks/${w.webhook_id}/secret` },
    status: 200,
    named: true
  },
  "webhooks.test": { call: { method: "POST", path: `/api/webhooks/${w.webhook_id}/test` }, status: 202, named: true },
  "webhooks.list_deliveries": { call: { path: `/api/webhooks/${w.webhook_id}/deliveries` }, status: 200, named: true },
  "webhooks.resend": {
    call: { method: "POST", path: `/api/webhooks/${w.webhook_id}/deliveries/${w.delivery_id}/resend` },
    status: 202,
    named: true
  },
  "webhooks.delete": { call: { method: "DELETE", path: `/api/webhooks/${w.webhook_id}` }, status: 204, named: true },
  "notices.list": { call: { path: "/api/notices?unread=true" }, status: 200 },
  "notices.mark_read": { call: { path: "/api/notices/read", json: { all: true } }, status: 200 },
  "observations.explain": { call: { path: `/api/observations/${w.open[0]}/explanation` }, status: 200, named: true },
  "observations.read": { call: { path: `/api/observations/${w.open[0]}` }, status: 200, named: true },
  "observations.acknowledge": {
    call: { method: "POST", path: `/api/observations/${w.open[0]}/acknowledge` },
    status: 200,
    named: true
  },
  "observations.dismiss": {
    call: {
      path: `/api/observations/${w.open[1]}/dismiss`,
      json: { dismissal_category: "wont_fix", dismissal_note: "Known and accepted." }
    },
    status: 200,
    named: true
  },
  "observations.complete": {
    call: { path: `/api/observations/${w.open[2]}/complete`, json: { note: "Rotated." } },
    status: 200,
    named: true
  },
  "observations.reopen": {
    call: { path: `/api/observations/${w.closed}/reopen`, json: { reopen_reason: "It is back." } },
    status: 200,
    named: true
  },
  "observations.facets": { call: { path: "/api/observations/facets?status=new&kind=finding,advisory" }, status: 200 },
  "observations.code": { call: { path: `/api/observations/${w.open[0]}/code?context=2` }, status: 200, named: true },
  "observations.triage_many": {
    call: { path: "/api/observations/bulk", json: { action: "acknowledge", refs: [w.open[4]] } },
    status: 200
  },
  "observations.undo_triage": {
    call: { method: "POST", path: `/api/observations/bulk/${w.bulk_operation_id}/undo` },
    status: 200,
    named: true
  },
  "fixes.list": { call: { path: "/api/fix-prs?status=in_review,merged" }, status: 200 },
  "observations.fix_diff": { call: { path: `/api/observations/${w.open[4]}/diff` }, status: 200, named: true },
  "observations.fix": {
    call: { method: "POST", path: `/api/observations/${w.open[3]}/fix` },
    status: 200,
    named: true
  },
  // The job is none of a fix, and nothing has an open pull request.
  "observations.request_fix": {
    call: { path: `/api/observations/${w.open[3]}/fix-request`, json: { job_id: w.job_id } },
    status: 422,
    named: true
  },
  "observations.revise_fix": {
    call: { path: `/api/observations/${w.open[3]}/fix-revision`, json: { instructions: "Keep the old name." } },
    status: 409,
    named: true
  },
  "observations.withdraw_fix": {
    call: { method: "POST", path: `/api/observations/${w.open[3]}/fix-withdrawal` },
    status: 409,
    named: true
  },
  // No tracker is set by now.
  "observations.publish_ticket": {
    call: { method: "POST", path: `/api/observations/${w.open[3]}/publish-ticket` },
    status: 422,
    named: true
  },
  "repositories.delete": { call: { method: "DELETE", path: repositoryPath }, status: 204, named: true },
  "keys.revoke": { call: { method: "DELETE", path: `/api/keys/${w.key_id}` }, status: 204, named: true },
  "sessions.sign_out_elsewhere": { call: { method: "DELETE", path: "/api/session/sessions" }, status: 204 },
  "sessions.sign_out": { call: { method: "DELETE", path: "/api/session" }, status: 204 }
})

/** Arguments with which each tool succeeds; in an order in which all of them do in one world. */
export const toolSamples = (w: World): Readonly<Record<string, Record<string, unknown>>> => ({
  list_repositories: {},
  get_repository: repositoryArgs,
  register_repository: { github_org: "acme", github_repo: "web", clone_url: w.cloneUrl },
  get_repository_knowledge: repositoryArgs,
  get_applicable_rules: { ...repositoryArgs, file_path: "src/a.ts" },
  get_canonical_pattern: { ...repositoryArgs, pattern: "route" },
  get_how_to_guides: repositoryArgs,
  list_fix_prs: repositoryArgs,
  request_pr_review: { ...repositoryArgs, pr_number: 7 },
  request_branch_review: { ...repositoryArgs, branch: "feature/x" },
  list_pr_reviews: repositoryArgs,
  get_repository_brief: repositoryArgs,
  get_repository_overview: repositoryArgs,
  get_audit_freshness: repositoryArgs,
  preview_repository: { github_org: "acme", github_repo: "new", clone_url: w.cloneUrl },
  update_repository: { ...repositoryArgs, display_name: "The API" },
  get_repository_guidance: repositoryArgs,
  set_repository_guidance: { ...repositoryArgs, text: "Count money in cents." },
  get_review_instructions: repositoryArgs,
  set_review_instructions: { ...repositoryArgs, text: "Look twice at payments." },
  get_workspace_overview: {},
  get_todo_list: {},
  get_workspace_guidance: {},
  set_workspace_guidance: { text: "We deploy on Tuesdays." },
  get_workspace_settings: {},
  set_workspace_setting: { name: "audit_suggestions", value: true },
  clear_workspace_setting: { name: "audit_suggestions" },
  submit_job: { ...repositoryArgs, workflow: "audit" },
  get_job_status: { job_id: w.job_id },
  list_jobs: { limit: 5 },
  list_repository_jobs: { ...repositoryArgs, workflow: "audit" },
  get_cost_forecast: { workflow: "audit", repo_name: "api@main" },
  list_observations: { status: "new", easy_wins: true },
  search_issues: { q: "key -test", status: "new" },
  recent_issues: { ...repositoryArgs, file_path: "src/index.ts" },
  list_pending_migrations: {},
  explain_observation: { ref: w.open[0] },
  list_active_jobs: {},
  get_observation: { ref: w.open[0] },
  acknowledge_observation: { ref: w.open[0] },
  dismiss_observation: {
    ref: w.open[1],
    dismissal_category: "false_positive",
    dismissal_note: "A made-up key in a test."
  },
  complete_observation: { ref: w.open[2], url: "https://example.org/1" },
  reopen_observation: { ref: w.closed, reopen_reason: "It is back." },
  triage_observations: { action: "acknowledge", filter: { status: "new", kind: "finding,advisory" } },
  submit_fix: { ref: w.open[3] },
  request_fix: { ref: w.open[3], job_id: w.job_id },
  revise_fix_pr: { ref: w.open[3], instructions: "Keep the old name." },
  create_ticket: { ref: w.open[3] },
  retry_job: { job_id: w.job_id },
  ...contextToolSamples(w.entries),
  get_repo_context_digest: repositoryArgs,
  create_mission: missionRequest(w.missions.free[1]),
  resubmit_mission: { ref: w.missions.of.resubmit.ref, limits_md: "Leave `docs` alone." },
  list_missions: { status: "running,paused" },
  get_mission: { ref: w.missions.of.read.ref },
  resolve_mission: { repository: "api@main", number: w.missions.of.read.number },
  list_missions_waiting_on_me: {},
  get_mission_pull_request: { ref: w.missions.of.read.ref },
  get_mission_settings: {},
  pause_mission: { ref: w.missions.of.pause.ref },
  list_change_reviews: { limit: 5 },
  get_change_review: { name: w.change_review },
  find_change_review: { repo: "acme/api", branch: "feature/x" },
  list_change_review_readiness: {},
  set_change_review_criteria: { name: w.change_review, criteria: [{ text: "No secret" }] },
  start_change_review_from_branches: { branches: [{ repository: "acme/api@main", branch: "feature/y" }] },
  list_projects: { kind: "project" },
  get_project: { project: w.project },
  create_project: { name: "Payments", kind: "area" },
  update_project: { project: w.project, name: "Storefront" },
  ...issueToolSamples(w.project, w.issues, w.open[0]!),
  add_repo_to_project: { project: w.project, ...repositoryArgs },
  remove_repo_from_project: { project: w.project, ...repositoryArgs }
})

/** Tools whose samples name nothing that another workspace could lack. */
export const namesNothing: ReadonlySet<string> = new Set([
  "list_repositories",
  "list_jobs",
  "list_active_jobs",
  "list_observations",
  "search_issues",
  "triage_observations",
  "list_pending_migrations",
  "list_missions",
  "list_missions_waiting_on_me",
  "get_mission_settings",
  "list_projects",
  "list_issues",
  "list_change_reviews",
  "list_change_review_readiness",
  "list_context_entries",
  "get_context_digest",
  "create_project",
  "create_context_entry",
  "register_repository",
  "preview_repository",
  "get_workspace_overview",
  "get_todo_list",
  "get_workspace_guidance",
  "set_workspace_guidance",
  "get_workspace_settings",
  "set_workspace_setting",
  "clear_workspace_setting"
])

/** Tools whose samples are rejected, and with which code. */
export const toolErrors: Readonly<Record<string, string>> = {
  // The job is none of a fix, and nothing has an open pull request.
  request_fix: "observation_not_fixable",
  revise_fix_pr: "no_open_fix_pr",
  create_ticket: "no_ticket_integration"
}
