import { Effect } from "effect"
import { jobs, repositories } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { BranchName } from "../schema/Repository.ts"
import { Review } from "../schema/Review.ts"
import { field, integer } from "../schema/Text.ts"
import { Reviews } from "../services/reviews/Reviews.ts"
import { cutText, pageWithin } from "./answerSize.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { SubmittedRow, submittedRow } from "./jobRow.ts"
import { tool } from "./Tool.ts"

const ReviewsPage = page("ReviewsPage", Review)

const row = (review: Review): Review => ({
  ...review,
  error: review.error === null ? null : cutText(review.error, 400)
})

export const ReviewsTools = Effect.map(Reviews, (reviews) => [
  tool({
    name: "request_pr_review",
    title: "Request pull request review",
    description:
      "Review a pull request against its registered base branch, which spends credit. Poll get_job_status for the comments.",
    operation: jobs.submitJob,
    args: { ...repositoryArgs, pr_number: field(integer(1, 2_147_483_647), "Number of the pull request.") },
    result: SubmittedRow,
    run: ({ pr_number, ...path }) => Effect.map(reviews.request(path, { pull_request: pr_number }), submittedRow)
  }),
  tool({
    name: "request_branch_review",
    title: "Request branch review",
    description:
      "Review a branch against its registered base branch, which spends credit. Poll get_job_status for the comments.",
    operation: jobs.submitJob,
    args: { ...repositoryArgs, branch: field(BranchName, "Branch to review; it need not be registered.") },
    result: SubmittedRow,
    run: ({ branch, ...path }) => Effect.map(reviews.request(path, { branch }), submittedRow)
  }),
  tool({
    name: "list_pr_reviews",
    title: "List reviews",
    description:
      "List reviews of pull requests, branches and commits, newest first. Use get_job_status for the comments of one.",
    operation: repositories.listReviews,
    args: { ...repositoryArgs, ...pageArgs(20) },
    result: ReviewsPage,
    run: ({ limit = 20, cursor, ...path }) =>
      pageWithin(Review, limit, (limit) =>
        Effect.map(reviews.list(path, { limit, ...(cursor === undefined ? {} : { cursor }) }), (page) => ({
          ...page,
          data: page.data.map(row)
        }))
      )
  })
])
