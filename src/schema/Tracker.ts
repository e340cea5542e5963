import { Schema } from "effect"
import { apiError, notFound, unprocessable } from "./ApiError.ts"
import { closed, record } from "./closed.ts"
import { TrackerId } from "./Ids.ts"
import { described, field, Instant, nullable, oneOf, optional, patterned, text } from "./Text.ts"

export const TrackerKind = described(oneOf("github", "jira", "linear"), "Kind of tracker.")
export type TrackerKind = typeof TrackerKind.Type

/** What people call them. */
export const trackerNames: Readonly<Record<TrackerKind, string>> = {
  github: "GitHub Issues",
  jira: "Jira",
  linear: "Linear"
}

const repository = described(
  text(1, 500),
  "Slug of the repository branch, `repo@branch` or `owner/repo@branch`, whose tracker it is; without it the tracker serves every repository of the workspace that has none of its own."
)

const maxUrl = 500

/** Why a text is no address of an API, in words. */
const urlProblem = (address: string): string | undefined => {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return "must be an address that starts with https://"
  const { username, password, search, hash } = new URL(address)
  if (username !== "" || password !== "") return "must be without user name and password; send `email` and `token`"
  return search !== "" || hash !== "" ? "must be without query and fragment" : undefined
}

const BaseUrl = text(1, maxUrl)
  .pipe(Schema.filter((address) => urlProblem(address)))
  .annotations({ jsonSchema: { type: "string", format: "uri", minLength: 1, maxLength: maxUrl } })

// A token travels in a header.
const Token = patterned(1, 4000, /^[\x21-\x7e]+$/, "must be a token without spaces")

export const TrackerPath = Schema.Struct({ kind: TrackerKind })
export const TrackerQuery = closed({ repository: optional(repository) })

export const Tracker = record(
  "Tracker",
  {
    id: field(TrackerId, "ID of the configuration."),
    kind: TrackerKind,
    repository: nullable(Schema.String, "Slug `owner/repo@branch` that it serves; null for the whole workspace."),
    base_url: field(Schema.String, "Address of the tracker's API."),
    project: field(
      Schema.String,
      "Where tickets are created: `owner/repo` on GitHub, else the key of project or team."
    ),
    email: nullable(Schema.String, "Account of the token, on Jira Cloud; null elsewhere."),
    has_token: field(Schema.Boolean, "Whether a token is stored. It is never returned."),
    token_set_at: nullable(Instant, "When the token was stored; null without one."),
    created_at: field(Instant, "When the level got a tracker."),
    updated_at: field(Instant, "When the configuration last changed.")
  },
  {
    id: TrackerId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d71"),
    kind: "jira",
    repository: null,
    base_url: "https://acme.atlassian.net",
    project: "SEC",
    email: "assay@acme.example",
    has_token: true,
    token_set_at: "2026-11-20T09:30:00.120Z",
    created_at: "2026-11-20T09:30:00.120Z",
    updated_at: "2026-11-20T09:30:00.120Z"
  }
)
export type Tracker = typeof Tracker.Type

export const SetTracker = closed(
  {
    repository: optional(repository),
    base_url: optional(
      BaseUrl,
      "Address of the tracker's API. Needed for Jira: the site's address. Default for GitHub and Linear: their own cloud."
    ),
    project: field(
      text(1, 200),
      "Where to create tickets: `owner/repo` on GitHub, the project's key on Jira, the team's key on Linear."
    ),
    token: optional(
      Token,
      "API token. Left out: the stored one stays, where kind and address are the same; without any, GitHub uses the GitHub App."
    ),
    email: optional(
      patterned(3, 320, /^[^\s:]+@[^\s:]+$/, "must be an e-mail address"),
      "Account of the token on Jira Cloud. Without it, Jira is a Data Center and the token a personal access token."
    )
  },
  "SetTrackerRequest",
  { base_url: "https://acme.atlassian.net", project: "SEC", email: "assay@acme.example", token: "ATATT3xFfGF0-example" }
)
export type SetTracker = typeof SetTracker.Type

export class TrackerNotFound extends notFound("TrackerNotFound", "not_found") {}

/** No tracker is configured for the repository or the workspace. */
export class NoTicketIntegration extends unprocessable("NoTicketIntegration", "no_ticket_integration") {}
/** The tracker rejects the token, or the token may not do this. */
export class TrackerCredentialsRejected extends unprocessable(
  "TrackerCredentialsRejected",
  "tracker_credentials_rejected"
) {}
/** The service may not call the tracker's address. */
export class TrackerAddressRejected extends unprocessable("TrackerAddressRejected", "address_refused") {}
/** The tracker has no such project, or the token may not see it. */
export class TrackerProjectNotFound extends unprocessable("TrackerProjectNotFound", "tracker_project_not_found") {}
/** The tracker does not accept the ticket as it is. */
export class TicketRejected extends unprocessable("TicketRejected", "ticket_rejected") {}
/** The tracker cannot be reached, or asks to wait; nothing is lost by asking again. */
export class TrackerUnavailable extends apiError("TrackerUnavailable", {
  status: 503,
  type: "server_error",
  code: "tracker_unavailable"
}) {}
