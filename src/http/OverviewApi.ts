import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { AuditFreshness, RepositoryBrief, RepositoryOverview, RepositoryScores } from "../schema/Overview.ts"
import { repositories } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { RepositoryNotFound, RepositoryPath } from "../schema/Repository.ts"
import { RepositoryGuidance, ReviewInstructions, SetGuidance, SetReviewInstructions } from "../schema/Setting.ts"
import { SecretDetected, VersionConflict } from "../schema/TeamContext.ts"
import { Authorization } from "./Authorization.ts"
import { RepositoryErrors } from "./errors.ts"
import { IfMatch } from "./etag.ts"
import { onWire, serves } from "./wire.ts"

const repository = "/api/repos/:github_org/:github_repo/:github_base_branch" as const

export const RepositoryScoresPage = page("RepositoryScoresPage", RepositoryScores)

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
    HttpApiEndpoint.get("scores", "/api/repos/scores")
      .annotateContext(
        serves(
          repositories.listScores,
          "Lists the scores of repositories, in the order of the list of repositories. The change is since right after the audit before the newest one, by today's priorities and confidences; null without such an audit."
        )
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(RepositoryScoresPage)
      .addError(onWire(InvalidCursor))
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
      .annotateContext(
        serves(
          repositories.setGuidance,
          "Replaces the guidance of a repository; an empty text removes it. With `If-Match`, a text that changed since is 409 `version_conflict`, with the text in `details.current`."
        )
      )
      .setPath(RepositoryPath)
      .setHeaders(IfMatch)
      .setPayload(SetGuidance)
      .addSuccess(RepositoryGuidance)
      .addError(onWire(RepositoryNotFound, SecretDetected, VersionConflict))
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
          "Replaces a repository's own review instructions; an empty text leaves only the workspace's. A line `ignore paths:`, `ignore rules:`, `focus rules:` or `max comments:` directs reviews; one that cannot is rejected with its number and what is allowed. With `If-Match`, a text that changed since is 409 `version_conflict`."
        )
      )
      .setPath(RepositoryPath)
      .setHeaders(IfMatch)
      .setPayload(SetReviewInstructions)
      .addSuccess(ReviewInstructions)
      .addError(onWire(RepositoryNotFound, SecretDetected, VersionConflict))
  )
  .annotate(OpenApi.Description, "State of a repository, and the guidance for those who work on it.")
  .middleware(Authorization)
