import { Effect } from "effect"
import { repositories as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { RegisterRepository, Repository } from "../schema/Repository.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

export const RepositoriesTools = Effect.map(Repositories, (repositories) => [
  tool({
    name: "list_repositories",
    title: "List repositories",
    operation: operations.listRepositories,
    args: pageArgs(20),
    result: page("RepositoriesPage", Repository),
    run: ({ limit = 20, cursor }) => repositories.list({ limit, ...(cursor === undefined ? {} : { cursor }) })
  }),
  tool({
    name: "get_repository",
    title: "Get repository",
    operation: operations.readRepository,
    args: repositoryArgs,
    result: Repository,
    run: (path) => repositories.find(path)
  }),
  tool({
    name: "register_repository",
    title: "Register repository",
    operation: operations.registerRepository,
    args: {
      github_org: RegisterRepository.fields.github_org,
      github_repo: RegisterRepository.fields.github_repo,
      github_base_branch: RegisterRepository.fields.github_base_branch,
      access_mode: RegisterRepository.fields.access_mode,
      clone_url: RegisterRepository.fields.clone_url
    },
    result: Repository,
    run: (request) => repositories.register(request)
  })
])
