import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import { repositories } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import {
  RegisteredRepository,
  RegisterRepository,
  Repository,
  RepositoryAlreadyRegistered,
  RepositoryNoLongerPublic,
  RepositoryNotFound,
  RepositoryPath,
  RepositoryUnusable,
  RepositoryUnverified
} from "../schema/Repository.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const RepositoriesPage = page("RepositoriesPage", Repository)

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
  .middleware(Authorization)
