import { Either, ParseResult, Schema } from "effect"
import { apiError, conflict, notFound } from "./ApiError.ts"
import { AuditActor } from "./AuditLog.ts"
import { closed, record } from "./closed.ts"
import { CriterionId, JobId } from "./Ids.ts"
import { IssueNumberFromRef } from "./Issue.ts"
import { ObservationRef, Priority } from "./Observation.ts"
import { pageQuery } from "./Page.ts"
import { BranchName } from "./Repository.ts"
import {
  Count,
  described,
  field,
  Instant,
  integer,
  integerQuery,
  list,
  nullable,
  oneOf,
  optional,
  someOf,
  text
} from "./Text.ts"

export const maxChangeBranches = 10
export const maxCriteria = 50
const maxGlob = 200
const maxPattern = 500
const maxTitle = 200

const Glob = text(1, maxGlob)

/** What a criterion can ask of a change and what is answered without a model: one member for each kind. */
export const ChangeCheck = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("tests_changed") }),
  Schema.Struct({ kind: Schema.Literal("no_new_findings"), max_priority: Priority }),
  Schema.Struct({ kind: Schema.Literal("observation_gone"), ref: ObservationRef }),
  Schema.Struct({ kind: Schema.Literal("no_public_api_removed"), paths: optional(list(Glob, 1, 20)) }),
  Schema.Struct({ kind: Schema.Literal("file_present", "file_absent"), glob: Glob }),
  Schema.Struct({
    kind: Schema.Literal("text_present", "text_absent"),
    glob: Glob,
    pattern: text(1, maxPattern)
  }),
  Schema.Struct({
    kind: Schema.Literal("max_size"),
    files: optional(integer(0, 1_000_000)),
    lines: optional(integer(0, 100_000_000))
  }).pipe(
    Schema.filter(({ files, lines }) =>
      files === undefined && lines === undefined ? "needs `files`, `lines` or both" : undefined
    )
  ),
  Schema.Struct({ kind: Schema.Literal("no_secret", "no_vulnerable_dependency_added", "migration_reversible") })
)
export type ChangeCheck = typeof ChangeCheck.Type
export type CheckKind = ChangeCheck["kind"]

export const checkKinds = [
  "tests_changed",
  "no_new_findings",
  "observation_gone",
  "no_public_api_removed",
  "file_present",
  "file_absent",
  "text_present",
  "text_absent",
  "max_size",
  "no_secret",
  "no_vulnerable_dependency_added",
  "migration_reversible"
] as const satisfies ReadonlyArray<CheckKind>

const decodeCheck = ParseResult.decodeUnknownEither(ChangeCheck, { onExcessProperty: "error" })

/** Why the fields are not those of the kind; undefined where they are. */
const checkProblem = (check: { readonly kind: CheckKind }): string | undefined => {
  const decoded = decodeCheck(check)
  if (Either.isRight(decoded)) return
  const problems = ParseResult.ArrayFormatter.formatIssueSync(decoded.left)
  // Those of other members of the union are about the kind.
  const own = problems.find(({ path }) => path[0] !== "kind") ?? problems[0]
  const at = own === undefined || own.path.length === 0 ? "" : `\`${own.path.join(".")}\` `
  return `of kind ${check.kind} cannot have these fields: ${at}${own?.message ?? ""}`
}

// One object for all kinds, not a union: tools' arguments are no unions.
export const ChangeReviewCheck = closed(
  {
    kind: field(oneOf(...checkKinds), "What is checked."),
    max_priority: optional(
      Priority,
      "`no_new_findings`: least severe priority that counts; `P1` means no new P0 or P1."
    ),
    ref: optional(ObservationRef, "`observation_gone`: the observation that must no longer be found."),
    paths: optional(
      list(Glob, 1, 20),
      "`no_public_api_removed`: patterns of the files whose exported names count; default: all."
    ),
    glob: optional(
      Glob,
      "`file_present`, `file_absent`, `text_present`, `text_absent`: pattern of paths, as .gitignore writes it."
    ),
    pattern: optional(
      text(1, maxPattern),
      "`text_present`, `text_absent`: regular expression, without backreferences and lookaround."
    ),
    files: optional(integer(0, 1_000_000), "`max_size`: most files that the change may touch."),
    lines: optional(integer(0, 100_000_000), "`max_size`: most lines that the change may add and remove.")
  },
  "ChangeReviewCheck",
  { kind: "no_new_findings", max_priority: "P1" }
).pipe(Schema.filter((check) => checkProblem(check)))
export type ChangeReviewCheck = typeof ChangeReviewCheck.Type

export const CriterionVerdict = oneOf("met", "not_met", "cannot_tell", "pending")
export type CriterionVerdict = typeof CriterionVerdict.Type

export const Readiness = oneOf("ready", "not_ready", "needs_attention", "running")
export type Readiness = typeof Readiness.Type

