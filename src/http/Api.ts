import { HttpApi, OpenApi } from "@effect/platform"
// assay: ignore dependency_structure.hub_module -- the contract names each of its groups once, in one place
import { AccountApi } from "./AccountApi.ts"
import { AuditLogApi } from "./AuditLogApi.ts"
import { ChangeReviewsApi } from "./ChangeReviewsApi.ts"
import { ContextApi, ProjectContextApi } from "./ContextApi.ts"
import { CredentialsApi } from "./CredentialsApi.ts"
import { RequestErrors, ServerErrors } from "./errors.ts"
import { FixesApi } from "./FixesApi.ts"
import { ForecastsApi } from "./ForecastsApi.ts"
import { IssueClaimsApi } from "./IssueClaimsApi.ts"
import { IssueRelationsApi } from "./IssueRelationsApi.ts"
import { IssuesApi } from "./IssuesApi.ts"
import { JobsApi } from "./JobsApi.ts"
import { KeysApi } from "./KeysApi.ts"
import { MembersApi } from "./MembersApi.ts"
import { MissionsApi } from "./MissionsApi.ts"
import { NoticesApi } from "./NoticesApi.ts"
import { ObservationsApi } from "./ObservationsApi.ts"
import { OutboxApi } from "./OutboxApi.ts"
import { OverviewApi } from "./OverviewApi.ts"
import { ProjectsApi } from "./ProjectsApi.ts"
import { RepositoriesApi } from "./RepositoriesApi.ts"
import { RulesApi } from "./RulesApi.ts"
import { SessionsApi } from "./SessionsApi.ts"
import { SingleSignOnApi } from "./SingleSignOnApi.ts"
import { TrackersApi } from "./TrackersApi.ts"
import { TrendsApi } from "./TrendsApi.ts"
import { TriageApi } from "./TriageApi.ts"
import { ViewsApi } from "./ViewsApi.ts"
import { WebhooksApi } from "./WebhooksApi.ts"
import { WorkspaceApi } from "./WorkspaceApi.ts"
import { ErrorObject } from "./wire.ts"

const about = `Runs automated audits of code repositories and stores their findings.

A **job** is one run of a workflow on a repository branch. An audit produces **observations** that keep their identity
from run to run and can be dismissed, completed, reopened, acknowledged and fixed.

**Authentication.** Send \`Authorization: Bearer <key>\`. Keys are created in the web app; their scopes are a ceiling on
every call. The web app itself uses a session cookie, with the header \`X-Assay-CSRF\` on every call that changes
something.

**Errors** have one envelope; branch on \`error.code\`. The request ID is also in the header \`X-Request-Id\`. Unknown
paths return 404 \`not_found\`; methods that a path does not support return 405 \`method_not_allowed\` with \`Allow\`.

**Limits.** \`x-rate-limit\` is the calls per minute of an operation's own bucket; the plan's limit and the key's own
limit apply to every call, and the lowest wins. \`RateLimit\` shows the remaining calls; after a 429, wait
\`Retry-After\` seconds. Bodies have at most 1 MiB and
25,000 names and values; a response names the first 20 fields at fault. Lengths count characters (Unicode code points).

**Lists** are paginated: pass \`next_cursor\` back as \`cursor\` with the same filters until \`has_more\` is false. Cursors
are opaque and expire after 24 hours.

**Versioning.** Changes are additive only: tolerate unknown fields.`

/** The REST contract: routes, OpenAPI document and typed client derive from this value. */
export const Api = HttpApi.make("assay")
  // The document shows them in this order.
  .add(RepositoriesApi)
  .add(OverviewApi)
  .add(WorkspaceApi)
  .add(TrendsApi)
  .add(RulesApi)
  .add(ProjectsApi)
  .add(IssuesApi)
  .add(IssueClaimsApi)
  .add(IssueRelationsApi)
  .add(JobsApi)
  .add(ChangeReviewsApi)
  .add(ObservationsApi)
  .add(TrackersApi)
  .add(ViewsApi)
  .add(TriageApi)
  .add(FixesApi)
  .add(MissionsApi)
  .add(ContextApi)
  .add(ProjectContextApi)
  .add(ForecastsApi)
  .add(MembersApi)
  .add(KeysApi)
  .add(CredentialsApi)
  .add(SessionsApi)
  .add(AccountApi)
  .add(SingleSignOnApi)
  .add(NoticesApi)
  .add(OutboxApi)
  .add(WebhooksApi)
  .add(AuditLogApi)
  .addError(RequestErrors)
  .addError(ServerErrors)
  .annotate(OpenApi.Title, "Assay")
  .annotate(OpenApi.Version, "1")
  .annotate(OpenApi.Summary, "Audits of code repositories, and the life of their findings.")
  .annotate(OpenApi.Description, about)
  .annotate(HttpApi.AdditionalSchemas, [ErrorObject])
