import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ChangeReview,
  ChangeReviewInvalid,
  ChangeReviewNotFound,
  ChangeReviewPath,
  ChangeReviewReadinessList,
  ChangeReviewsQuery,
  ChangeReviewWithoutBranches,
  FindChangeReviewQuery,
  ReadinessQuery,
  SetCriteria,
  StartChangeReview
} from "../schema/ChangeReview.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { IssueNotFound } from "../schema/Issue.ts"
import { changeReviews } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryFilterErrors, SpendErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const ChangeReviewsPage = page("ChangeReviewsPage", ChangeReview)

export const ChangeReviewsApi = HttpApiGroup.make("changeReviews")
  .add(
    HttpApiEndpoint.get("list", "/api/change-reviews")
      .annotateContext(serves(changeReviews.listChangeReviews))
      .setUrlParams(ChangeReviewsQuery)
      .addSuccess(ChangeReviewsPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("start", "/api/change-reviews")
      .annotateContext(
        serves(
          changeReviews.startChangeReview,
          "Starts a review of pushed branches. 201 with a new review; 200 with the one of the same branches or the same ticket key, which judges what has changed."
        )
      )
      .setPayload(StartChangeReview)
      .addSuccess(ChangeReview, { status: 201 })
      .addSuccess(ChangeReview, { status: 200 })
      .addError(onWire(ChangeReviewInvalid, IssueNotFound))
      .addError(RepositoryFilterErrors)
      .addError(SpendErrors)
  )
  .add(
    HttpApiEndpoint.get("find", "/api/change-reviews/find")
      .annotateContext(serves(changeReviews.findChangeReview))
      .setUrlParams(FindChangeReviewQuery)
      .addSuccess(ChangeReview)
      .addError(onWire(ChangeReviewInvalid, ChangeReviewNotFound))
  )
  .add(
    HttpApiEndpoint.get("readiness", "/api/change-reviews/readiness")
      .annotateContext(serves(changeReviews.listReadiness))
      .setUrlParams(ReadinessQuery)
      .addSuccess(ChangeReviewReadinessList)
  )
  .add(
    HttpApiEndpoint.get("get", "/api/change-reviews/:name")
      .annotateContext(serves(changeReviews.readChangeReview))
      .setPath(ChangeReviewPath)
      .addSuccess(ChangeReview)
      .addError(onWire(ChangeReviewNotFound))
  )
  .add(
    HttpApiEndpoint.put("setCriteria", "/api/change-reviews/:name/criteria")
      .annotateContext(serves(changeReviews.setCriteria))
      .setPath(ChangeReviewPath)
      .setPayload(SetCriteria)
      .addSuccess(ChangeReview)
      .addError(onWire(ChangeReviewInvalid, ChangeReviewNotFound))
      .addError(SpendErrors)
      .addError(RepositoryFilterErrors)
  )
  .add(
    HttpApiEndpoint.post("refresh", "/api/change-reviews/:name/refresh")
      .annotateContext(serves(changeReviews.refreshChangeReview))
      .setPath(ChangeReviewPath)
      .addSuccess(ChangeReview)
      .addError(onWire(ChangeReviewNotFound, ChangeReviewWithoutBranches))
      .addError(SpendErrors)
      .addError(RepositoryFilterErrors)
  )
  .annotate(
    OpenApi.Description,
    "Change reviews: whether pushed branches do what a ticket asks, criterion by criterion."
  )
  .middleware(Authorization)