/** Where the code shows what a verdict says. */
export const ChangeReviewEvidence = record("ChangeReviewEvidence", {
  repository: field(Schema.String, "Registered branch that the change is compared with: `owner/repo@branch`."),
  commit: field(Schema.String, "Commit in which the lines are."),
  file_path: field(Schema.String, "Path from the repository's root."),
  line_start: field(Count, "First line, counted from 1."),
  line_end: field(Count, "Last line, included.")
})
export type ChangeReviewEvidence = typeof ChangeReviewEvidence.Type

const criterionText = text(1, 1000)

export const ChangeReviewCriterion = record("ChangeReviewCriterion", {
  id: field(CriterionId, "ID of the criterion."),
  text: field(Schema.String, "What the change must do or be, in words."),
  check: nullable(ChangeReviewCheck, "Built-in check that the text names; null for free text."),
  verdict: field(CriterionVerdict, "`cannot_tell` where the code does not show it; `pending` until it is judged."),
  reason: field(Schema.String, "Why the verdict is what it is; empty while it is pending."),
  evidence: field(Schema.Array(ChangeReviewEvidence), "Where the code shows it; at most 20 locations.")
})
export type ChangeReviewCriterion = typeof ChangeReviewCriterion.Type

export const ChangeReviewBranch = record("ChangeReviewBranch", {
  repository: field(Schema.String, "Registered branch that it is compared with: `owner/repo@branch`."),
  branch: field(Schema.String, "The branch with the change."),
  base: field(Schema.String, "Name of the branch that it will be merged into."),
  base_sha: nullable(Schema.String, "Commit at which it left the base branch; null until it was read."),
  head_sha: nullable(Schema.String, "Newest commit that was reviewed; null until it was read."),
  latest_sha: nullable(Schema.String, "Newest commit that is known; null until one is."),
  pr_number: nullable(Count, "Number of its pull request; null where none is known."),
  problem: nullable(Schema.String, "Why the branch could not be read; null where it was.")
})
export type ChangeReviewBranch = typeof ChangeReviewBranch.Type

export const ChangeReview = record(
  "ChangeReview",
  {
    name: field(Schema.String, "Name of the review: a ticket key, or `hx-<n>`."),
    title: field(Schema.String, "What the change is about."),
    readiness: field(
      Readiness,
      "`ready` when every criterion is met, `not_ready` when one is not, `needs_attention` when one cannot be judged, the review is stale or has nothing to judge, `running` while its job runs."
    ),
    branches: field(Schema.Array(ChangeReviewBranch), "Branches that make the change."),
    criteria: field(Schema.Array(ChangeReviewCriterion), "What the change must do or be, in order."),
    stale: field(Schema.Boolean, "Whether a branch has a newer commit than the reviewed one; refresh the review."),
    job_id: nullable(JobId, "ID of its newest job; null before the first."),
    created_by: field(AuditActor, "Who started it."),
    created_at: field(Instant, "When it was started."),
    updated_at: field(Instant, "When it last changed.")
  },
  {
    name: "hx-7",
    title: "Retry payments that time out",
    readiness: "not_ready",
    branches: [
      {
        repository: "acme/shop@main",
        branch: "payments/retry",
        base: "main",
        base_sha: "a9ec74f3647c323d14b026723a201a8f7fb020e6",
        head_sha: "5f2d1c9f2a1c4f0c8a4e5b7d9e3f6a8b0c1d2e3f",
        latest_sha: "5f2d1c9f2a1c4f0c8a4e5b7d9e3f6a8b0c1d2e3f",
        pr_number: null,
        problem: null
      }
    ],
    criteria: [
      {
        id: CriterionId.make("01a1f84d-c1ea-70a9-a51e-fdfa95578d71"),
        text: "No new P0/P1 observation",
        check: { kind: "no_new_findings", max_priority: "P1" },
        verdict: "not_met",
        reason: "The change introduces 1 finding of P0 or P1.",
        evidence: [
          {
            repository: "acme/shop@main",
            commit: "5f2d1c9f2a1c4f0c8a4e5b7d9e3f6a8b0c1d2e3f",
            file_path: "src/pay.ts",
            line_start: 12,
            line_end: 12
          }
        ]
      }
    ],
    stale: false,
    job_id: JobId.make("01a1f7f8-633b-765c-ab36-2777cf1f608a"),
    created_by: { kind: "user", user_id: null, api_key: null, label: "ada@example.org" },
    created_at: "2026-11-20T09:30:00.120Z",
    updated_at: "2026-11-20T09:31:12.480Z"
  }
)
export type ChangeReview = typeof ChangeReview.Type

/** Upper-case letters and digits, a dash and a number, as trackers name tickets. */
const ticketKeyPattern = /^[A-Z][A-Z0-9_]{1,19}-[1-9][0-9]{0,8}$/
const ownNamePattern = /^hx-[1-9][0-9]{0,8}$/

export const isTicketKey = (name: string): boolean => ticketKeyPattern.test(name)

const maxName = 30

export const ChangeReviewName = described(
  text(4, maxName).pipe(
    Schema.filter((name) =>
      isTicketKey(name) || ownNamePattern.test(name) ? undefined : "must be a ticket key such as ABC-123, or hx-7"
    )
  ),
  "Name of the change review: a ticket key, or `hx-<n>`."
)

