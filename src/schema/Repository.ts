import { Schema } from "effect"
import { apiError, badRequest, conflict, notFound } from "./ApiError.ts"
import { charactersOf } from "./characters.ts"
import { closed, record } from "./closed.ts"
import { RepositoryId } from "./Ids.ts"
import { Count, described, field, Instant, nullable, oneOf, optional, patterned, text } from "./Text.ts"

export const AccessMode = described(
  oneOf("installed", "anonymous"),
  "`installed`: cloned with the installation's access; `anonymous`: a public repository, cloned without credentials."
)

export const Visibility = described(
  oneOf("workspace", "restricted"),
  "`workspace`: every member of the workspace sees the repository; `restricted`: only owners, admins and people with a role on a project that contains it, or on a level above that project."
)

export const InstallationStatus = described(
  oneOf("none", "active", "removed"),
  "Whether the GitHub App covers the repository: `none`, it is not used; `active`; `removed`, its installation has ended."
)

export const AutoReview = described(
  oneOf("off", "on"),
  "`on`: pull requests on GitHub against the branch are reviewed when they are opened or pushed to."
)

/** `{owner}/{repo}/{branch}`; a `/` inside the branch travels as `%2F`. */
export const repositoryPath = {
  github_org: field(Schema.String, "Owner of the repository."),
  github_repo: field(Schema.String, "Name of the repository."),
  github_base_branch: field(Schema.String, "Registered branch; in a URL, `/` in its name is sent as `%2F`.")
}
export const RepositoryPath = Schema.Struct(repositoryPath)
export type RepositoryPath = typeof RepositoryPath.Type

/** `owner/repo@branch`, which one repository of a workspace has. */
export const fullSlugOf = ({ github_org, github_repo, github_base_branch }: RepositoryPath): string =>
  `${github_org}/${github_repo}@${github_base_branch}`

export const RepoName = described(Schema.String, "Slug of the repository branch: `repo@branch`.")

export const OpenCounts = Schema.Struct({
  P0: field(Count, "Open observations of priority P0, the most severe."),
  P1: field(Count, "Open observations of priority P1."),
  P2: field(Count, "Open observations of priority P2."),
  P3: field(Count, "Open observations of priority P3.")
})

const exampleRepository = {
  id: RepositoryId.make("01a1f7f4-73e5-765f-a9a3-1ade393e2cf4"),
  github_org: "acme",
  github_repo: "shop",
  github_base_branch: "main",
  repo_name: "shop@main",
  access_mode: "installed",
  clone_url: "https://github.com/acme/shop.git",
  default_branch: "main",
  head_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
  last_audit_at: null,
  last_discovery_at: null,
  open_observations: { P0: 0, P1: 0, P2: 0, P3: 0 },
  display_name: null,
  description: null,
  visibility: "workspace",
  installation_status: "none",
  auto_review: "off",
  created_at: "2026-11-20T07:55:55.237Z",
  deleted_at: null
} as const

export const Repository = record(
  "Repository",
  {
    id: field(RepositoryId, "ID of the registered repository branch."),
    github_org: field(Schema.String, "Owner of the repository."),
    github_repo: field(Schema.String, "Name of the repository."),
    github_base_branch: field(Schema.String, "The registered branch."),
    repo_name: RepoName,
    access_mode: AccessMode,
    clone_url: field(Schema.String, "Git URL that the repository is cloned from, without credentials."),
    default_branch: nullable(Schema.String, "Default branch of the remote; null until it is known."),
    head_sha: nullable(Schema.String, "Last known commit of the branch."),
    last_audit_at: nullable(Instant, "When the last audit ended; null if there was none."),
    last_discovery_at: nullable(Instant, "When the last discovery ended; null if there was none."),
    open_observations: field(OpenCounts, "Number of open observations by priority."),
    display_name: nullable(Schema.String, "Name to show instead of the slug; null if none was set."),
    description: nullable(Schema.String, "Description of the repository; null if none was set."),
    visibility: Visibility,
    installation_status: InstallationStatus,
    auto_review: AutoReview,
    created_at: field(Instant, "When the repository was registered."),
    deleted_at: nullable(Instant, "When the repository was deleted; null while it is registered.")
  },
  {
    ...exampleRepository,
    last_audit_at: "2026-11-20T08:00:16.865Z",
    open_observations: { P0: 1, P1: 1, P2: 0, P3: 0 }
  }
)
export type Repository = typeof Repository.Type

const name = patterned(
  1,
  100,
  /^[A-Za-z0-9_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*\.?$/,
  "must be letters, digits, `.`, `_` and `-`, not starting with `.` or `-` and without `..`"
)

/** Names that git accepts (git-check-ref-format) and that do not start with a dash. */
export const isBranchName = (s: string) =>
  s.length > 0 &&
  charactersOf(s) <= 255 &&
  !/[\u0000-\u0020\u007f~^:?*[\\]/.test(s) &&
  !/(^|\/)\.|\.lock(\/|$)|\.\.|@\{|\/\/|^\/|\/$|\.$|^-|^@$/.test(s)

export const BranchName = Schema.String.pipe(
  Schema.filter((s) => (isBranchName(s) ? undefined : "is not a branch name git accepts"))
).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: 255 } })

