import { Schema } from "effect"
import { apiError } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { Count, described, Instant, oneOf, optional, text, Uuid } from "./Text.ts"

export const AccessMode = oneOf("installed", "anonymous")

/** `{owner}/{repo}/{branch}`; a `/` inside the branch travels as `%2F`. */
export const repositoryPath = {
  github_org: Schema.String,
  github_repo: Schema.String,
  github_base_branch: Schema.String
}
export const RepositoryPath = Schema.Struct(repositoryPath)
export type RepositoryPath = typeof RepositoryPath.Type

export const OpenCounts = Schema.Struct({ P0: Count, P1: Count, P2: Count, P3: Count })

export const Repository = record("Repository", {
  id: Uuid,
  github_org: Schema.String,
  github_repo: Schema.String,
  github_base_branch: Schema.String,
  repo_name: Schema.String.annotations({ description: "The slug `repo@branch`." }),
  access_mode: AccessMode,
  clone_url: Schema.String.annotations({ description: "Where the repository is fetched from, without credentials." }),
  default_branch: Schema.NullOr(Schema.String),
  head_sha: Schema.NullOr(Schema.String),
  last_audit_at: Schema.NullOr(Instant),
  last_discovery_at: Schema.NullOr(Instant),
  open_observations: OpenCounts,
  display_name: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  created_at: Instant,
  deleted_at: Schema.NullOr(Instant)
})
export type Repository = typeof Repository.Type

const name = text(1, 100)
  .pipe(
    Schema.filter((s) =>
      /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(s) && !s.includes("..")
        ? undefined
        : "must be letters, digits, `.`, `_` and `-`, not starting with `.` or `-`"
    )
  )
  .annotations({ jsonSchema: { pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]*$" } })

/** What git itself refuses in a branch name (git-check-ref-format), plus a leading dash. */
export const isBranchName = (s: string) =>
  s.length >= 1 &&
  s.length <= 255 &&
  !/[\u0000-\u0020\u007f~^:?*[\\]/.test(s) &&
  !/(^|\/)\.|\.lock(\/|$)|\.\.|@\{|\/\/|^\/|\/$|\.$|^-|^@$/.test(s)

export const BranchName = Schema.String.pipe(
  Schema.filter((s) => (isBranchName(s) ? undefined : "is not a branch name git accepts"))
).annotations({ jsonSchema: { type: "string", minLength: 1, maxLength: 255 } })

export const RegisterRepository = closed(
  {
    github_org: name,
    github_repo: name,
    github_base_branch: Schema.optionalWith(BranchName, { exact: true }),
    access_mode: Schema.optionalWith(AccessMode, { exact: true }),
    clone_url: Schema.optionalWith(
      text(1, 2000).annotations({ description: "Any git URL; default: the GitHub repository of that name." }),
      { exact: true }
    )
  },
  "RegisterRepositoryRequest"
)
export type RegisterRepository = typeof RegisterRepository.Type

export const RegisteredRepository = record("RegisteredRepository", {
  ...Repository.fields,
  discover_job_id: Schema.Null,
  discovery_queue_failed: Schema.Literal(false)
})
export type RegisteredRepository = typeof RegisteredRepository.Type

export const repositoryChanges = {
  display_name: optional(described(text(0, 200), "Empty: none.")),
  description: optional(described(text(0, 2000), "Empty: none.")),
  clone_url: optional(described(text(1, 2000), "Any git URL that serves the branch.")),
  access_mode: optional(AccessMode)
}
export const UpdateRepository = closed(repositoryChanges, "UpdateRepositoryRequest")
export type UpdateRepository = typeof UpdateRepository.Type

export const RepositoryPreview = record("RepositoryPreview", {
  github_org: Schema.String,
  github_repo: Schema.String,
  clone_url: Schema.String,
  access_mode: AccessMode,
  default_branch: Schema.NullOr(Schema.String),
  github_base_branch: Schema.String.annotations({ description: "The branch that registering would take." }),
  head_sha: Schema.String,
  branch_count: Count,
  branches: Schema.Array(Schema.String).annotations({ description: "At most 50 names, in order." }),
  registered: Schema.Boolean.annotations({ description: "Whether that branch is registered already." })
})
export type RepositoryPreview = typeof RepositoryPreview.Type

const flag = (description: string) => Schema.optionalWith(Schema.Boolean.annotations({ description }), { exact: true })

export const ResetRepository = closed(
  {
    findings: flag("Delete findings and advisories with their history and fix attempts."),
    history: flag("Delete jobs that have ended, with their events."),
    suggestions: flag("Delete suggestions."),
    wipe: flag("Delete all of these and the output of discovery.")
  },
  "ResetRepositoryRequest"
)
export type ResetRepository = typeof ResetRepository.Type

/** How many rows of each kind a reset deleted. */
export const ResetCounts = Schema.Struct({
  findings: Count,
  advisories: Count,
  suggestions: Count,
  fix_attempts: Count,
  jobs: Count,
  job_events: Count,
  discoveries: Count
})
export type ResetCounts = typeof ResetCounts.Type

export const ResetRepositoryResponse = record("ResetRepositoryResponse", {
  repo_name: Schema.String,
  deleted: ResetCounts
})

export class RepositoryBusy extends apiError("RepositoryBusy", {
  status: 409,
  type: "conflict",
  code: "repo_busy"
}) {}
export class RepositoryNotFound extends apiError("RepositoryNotFound", {
  status: 404,
  type: "not_found",
  code: "not_found"
}) {}
export class RepositoryAlreadyRegistered extends apiError("RepositoryAlreadyRegistered", {
  status: 409,
  type: "conflict",
  code: "repo_already_registered"
}) {}
export class RepositoryNoLongerPublic extends apiError("RepositoryNoLongerPublic", {
  status: 400,
  type: "invalid_request_error",
  code: "repo_no_longer_public"
}) {}
export class RepositoryUnverified extends apiError("RepositoryUnverified", {
  status: 503,
  type: "server_error",
  code: "repo_unverified"
}) {}
/** The address, branch or content cannot serve: the message says what is wrong with it. */
export class RepositoryUnusable extends apiError("RepositoryUnusable", {
  status: 400,
  type: "invalid_request_error",
  code: "bad_request"
}) {}
export class AmbiguousRepository extends apiError("AmbiguousRepository", {
  status: 400,
  type: "invalid_request_error",
  code: "bad_request"
}) {}
