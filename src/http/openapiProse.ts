// What the OpenAPI document says in words, where neither schemas nor operations do.

export const about = `Runs automated audits of code repositories and keeps what they find.

A **job** is one run of a workflow on a repository branch. An audit produces **observations** that keep their identity
from run to run and can be dismissed, completed, reopened, acknowledged and fixed.

**Authentication.** Send \`Authorization: Bearer <key>\`. Keys are minted in the web app; their scopes are a ceiling on
every call. The web app itself uses a session cookie, with the header \`X-Assay-CSRF\` on everything that changes
something.

**Errors** have one envelope; branch on \`error.code\`. The request id is also in the header \`X-Request-Id\`. Any address
answers 404 \`not_found\` when nothing is there and 405 \`method_not_allowed\` (with \`Allow\`) to a method it does not serve.

**Limits.** \`x-rate-limit\` names the calls per minute of an operation's own bucket; the plan's budget and the key's own
limit apply to every call, and the lowest wins. \`RateLimit\` says what is left; after a 429, waiting \`Retry-After\` seconds
is enough. Bodies have at most 1 MiB.

**Lists** come in pages: pass \`next_cursor\` back as \`cursor\` with the same filters until \`has_more\` is false. Cursors are
opaque and last 24 hours.

**Changes** are additive only: tolerate fields you do not know.`

/** In the order in which they are shown. */
export const tags: Readonly<Record<string, string>> = {
  repositories: "Registered repository branches, and what is known about them.",
  repository_overview: "How a repository stands, and what is said to those who work on it.",
  workspace: "The workspace as a whole: how it stands, what to do next, its guidance and settings.",
  projects: "Areas, spaces and projects: what repositories belong to, and who may do what there.",
  jobs: "Runs of workflows.",
  observations: "What audits found, and its triage.",
  context: "The team's notes for people and agents, at the workspace.",
  project_context: "The team's notes at an area, a space or a project, with what is passed down to it.",
  forecasts: "What a run will cost and how long it will take.",
  keys: "API keys; managed by signed-in people only.",
  sessions: "Signing in from a browser."
}

export const parameters: Readonly<Record<string, string>> = {
  github_org: "The repository's owner.",
  github_repo: "The repository's name.",
  github_base_branch: "The registered branch. A `/` in it is sent as `%2F`: `feature%2Flogin`.",
  job_id: "The job's id.",
  name: "The setting's name.",
  slug: "Slug of an area, a space or a project.",
  user_id: "The member's id.",
  key: "The entry's key. A `/` in it is sent as `%2F`.",
  include_disabled: "List this level's own disabled entries, too.",
  "if-match": "The entry's current ETag, as its `ETag` header or its `etag` field has it.",
  "if-none-match": "On a list or a digest: the ETag of what you have. On PUT: `*`, to create only.",
  key_id: "The key's id (not the key).",
  ref: "The observation's ref, such as `OBS-12`.",
  limit: "How many items a page has at most.",
  cursor: "`next_cursor` of the page before, verbatim, with the same filters.",
  force: "Run even though the same commit was audited minutes ago. A job in flight is answered nevertheless.",
  workflow: "Only of this workflow.",
  "idempotency-key": "Of your choice. The same key within 24 hours answers the first job, whatever the body says.",
  "last-event-id": "Of a stream: continue after this event.",
  q: "Words to search for; quoted phrases, `or` and `-word` work as on the web.",
  file_path: "Path of a file from the repository's root.",
  pattern: "Name of a pattern, such as `route`, `data_access`, `error`, `test` or `logging`.",
  kind: "Only this kind.",
  status: "Only in this state.",
  priority: "Only of this priority.",
  category: "Only of this category.",
  domain: "Only found by tools of this domain.",
  close_reason: "Only closed for this reason.",
  repo: "Only of one repository: `repo@branch`, or `owner/repo@branch` where two owners share a name.",
  repo_name: "The slug `repo@branch`; omit for the whole workspace.",
  since: "Only seen or changed at or after this time.",
  order: "Newest first, gravest first, or last closed first.",
  has_fix_pr: "Only with (or without) an open fix pull request; needs `status=new`.",
  easy_wins: "Only what is quick and safe to fix.",
  needs_review: "Only what somebody has to look at.",
  include: "`locations` adds where each observation is."
}

