import { Schema } from "effect"
import type { Finding } from "../../engine/index.ts"
import type { ChangedFile } from "../ports/Comparison.ts"
import type { ReviewPosting } from "../ports/PullRequest.ts"
import { commentsOf, summaryOf } from "./comments.ts"
import type { DirectedReview } from "./directed.ts"

/** More comments than this on a pull request are not read. */
const MAX_POSTED = 10

/** What a pull request is to show of its review, apart from which pull request it is. */
export const ReviewPost = Schema.Struct({
  commit: Schema.String,
  title: Schema.String,
  summary: Schema.String,
  conclusion: Schema.Literal("success", "neutral", "failure"),
  comments: Schema.Array(
    Schema.Struct({
      fingerprint: Schema.String,
      path: Schema.String,
      line: Schema.Int,
      start_line: Schema.optionalWith(Schema.Int, { exact: true }),
      body: Schema.String
    })
  ),
  maxComments: Schema.Int,
  fingerprints: Schema.Array(Schema.String),
  isComplete: Schema.Boolean
}) satisfies Schema.Schema<Omit<ReviewPosting, "remote" | "number">>
export type ReviewPost = typeof ReviewPost.Type

interface PostRequest {
  readonly commit: string
  readonly review: DirectedReview
  /** Findings whose observation was dismissed: the pull request does not hear of them again. */
  readonly dismissed: ReadonlySet<Finding>
  readonly files: ReadonlyArray<ChangedFile>
  readonly unfinished: ReadonlyArray<string>
  /** Whether everything was looked for, before the change and after it. */
  readonly isComplete: boolean
  readonly maxComments: number | null
}

export const postOf = (request: PostRequest): ReviewPost => {
  const { commit, review, dismissed, files, unfinished, isComplete, maxComments } = request
  const introduced = review.introduced.filter(({ finding }) => !dismissed.has(finding))
  const shown = { ...review, introduced }
  const { placed } = commentsOf(shown, files)
  const heading = "In order of importance:"
  return {
    commit,
    title: titleOf(introduced.length),
    summary: summaryOf(shown, unfinished, { heading, listed: introduced }),
    conclusion: conclusionOf(introduced, isComplete),
    comments: placed.map(({ finding, comment: { side: _, ...comment } }) => ({
      ...comment,
      fingerprint: fingerprintOf(finding)
    })),
    maxComments: Math.min(maxComments ?? MAX_POSTED, MAX_POSTED),
    fingerprints: introduced.map(({ finding }) => fingerprintOf(finding)),
    isComplete
  }
}

/** Equal code in two files is two findings, each with a comment of its own. */
const fingerprintOf = ({ signatures }: Finding): string => signatures.located

const titleOf = (count: number): string =>
  count === 0 ? "Nothing new found" : `${count} new observation${count === 1 ? "" : "s"}`

/** Fails on what the command line's review fails on. */
const conclusionOf = (introduced: DirectedReview["introduced"], isComplete: boolean): ReviewPost["conclusion"] => {
  const isSevere = introduced.some(
    ({ finding }) => finding.kind !== "suggestion" && (finding.priority === "P0" || finding.priority === "P1")
  )
  if (isSevere) return "failure"
  return introduced.length === 0 && isComplete ? "success" : "neutral"
}
