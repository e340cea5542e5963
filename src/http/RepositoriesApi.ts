import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { closed } from "../schema/closed.ts"
import {
  ApplicableRules,
  CanonicalPattern,
  DiscoveryFiles,
  HowToGuides,
  PatternName,
  PatternNotFound,
  RepositoryKnowledge
} from "../schema/Discovery.ts"
import { InvalidCursor, InvalidPayload } from "../schema/Errors.ts"
import { FixPrSummary } from "../schema/Fix.ts"
import { LocalFolders } from "../schema/Installation.ts"
import { futureFilePath } from "../schema/Observation.ts"
import { repositories } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import {
  RegisteredRepository,
  RegisterRepository,
  Repository,
  RepositoryAlreadyRegistered,
  RepositoryBusy,
  RepositoryNotFound,
  RepositoryPath,
  RepositoryPreview,
  ResetRepository,
  ResetRepositoryResponse,
  UpdateRepository
} from "../schema/Repository.ts"
import { RepositoryCommands, SetRepositoryCommands } from "../schema/RepositoryCommands.ts"
import { Review } from "../schema/Review.ts"
import { Authorization } from "./Authorization.ts"
import { RemoteErrors, RepositoryErrors, RepositoryPageErrors } from "./errors.ts"
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
      .annotateContext(
        serves(
          repositories.registerRepository,
          "Registers a repository branch. The remote is checked first: a repository that cannot be read is rejected. Registering a deleted one again restores its history."
        )
      )
      .setPayload(RegisterRepository)
      .addSuccess(RegisteredRepository, { status: 201 })
      .addError(RemoteErrors)
      .addError(onWire(RepositoryAlreadyRegistered))
  )
  .add(
    HttpApiEndpoint.post("preview", "/api/repos/preview")
      .annotateContext(
        serves(
          repositories.previewRepository,
          "Shows what registering would do, without registering. Accepts the body of registering."
        )
      )
      .setPayload(RegisterRepository)
      .addSuccess(RepositoryPreview)
      .addError(RemoteErrors)
  )
  .add(
    HttpApiEndpoint.get("localFolders", "/api/repos/local")
      .annotateContext(
        serves(
          repositories.listLocalFolders,
          "Lists git folders under the folders that the operator allows, at most four levels down. Symbolic links are not followed. Register one with its path as `clone_url`."
        )
      )
      .addSuccess(LocalFolders)
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(
        serves(
          repositories.updateRepository,
          "Changes a repository's display name, description, clone URL or access mode. A new URL or mode is checked first: a remote that cannot be read, or lacks the branch, is rejected."
        )
      )
      .setPath(RepositoryPath)
      .setPayload(UpdateRepository)
      .addSuccess(Repository)
      .addError(RepositoryErrors)
      .addError(RemoteErrors)
  )
  .add(
    HttpApiEndpoint.get("get", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(serves(repositories.readRepository))
      .setPath(RepositoryPath)
      .addSuccess(Repository)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.del("delete", "/api/repos/:github_org/:github_repo/:github_base_branch")
      .annotateContext(serves(repositories.deleteRepository))
      .setPath(RepositoryPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.post("reset", "/api/repos/:github_org/:github_repo/:github_base_branch/reset")
      .annotateContext(
        serves(
          repositories.resetRepository,
          "Deletes what the flags name; at least one must be true. Rejected while a job is queued or runs. Cannot be undone. Of deleted jobs only a record without results is left, for 24 hours, for an `Idempotency-Key` that is sent again."
        )
      )
      .setPath(RepositoryPath)
      .setPayload(ResetRepository)
      .addSuccess(ResetRepositoryResponse)
      .addError(onWire(RepositoryNotFound, RepositoryBusy, InvalidPayload))
  )
  .add(
    HttpApiEndpoint.get("discovery", "/api/repos/:github_org/:github_repo/:github_base_branch/discovery")
      .annotateContext(serves(repositories.readDiscovery))
      .setPath(RepositoryPath)
      .addSuccess(DiscoveryFiles)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("knowledge", "/api/repos/:github_org/:github_repo/:github_base_branch/knowledge")
      .annotateContext(serves(repositories.readKnowledge))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryKnowledge)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("rules", "/api/repos/:github_org/:github_repo/:github_base_branch/rules")
      .annotateContext(serves(repositories.readRules))
      .setPath(RepositoryPath)
      .setUrlParams(closed({ file_path: futureFilePath }))
      .addSuccess(ApplicableRules)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("pattern", "/api/repos/:github_org/:github_repo/:github_base_branch/patterns/:pattern")
      .annotateContext(serves(repositories.readPattern))
      .setPath(Schema.Struct({ ...RepositoryPath.fields, pattern: PatternName }))
      .addSuccess(CanonicalPattern)
      .addError(onWire(RepositoryNotFound, PatternNotFound))
  )
  .add(
    HttpApiEndpoint.get("guides", "/api/repos/:github_org/:github_repo/:github_base_branch/guides")
      .annotateContext(serves(repositories.readGuides))
      .setPath(RepositoryPath)
      .addSuccess(HowToGuides)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.get("reviews", "/api/repos/:github_org/:github_repo/:github_base_branch/reviews")
      .annotateContext(serves(repositories.listReviews))
      .setPath(RepositoryPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(ReviewsPage)
      .addError(RepositoryPageErrors)
  )
  .add(
    HttpApiEndpoint.get("fixPrs", "/api/repos/:github_org/:github_repo/:github_base_branch/fix-prs")
      .annotateContext(serves(repositories.listFixPrs))
      .setPath(RepositoryPath)
      .setUrlParams(closed(pageQuery))
      .addSuccess(FixPrsPage)
      .addError(RepositoryPageErrors)
  )
  .add(
    HttpApiEndpoint.get("commands", "/api/repos/:github_org/:github_repo/:github_base_branch/commands")
      .annotateContext(serves(repositories.readCommands))
      .setPath(RepositoryPath)
      .addSuccess(RepositoryCommands)
      .addError(RepositoryErrors)
  )
  .add(
    HttpApiEndpoint.put("setCommands", "/api/repos/:github_org/:github_repo/:github_base_branch/commands")
      .annotateContext(
        serves(
          repositories.setCommands,
          "Replaces the commands that fixes of a repository are checked with; what is left out has none. They run only where the operator allows commands (`ASSAY_ALLOW_COMMANDS`), in a sandbox without network."
        )
      )
      .setPath(RepositoryPath)
      .setPayload(SetRepositoryCommands)
      .addSuccess(RepositoryCommands)
      .addError(RepositoryErrors)
  )
  .annotate(OpenApi.Description, "Registered repository branches, and what is known about them.")
  .middleware(Authorization)
