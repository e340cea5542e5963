import { Effect } from "effect"
import { IssueCriterionId } from "../schema/Ids.ts"
import { ClaimedIssue, Issue } from "../schema/Issue.ts"
import { claiming, criterionMet, newCriterion, pullRequest, releasing, renewing } from "../schema/IssueRequests.ts"
import { issueClaims as operations } from "../schema/operations/index.ts"
import { field } from "../schema/Text.ts"
import { IssueClaims } from "../services/issues/IssueClaims.ts"
import { IssueCriteria } from "../services/issues/IssueCriteria.ts"
import { IssuePullRequests } from "../services/issues/IssuePullRequests.ts"
import { issueArg } from "./IssuesTools.ts"
import { tool } from "./Tool.ts"

export const IssueClaimsTools = Effect.map(
  Effect.all([IssueClaims, IssueCriteria, IssuePullRequests]),
  ([claims, criteria, pullRequests]) => [
    tool({
      name: "claim_issue",
      title: "Claim issue",
      description:
        "Claim an issue to work on it; send the `fence` with your writes. Use list_issues with `ready` to find one.",
      operation: operations.claimIssue,
      args: { ...issueArg, ...claiming },
      result: ClaimedIssue,
      run: ({ ref, ...claiming }) => claims.claim(ref, claiming)
    }),
    tool({
      name: "renew_claim",
      title: "Renew claim",
      description: "Give your claim of an issue a new end. Use release_issue when you stop working on it.",
      operation: operations.renewClaim,
      args: { ...issueArg, ...renewing },
      result: ClaimedIssue,
      run: ({ ref, ...renewing }) => claims.renew(ref, renewing)
    }),
    tool({
      name: "release_issue",
      title: "Release issue",
      description: "End your claim of an issue, so that others can claim it. Use close_issue when the work is done.",
      operation: operations.releaseIssue,
      args: { ...issueArg, ...releasing },
      result: Issue,
      run: ({ ref, ...releasing }) => claims.release(ref, releasing)
    }),
    tool({
      name: "add_acceptance_criterion",
      title: "Add acceptance criterion",
      description: "Add an acceptance criterion to an issue. Use set_acceptance_criterion_met once it holds.",
      operation: operations.addCriterion,
      args: { ...issueArg, ...newCriterion },
      result: Issue,
      run: ({ ref, ...criterion }) => criteria.add(ref, criterion)
    }),
    tool({
      name: "set_acceptance_criterion_met",
      title: "Set acceptance criterion met",
      description: "Mark an acceptance criterion of an issue as met or not. Use get_issue for the IDs of its criteria.",
      operation: operations.setCriterionMet,
      args: { ...issueArg, criterion_id: field(IssueCriterionId, "ID of the acceptance criterion."), ...criterionMet },
      result: Issue,
      run: ({ ref, criterion_id, ...met }) => criteria.setMet(ref, criterion_id, met)
    }),
    tool({
      name: "attach_pr",
      title: "Attach pull request",
      description: "Attach a pull request to an issue by its URL. Use get_issue for the states of those attached.",
      operation: operations.attachPullRequest,
      args: { ...issueArg, ...pullRequest },
      result: Issue,
      run: ({ ref, ...request }) => pullRequests.attach(ref, request)
    })
  ]
)
