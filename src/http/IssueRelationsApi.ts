import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TooManyObservations } from "../schema/BulkTriage.ts"
import {
  FiledIssues,
  Issue,
  IssuePath,
  IssueRelationPath,
  RelationCycle,
  RelationInvalid,
  RelationNotFound
} from "../schema/Issue.ts"
import { FileIssuesFromFindings, RelateIssues } from "../schema/IssueRequests.ts"
import { issueRelations } from "../schema/operations/index.ts"
import { Authorization } from "./Authorization.ts"
import { IssueChangeErrors, ProjectChangeErrors, RepositoryFilterErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

export const IssueRelationsApi = HttpApiGroup.make("issueRelations")
  .add(
    HttpApiEndpoint.post("relate", "/api/issues/:ref/relations")
      .annotateContext(
        serves(
          issueRelations.relateIssues,
          "Adds a relation from this issue to the other one, which the caller must see; the role is needed on this one's project. `blocks` and `parent_of` never form a cycle: 409 `relation_cycle` names it in `details.path`. A relation that exists stays as it is."
        )
      )
      .setPath(IssuePath)
      .setPayload(RelateIssues)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(onWire(RelationCycle, RelationInvalid))
  )
  .add(
    HttpApiEndpoint.del("unrelate", "/api/issues/:ref/relations/:kind/:other")
      .annotateContext(serves(issueRelations.unrelateIssues))
      .setPath(IssueRelationPath)
      .addSuccess(Issue)
      .addError(IssueChangeErrors)
      .addError(onWire(RelationNotFound))
  )
  .add(
    HttpApiEndpoint.post("fileFromFindings", "/api/issues/from-findings")
      .annotateContext(
        serves(
          issueRelations.fileFromFindings,
          "Files an issue for each observation, or one for each rule or file, with a criterion for each observation that is met once it is closed as fixed or completed, or is no longer found. Observations that have an open issue are in `existing`, those that are closed or not found in `skipped`; a filter is about open ones only. More than 100 matches are 422 `too_many`, with `details.count`. With `preview`, nothing is filed."
        )
      )
      .setPayload(FileIssuesFromFindings)
      .addSuccess(FiledIssues)
      .addError(ProjectChangeErrors)
      .addError(RepositoryFilterErrors)
      .addError(onWire(TooManyObservations))
  )
  .annotate(OpenApi.Description, "How issues relate to each other, and to what audits found.")
  .middleware(Authorization)