export const RegisterRepository = closed(
  {
    github_org: field(name, "Owner of the repository."),
    github_repo: field(name, "Name of the repository."),
    github_base_branch: optional(BranchName, "Branch to audit; default: the remote's default branch."),
    access_mode: optional(AccessMode, "How the repository is cloned; default `installed`."),
    clone_url: optional(text(1, 2000), "Any git URL; default: the GitHub repository of that name.")
  },
  "RegisterRepositoryRequest",
  { github_org: "acme", github_repo: "shop", clone_url: "https://github.com/acme/shop.git" }
)
export type RegisterRepository = typeof RegisterRepository.Type

export const RegisteredRepository = record(
  "RegisteredRepository",
  {
    ...Repository.fields,
    discover_job_id: field(Schema.Null, "Always null; list jobs with `workflow=discover` to find the discovery."),
    discovery_queue_failed: field(Schema.Literal(false), "Always false.")
  },
  { ...exampleRepository, discover_job_id: null, discovery_queue_failed: false }
)
export type RegisteredRepository = typeof RegisteredRepository.Type

export const repositoryChanges = {
  display_name: optional(text(0, 200), "Name to show, at most 200 characters; an empty text removes it."),
  description: optional(text(0, 2000), "Description, at most 2000 characters; an empty text removes it."),
  clone_url: optional(text(1, 2000), "Any git URL that serves the branch."),
  access_mode: optional(AccessMode, "How the repository is cloned."),
  visibility: optional(
    Visibility,
    "Who sees the repository: `workspace`, all its members; `restricted`, those with a role on its projects."
  ),
  auto_review: optional(AutoReview, "Whether pull requests on GitHub are reviewed by themselves: `on` or `off`.")
}
export const UpdateRepository = closed(repositoryChanges, "UpdateRepositoryRequest", {
  display_name: "Shop",
  description: "What customers see."
})
export type UpdateRepository = typeof UpdateRepository.Type

export const RepositoryPreview = record("RepositoryPreview", {
  github_org: field(Schema.String, "Owner of the repository."),
  github_repo: field(Schema.String, "Name of the repository."),
  clone_url: field(Schema.String, "Git URL that the repository would be cloned from."),
  access_mode: AccessMode,
  default_branch: nullable(Schema.String, "Default branch of the remote; null if it names none."),
  github_base_branch: field(Schema.String, "Branch that would be registered."),
  head_sha: field(Schema.String, "Current commit of that branch."),
  branch_count: field(Count, "Number of branches of the remote."),
  branches: field(Schema.Array(Schema.String), "Names of at most 50 branches, in order."),
  registered: field(Schema.Boolean, "Whether that branch is already registered.")
})
export type RepositoryPreview = typeof RepositoryPreview.Type

export const ResetRepository = closed(
  {
    findings: optional(Schema.Boolean, "Delete findings and advisories with their history and fix attempts."),
    history: optional(Schema.Boolean, "Delete jobs that have ended, with their events."),
    suggestions: optional(Schema.Boolean, "Delete suggestions."),
    wipe: optional(Schema.Boolean, "Delete all of these and the output of discovery.")
  },
  "ResetRepositoryRequest",
  { suggestions: true }
)
export type ResetRepository = typeof ResetRepository.Type

/** How many rows of each kind a reset deleted. */
export const ResetCounts = Schema.Struct({
  findings: field(Count, "Deleted findings."),
  advisories: field(Count, "Deleted advisories."),
  suggestions: field(Count, "Deleted suggestions."),
  fix_attempts: field(Count, "Deleted fix attempts."),
  jobs: field(Count, "Deleted jobs."),
  job_events: field(Count, "Deleted events of jobs."),
  discoveries: field(Count, "Deleted outputs of discovery.")
})
export type ResetCounts = typeof ResetCounts.Type

export const ResetRepositoryResponse = record(
  "ResetRepositoryResponse",
  {
    repo_name: RepoName,
    deleted: field(ResetCounts, "How many rows of each kind were deleted.")
  },
  {
    repo_name: "shop@main",
    deleted: { findings: 0, advisories: 0, suggestions: 0, fix_attempts: 0, jobs: 0, job_events: 0, discoveries: 0 }
  }
)

export class RepositoryBusy extends conflict("RepositoryBusy", "repo_busy") {}
export class RepositoryNotFound extends notFound("RepositoryNotFound", "not_found") {}
export class RepositoryAlreadyRegistered extends conflict("RepositoryAlreadyRegistered", "repo_already_registered") {}
export class RepositoryNoLongerPublic extends badRequest("RepositoryNoLongerPublic", "repo_no_longer_public") {}
export class RepositoryUnverified extends apiError("RepositoryUnverified", {
  status: 503,
  type: "server_error",
  code: "repo_unverified"
}) {}
/** The URL, branch or content cannot be used; the message says why. */
export class RepositoryUnusable extends badRequest("RepositoryUnusable", "bad_request") {}
export class AmbiguousRepository extends badRequest("AmbiguousRepository", "bad_request") {}
