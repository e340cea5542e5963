import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import {
  ApplicableRules,
  AskedPath,
  CanonicalPattern,
  DiscoveryFiles,
  HowToGuides,
  PatternName,
  PatternNotFound,
  RepositoryKnowledge
} from "../schema/Discovery.ts"
import { InvalidCursor, InvalidPayload } from "../schema/Errors.ts"
import { FixPrSummary } from "../schema/Fix.ts"
import { repositories } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import {
  RegisteredRepository,
  RegisterRepository,
  Repository,
  RepositoryAlreadyRegistered,
  RepositoryBusy,
  RepositoryNoLongerPublic,
  RepositoryNotFound,
  RepositoryPath,
  RepositoryPreview,
  RepositoryUnusable,
  RepositoryUnverified,
  ResetRepository,
  ResetRepositoryResponse,
  UpdateRepository
} from "../schema/Repository.ts"
import { Review } from "../schema/Review.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const RepositoriesPage = page("RepositoriesPage", Repository)
export const ReviewsPage = page("ReviewsPage", Review)
export const FixPrsPage = page("FixPrsPage", FixPrSummary)

export const RepositoriesApi = HttpApiGroup.make("repositories")
  .add(
    HttpApiEndpoint.get("list", "/api/repos")
      .annotateContext(serves(repositories.listRepositories))
      .setUrlParams(closed(pageQuery))
      .addSuccess(RepositoriesPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.post("register", "/api/repos")
      .annotateContext(serves(repositories.registerRepository))
      .setPayload(RegisterRepository)
      .addSuccess(RegisteredRepository, { status: 201 })
      .addError(onWire(RepositoryUnusable))
      .addError(onWire(RepositoryNoLongerPublic))
      .addError(onWire(RepositoryAlreadyRegistered))
      .addError(onWire(RepositoryUnverified))
  )
  .add(
    HttpApiEndpoint.post("preview", "/api/repos/preview")
      .annotateContext(serves(repositories.previewRepository))
      .setPayload(RegisterRepository)
      .addSuccess(RepositoryPreview)
      .addError(onWire(RepositoryUnusable))
      .addError(onWire(RepositoryNoLongerPublic))
      .addError(onWire(RepositoryUnverified))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(serves(repositories.updateRepository))
      .setPath(RepositoryPath)
      .setPayload(UpdateRepository)
      .addSuccess(Repository)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(RepositoryUnusable))
      .addError(onWire(RepositoryNoLongerPublic))
      .addError(onWire(RepositoryUnverified))
  )
  .add(
    HttpApiEndpoint.get("get", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(serves(repositories.readRepository))
      .setPath(RepositoryPath)
      .addSuccess(Repository)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.del("delete", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(serves(repositories.deleteRepository))
      .setPath(RepositoryPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.post("reset", "/api/repos/:github_org/:github_repo/:github_base_branch/reset")
      .annotateContext(serves(repositories.resetRepository))
      .setPath(RepositoryPath)
      .setPayload(ResetRepository)
      .addSuccess(ResetRepositoryResponse)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(RepositoryBusy))
      .addError(onWire(InvalidPayload))
  )
  .add(
    HttpApiEndpoint.get("discovery", "/api/repos/:github_org/:github_repo/:github_base_branch/discovery")
      .annotateContext(serves(repositories.readDiscovery))
      .setPath(RepositoryPath)
      .addSuccess(DiscoveryFiles)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("knowledge", "/api/repos/:github_org/:github_repo/:github_base_branch/knowledge")
      .annotateContext(serves(repositories.readKnowledge))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryKnowledge)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("rules", "/api/repos/:github_org/:github_repo/:github_base_branch/rules")
      .annotateContext(serves(repositories.readRules))
      .setPath(RepositoryPath)
      .setUrlParams(closed({ file_path: AskedPath }))
      .addSuccess(ApplicableRules)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("pattern", "/api/repos/:github_org/:github_repo/:github_base_branch/patterns/:pattern")
      .annotateContext(serves(repositories.readPattern))
      .setPath(Schema.Struct({ ...RepositoryPath.fields, pattern: PatternName }))
      .addSuccess(CanonicalPattern)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(PatternNotFound))
  )
  .add(
    HttpApiEndpoint.get("guides", "/api/repos/:github_org/:github_repo/:github_base_branch/guides")
      .annotateContext(serves(repositories.readGuides))
      .setPath(RepositoryPath)
      .addSuccess(HowToGuides)
      .addError(onWire(RepositoryNotFound))
  )
  .add(
    HttpApiEndpoint.get("reviews", "/api/repos/:github_org/:github_repo/:github_base_branch/reviews")
      .annotateContext(serves(repositories.listReviews))
      .setPath(RepositoryPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(ReviewsPage)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.get("fixPrs", "/api/repos/:github_org/:github_repo/:github_base_branch/fix-prs")
      .annotateContext(serves(repositories.listFixPrs))
      .setPath(RepositoryPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(FixPrsPage)
      .addError(onWire(RepositoryNotFound))
      .addError(onWire(InvalidCursor))
  )
  .middleware(Authorization)