export const ChangeReviewPath = Schema.Struct({ name: ChangeReviewName })

const NewCriterion = closed(
  {
    text: field(criterionText, "What the change must do or be; words that name a built-in check become that check."),
    check: optional(ChangeReviewCheck, "Built-in check; default: the one that the text names, if any.")
  },
  "NewChangeReviewCriterion",
  { text: "No new P0/P1 observation" }
)
export type NewCriterion = typeof NewCriterion.Type

const criteria = described(
  list(NewCriterion, 1, maxCriteria),
  `What the change must do or be, 1 to ${maxCriteria}; they take the place of those before.`
)

/** What a change must be where no one says anything else. */
export const usualCriteria: ReadonlyArray<NewCriterion> = [
  { text: "Tests changed with code", check: { kind: "tests_changed" } },
  { text: "No new P0/P1 observation", check: { kind: "no_new_findings", max_priority: "P1" } },
  { text: "No secret", check: { kind: "no_secret" } },
  {
    text: "No new dependency with a known vulnerability",
    check: { kind: "no_vulnerable_dependency_added" }
  }
]

export const SetCriteria = closed({ criteria }, "SetChangeReviewCriteriaRequest", {
  criteria: [{ text: "Tests changed with code" }, { text: "No new P0/P1 observation" }]
})
export type SetCriteria = typeof SetCriteria.Type

export const newChangeReview = {
  branches: described(
    list(
      closed(
        {
          repository: field(
            Schema.String,
            "Registered branch that it is compared with: `repo@branch` or `owner/repo@branch`."
          ),
          branch: field(BranchName, "Pushed branch with the change.")
        },
        "ChangeReviewBranchRequest"
      ),
      1,
      maxChangeBranches
    ),
    `Pushed branches that make the change, 1 to ${maxChangeBranches}.`
  ),
  criteria: optional(
    criteria,
    "What the change must do or be; default: those of the review or of the issue, else changed tests, no new P0/P1 observation, no secret and no vulnerable dependency."
  ),
  title: optional(text(1, maxTitle), `What the change is about, at most ${maxTitle} characters.`),
  issue: optional(
    IssueNumberFromRef,
    "Issue whose acceptance criteria are the criteria where none are sent, such as `ISS-12`."
  )
}
export const StartChangeReview = closed(newChangeReview, "StartChangeReviewRequest", {
  branches: [{ repository: "acme/shop@main", branch: "payments/retry" }],
  criteria: [{ text: "Tests changed with code" }],
  title: "Retry payments that time out"
})
export type StartChangeReview = typeof StartChangeReview.Type

export const ChangeReviewsQuery = closed(pageQuery)
export type ChangeReviewsQuery = typeof ChangeReviewsQuery.Type

const findChangeReview = {
  repo: field(Schema.String, "Repository of the change, `org/repo`; not a slug `repo@branch`."),
  branch: optional(Schema.String, "Branch with the change; this or `pr_number`.")
}
const pullRequestNumber = "Number of the change's pull request; this or `branch`."

export const findChangeReviewArgs = {
  ...findChangeReview,
  pr_number: optional(integer(1, 2_147_483_647), pullRequestNumber)
}
export const FindChangeReviewQuery = closed({
  ...findChangeReview,
  pr_number: optional(integerQuery(1, 2_147_483_647), pullRequestNumber)
})
export type FindChangeReview = typeof FindChangeReviewQuery.Type

/** Reviews of which the readiness is listed at most. */
export const maxReadiness = 100

export const ChangeReviewReadiness = record(
  "ChangeReviewReadiness",
  {
    name: field(Schema.String, "Name of the review."),
    readiness: field(Readiness, "Whether the change is ready."),
    met: field(Count, "Number of criteria that are met."),
    not_met: field(Count, "Number of criteria that are not met."),
    cannot_tell: field(Count, "Number of criteria that cannot be judged.")
  },
  { name: "hx-7", readiness: "not_ready", met: 4, not_met: 1, cannot_tell: 0 }
)
export type ChangeReviewReadiness = typeof ChangeReviewReadiness.Type

export const ChangeReviewReadinessList = record("ChangeReviewReadinessList", {
  data: field(Schema.Array(ChangeReviewReadiness), `The ${maxReadiness} reviews that changed last, newest first.`)
})

export const readinessFilters = {
  readiness: optional(
    someOf(["ready", "not_ready", "needs_attention", "running"]),
    "Only reviews of this readiness; several are separated by commas."
  )
}
export const ReadinessQuery = closed(readinessFilters)

export class ChangeReviewNotFound extends notFound("ChangeReviewNotFound", "not_found") {}
/** A review without branches has nothing to look at. */
export class ChangeReviewWithoutBranches extends conflict(
  "ChangeReviewWithoutBranches",
  "change_review_without_branches"
) {}
/** The branches, the criteria or the issue cannot be used; the message says why. */
export class ChangeReviewInvalid extends apiError("ChangeReviewInvalid", {
  status: 422,
  type: "validation_error",
  code: "invalid_payload"
}) {}
