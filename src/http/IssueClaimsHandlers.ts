import { Effect } from "effect"
import { IssueClaims } from "../services/issues/IssueClaims.ts"
import { IssueCriteria } from "../services/issues/IssueCriteria.ts"
import { IssuePullRequests } from "../services/issues/IssuePullRequests.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const IssueClaimsHandlers = group(
  Api,
  "issueClaims",
  Effect.fnUntraced(function* (handlers) {
    const claims = yield* IssueClaims
    const criteria = yield* IssueCriteria
    const pullRequests = yield* IssuePullRequests
    return handlers
      .handle("claim", ({ path, payload }) => claims.claim(path.ref, payload))
      .handle("renew", ({ path, payload }) => claims.renew(path.ref, payload))
      .handle("release", ({ path, payload }) => claims.release(path.ref, payload))
      .handle("addCriterion", ({ path, payload }) => criteria.add(path.ref, payload))
      .handle("setCriterionMet", ({ path, payload }) => criteria.setMet(path.ref, path.id, payload))
      .handle("attachPullRequest", ({ path, payload }) => pullRequests.attach(path.ref, payload))
  })
)
