import { Effect } from "effect"
import {
  ChangeReview,
  ChangeReviewPath,
  ChangeReviewReadiness,
  ChangeReviewReadinessList,
  findChangeReviewArgs,
  newChangeReview,
  readinessFilters,
  SetCriteria
} from "../schema/ChangeReview.ts"
import { changeReviews as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { ChangeReviews } from "../services/change_reviews/ChangeReviews.ts"
import { itemsWithin, maxContent, pageWithin } from "./answerSize.ts"
import { pageArgs } from "./args.ts"
import { tool } from "./Tool.ts"

export const ChangeReviewsTools = Effect.map(ChangeReviews, (reviews) => [
  tool({
    name: "list_change_reviews",
    title: "List change reviews",
    description:
      "List change reviews with branches, criteria and verdicts. Use list_change_review_readiness for a short list.",
    operation: operations.listChangeReviews,
    args: pageArgs(10),
    result: page("ChangeReviewsPage", ChangeReview),
    run: ({ limit = 10, ...query }) => pageWithin(ChangeReview, limit, (limit) => reviews.list({ ...query, limit }))
  }),
  tool({
    name: "get_change_review",
    title: "Get change review",
    description:
      "Read one change review: verdict, reason and evidence of each criterion. Use find_change_review for a branch.",
    operation: operations.readChangeReview,
    args: ChangeReviewPath.fields,
    result: ChangeReview,
    run: ({ name }) => reviews.get(name)
  }),
  tool({
    name: "find_change_review",
    title: "Find change review",
    description:
      "Find the newest change review of a branch or a pull request. Use get_change_review where you know its name.",
    operation: operations.findChangeReview,
    args: findChangeReviewArgs,
    result: ChangeReview,
    run: (args) => reviews.find(args)
  }),
  tool({
    name: "list_change_review_readiness",
    title: "List change review readiness",
    description: "List which changes are ready, with counts of criteria. Use get_change_review for the reasons.",
    operation: operations.listReadiness,
    args: readinessFilters,
    quotesRepository: false,
    result: ChangeReviewReadinessList,
    run: (args) =>
      Effect.map(reviews.readiness(args), ({ data }) => ({
        data: itemsWithin<ChangeReviewReadiness>(data, maxContent)
      }))
  }),
  tool({
    name: "set_change_review_criteria",
    title: "Set change review criteria",
    description:
      "Set what a change must do or be and judge it, which spends credit. Creates the review of a ticket key that has none.",
    operation: operations.setCriteria,
    args: { ...ChangeReviewPath.fields, ...SetCriteria.fields },
    result: ChangeReview,
    run: ({ name, criteria }) => reviews.setCriteria(name, { criteria })
  }),
  tool({
    name: "start_change_review_from_branches",
    title: "Start change review",
    description:
      "Review 1 to 10 pushed branches, which spends credit and posts nothing elsewhere. Use get_change_review for the verdicts.",
    operation: operations.startChangeReview,
    args: newChangeReview,
    result: ChangeReview,
    run: (args) => Effect.map(reviews.start(args), ({ review }) => review)
  })
])