/** Beyond the summary, by operation. */
export const notes: Readonly<Record<string, string>> = {
  "sessions.sign_in":
    "Answers with the cookie `assay_session`. Attempts are limited per account and per address; `Retry-After` says when to try again.",
  "sessions.use_link": "The link is used up by it. Answers with the cookie `assay_session`.",
  "keys.create":
    "A key with `agent_label` expires after 7 days unless `expires_at` says otherwise; `expires_at: null` means never. At most 25 keys are live per workspace.",
  "keys.update": "Limits and scopes can only be tightened. Expiry and allowed addresses never change.",
  "repositories.register":
    "The branch is looked up first, so a repository that cannot be read is refused. Registering a deleted one again brings its history back.",
  "repositories.reset": "At least one flag must be true. Cannot be undone.",
  "repositories.preview": "Takes what registering takes, and registers nothing.",
  "repositories.update":
    "A new clone address or access mode is looked at first: what cannot be read, or lacks the branch, is refused.",
  "repositories.overview":
    "A benchmark score is 100 / (1 + load / 10), at most 50 with an open P0 and 80 with an open P1. The load is what open findings and advisories weigh for every 1,000 lines: P0 10, P1 4, P2 1.5, P3 0.5, each times its confidence.",
  "repositories.audit_freshness": "Asks the remote for its newest commit, for at most five seconds.",
  "workspace.todo": "What needs a permission that the caller lacks is left out; `not_shown` names those.",
  "workspace.set_guidance": "Replaces the whole text; it leads every digest of the context.",
  "workspace.set_setting": "`value` is true or false, or the text of `review_instructions`.",
  "jobs.submit":
    "201 with a new job; 200 with the job that does the same already: in flight, or ended less than 10 minutes ago on the same commit with the same params, unless `force=true`.",
  "jobs.cancel": "`ok` is false when the job had ended before; `status` is what it is now.",
  "jobs.retry":
    "201 with the new job; 200 with the retry that is already in flight. Fix jobs also need submit_fix_jobs.",
  "jobs.events":
    "With `Accept: text/event-stream` a live stream that ends with the job; `Last-Event-ID` continues one that was cut off.",
  "observations.dismiss":
    "`false_positive`, `wont_fix` and `out_of_scope` stay closed when an audit finds the same again; the others come back.",
  "context.create":
    "Answers `key_taken` while an enabled entry of the same level holds the key. Callers without view_context get the acknowledgement only.",
  "context.put":
    "With `If-None-Match: *` it creates (201), with `If-Match` it replaces (200); data is replaced when sent, tags and scope are kept when left out.",
  "context.patch": "`data` is a JSON merge patch: null removes a key. A field that is null is left as it is.",
  "context.restore": "`key_taken` while an enabled entry holds the key.",
  "observations.complete": "The body is optional.",
  "observations.fix":
    "`details.reason` of `observation_not_fixable` says why: kind, closed, in_flight, open_fix_pr or attempts_exhausted. The body is optional."
}

export const statusNames: Readonly<Record<string, readonly [name: string, description: string]>> = {
  200: ["Ok", "Done"],
  201: ["Created", "Made"],
  204: ["NoContent", "Done; there is nothing to say"],
  304: ["NotModified", "What the caller has is current"],
  400: ["BadRequest", "Malformed, or the state cannot satisfy it"],
  401: ["Unauthorized", "No valid credentials"],
  402: ["PaymentRequired", "Billing or plan"],
  403: ["Forbidden", "Not permitted"],
  404: ["NotFound", "Not there, or not visible"],
  409: ["Conflict", "The state is another one"],
  412: ["PreconditionFailed", "The state is another one"],
  413: ["PayloadTooLarge", "The body has more than 1 MiB"],
  415: ["UnsupportedMediaType", "The body is not application/json"],
  422: ["Unprocessable", "Failed validation"],
  428: ["PreconditionRequired", "A precondition header is missing"],
  429: ["TooManyRequests", "Too many calls, or too much spent this hour; see Retry-After"],
  500: ["InternalError", "Our fault; the request id finds it in the log"],
  503: ["Unavailable", "Briefly unavailable; see Retry-After"]
}
