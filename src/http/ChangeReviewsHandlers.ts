import { Effect } from "effect"
import { ChangeReview } from "../schema/ChangeReview.ts"
import { ChangeReviews } from "../services/change_reviews/ChangeReviews.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"
import { created } from "./wire.ts"

export const ChangeReviewsHandlers = group(
  Api,
  "changeReviews",
  Effect.fnUntraced(function* (handlers) {
    const reviews = yield* ChangeReviews
    return handlers
      .handle("list", ({ urlParams }) => reviews.list(urlParams))
      .handle("start", ({ payload }) =>
        Effect.flatMap(reviews.start(payload), ({ review, created: isNew }) => created(ChangeReview, isNew)(review))
      )
      .handle("find", ({ urlParams }) => reviews.find(urlParams))
      .handle("readiness", ({ urlParams }) => reviews.readiness(urlParams))
      .handle("get", ({ path }) => reviews.get(path.name))
      .handle("setCriteria", ({ path, payload }) => reviews.setCriteria(path.name, payload))
      .handle("refresh", ({ path }) => reviews.refresh(path.name))
  })
)
