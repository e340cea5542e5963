import { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { AuditFreshness, RepositoryOverview } from "../schema/Overview.ts"
import { repositories } from "../schema/operations/index.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { RepositoryGuidance, ReviewInstructions, SetGuidance } from "../schema/Setting.ts"
import { SecretDetected } from "../schema/TeamContext.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

const repository = "/api/repos/:github_org/:github_repo/:github_base_branch" as const

/** How a repository stands, and what is said to those who work on it. */
export const OverviewApi = HttpApiGroup.make("repository_overview")
  .add(
    HttpApiEndpoint.get("overview", `${repository}/overview`)
      .annotateContext(serves(repositories.readOverview))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryOverview)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("freshness", `${repository}/audit-freshness`)
      .annotateContext(serves(repositories.readFreshness))
      .setPath(RepositoryPath)
      .addSuccess(AuditFreshness)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("guidance", `${repository}/guidance`)
      .annotateContext(serves(repositories.readGuidance))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryGuidance)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.put("setGuidance", `${repository}/guidance`)
      .annotateContext(serves(repositories.setGuidance))
      .setPath(RepositoryPath)
      .setPayload(SetGuidance)
      .addSuccess(RepositoryGuidance)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(SecretDetected))
  )
  .add(
    HttpApiEndpoint.get("reviewInstructions", `${repository}/review-instructions`)
      .annotateContext(serves(repositories.readReviewInstructions))
      .setPath(RepositoryPath)
      .addSuccess(ReviewInstructions)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.put("setReviewInstructions", `${repository}/review-instructions`)
      .annotateContext(serves(repositories.setReviewInstructions))
      .setPath(RepositoryPath)
      .setPayload(SetGuidance)
      .addSuccess(ReviewInstructions)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(SecretDetected))
  )
  .middleware(Authorization)
