import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AlreadyClaimed,
  ClaimedIssue,
  CriterionNotFound,
  Issue,
  IssueBlocked,
  IssueClosed,
  IssueCriterionPath,
  IssuePath
} from "../schema/Issue.ts"
import {
  AddCriterion,
  AttachPullRequest,
  ClaimIssue,
  ReleaseIssue,
  RenewClaim,
  SetCriterionMet
} from "../schema/IssueRequests.ts"
import { issueClaims } from "../schema/operations/index.ts"
import { Authorization } from "./Authorization.ts"
import { IssueChangeErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const IssueClaimsApi = HttpApiGroup.make("issueClaims")
  .add(
    HttpApiEndpoint.post("claim", "/api/issues/:ref/claim")
      .annotateContext(serves(issueClaims.claimIssue))
      .setPath(IssuePath)
      .setPayload(ClaimIssue)
      .addSuccess(ClaimedIssue)
      .addError(IssueChangeErrors)
      .addError(onWire(AlreadyClaimed, IssueBlocked, IssueClosed))
  )
  .add(
    HttpApiEndpoint.post("renew", "/api/issues/:ref/claim/renewal")
      .annotateContext(serves(issueClaims.renewClaim))
      .setPath(IssuePath)
      .setPayload(RenewClaim)
      .addSuccess(ClaimedIssue)
      .addError(IssueChangeErrors)
  )
  .add(
    HttpApiEndpoint.del("release", "/api/issues/:ref/claim")
      .annotateContext(serves(issueClaims.releaseIssue))
      .setPath(IssuePath)
      .setPayload(ReleaseIssue)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
  )
  .add(
    HttpApiEndpoint.post("addCriterion", "/api/issues/:ref/criteria")
      .annotateContext(serves(issueClaims.addCriterion))
      .setPath(IssuePath)
      .setPayload(AddCriterion)
      .addSuccess(Issue, { status: 201 })
      .addError(IssueChangeErrors)
  )
  .add(
    HttpApiEndpoint.put("setCriterionMet", "/api/issues/:ref/criteria/:id")
      .annotateContext(serves(issueClaims.setCriterionMet))
      .setPath(IssueCriterionPath)
      .setPayload(SetCriterionMet)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(onWire(CriterionNotFound))
  )
  .add(
    HttpApiEndpoint.post("attachPullRequest", "/api/issues/:ref/pull-requests")
      .annotateContext(serves(issueClaims.attachPullRequest))
      .setPath(IssuePath)
      .setPayload(AttachPullRequest)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
  )
  .annotate(OpenApi.Description, "Work on issues: who has claimed one, which criteria are met, and its pull requests.")
  .middleware(Authorization)
