import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AuditFreshness, RepositoryBrief, RepositoryOverview } from "../schema/Overview.ts"
import { repositories } from "../schema/operations/index.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { RepositoryGuidance, ReviewInstructions, SetGuidance, SetReviewInstructions } from "../schema/Setting.ts"
import { SecretDetected } from "../schema/TeamContext.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryErrors } from "./errors.ts"
import { onWire, serves } from "./wire.ts"

const repository = "/api/repos/:github_org/:github_repo/:github_base_branch" as const

/** State of a repository, and the guidance for those who work on it. */
export const OverviewApi = HttpApiGroup.make("repository_overview")
  .add(
    HttpApiEndpoint.get("overview", `${repository}/overview`)
      .annotateContext(
        serves(
          repositories.readOverview,
          `Shows open counts, benchmark scores, last runs and open fix pull requests of a repository. A score is 100 / (1 + load / 10), at most 50 with an open P0 and 80 with an open P1. The load is the weight of open findings and advisories for every 1,000 lines: P0 10, P1 4, P2 1.5, P3 0.5, each times its confidence.`
        )
      )
      .setPath(RepositoryPath)
      .addSuccess(RepositoryOverview)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("freshness", `${repository}/audit-freshness`)
      .annotateContext(
        serves(
          repositories.readFreshness,
          "Shows whether the newest commit was audited. Asks the remote for that commit, for at most five seconds."
        )
      )
      .setPath(RepositoryPath)
      .addSuccess(AuditFreshness)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("brief", `${repository}/brief`)
      .annotateContext(
        serves(
          repositories.readBrief,
          "The page to read first: state, open counts, most severe findings, knowledge and team context, each shortened. Parts that need view_observations or view_context are left out without them."
        )
      )
      .setPath(RepositoryPath)
      .addSuccess(RepositoryBrief)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("guidance", `${repository}/guidance`)
      .annotateContext(serves(repositories.readGuidance))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryGuidance)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.put("setGuidance", `${repository}/guidance`)
      .annotateContext(serves(repositories.setGuidance))
      .setPath(RepositoryPath)
      .setPayload(SetGuidance)
      .addSuccess(RepositoryGuidance)
      .addError(onWire(RepositoryNotFound, SecretDetected))
  )
  .add(
    HttpApiEndpoint.get("reviewInstructions", `${repository}/review-instructions`)
      .annotateContext(serves(repositories.readReviewInstructions))
      .setPath(RepositoryPath)
      .addSuccess(ReviewInstructions)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.put("setReviewInstructions", `${repository}/review-instructions`)
      .annotateContext(
        serves(
          repositories.setReviewInstructions,
          "Replaces a repository's own review instructions; an empty text leaves only the workspace's. A line `ignore paths:`, `ignore rules:`, `focus rules:` or `max comments:` directs reviews; one that cannot is rejected with its number and what is allowed."
        )
      )
      .setPath(RepositoryPath)
      .setPayload(SetReviewInstructions)
      .addSuccess(ReviewInstructions)
      .addError(onWire(RepositoryNotFound, SecretDetected))
  )
  .annotate(OpenApi.Description, "State of a repository, and the guidance for those who work on it.")
  .middleware(Authorization)
