import { Effect } from "effect"
import {
  ApplicableRules,
  AskedPath,
  CanonicalPattern,
  HowToGuides,
  PatternName,
  RepositoryKnowledge
} from "../schema/Discovery.ts"
import { FixPrSummary } from "../schema/Fix.ts"
import { repositories as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { RegisterRepository, Repository } from "../schema/Repository.ts"
import { Discoveries } from "../services/discovery/Discoveries.ts"
import { FixPrs } from "../services/observations/FixPrs.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

const clip = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

// A model's context is small: the REST route has all of it.
const brief = (knowledge: RepositoryKnowledge): RepositoryKnowledge => ({
  ...knowledge,
  principles: knowledge.principles === null ? null : clip(knowledge.principles, 4000),
  conventions: knowledge.conventions.slice(0, 10).map((one) => ({ ...one, content: clip(one.content, 1000) })),
  directives: knowledge.directives.map((one) => ({
    ...one,
    suggested_change: one.suggested_change === null ? null : clip(one.suggested_change, 300)
  }))
})

const briefGuides = ({ guides, skills, ...rest }: HowToGuides): HowToGuides => ({
  ...rest,
  guides: guides.map((one) => ({ ...one, content: clip(one.content, 1500) })),
  skills: skills.map((one) => ({ ...one, content: clip(one.content, 1200) }))
})

export const RepositoriesTools = Effect.map(
  Effect.all([Repositories, Discoveries, FixPrs]),
  ([repositories, discoveries, fixPrs]) => [
    tool({
      name: "list_repositories",
      title: "List repositories",
      operation: operations.listRepositories,
      args: pageArgs(20),
      result: page("RepositoriesPage", Repository),
      quotesRepository: false,
      run: ({ limit = 20, cursor }) => repositories.list({ limit, ...(cursor === undefined ? {} : { cursor }) })
    }),
    tool({
      name: "get_repository",
      title: "Get repository",
      operation: operations.readRepository,
      args: repositoryArgs,
      result: Repository,
      quotesRepository: false,
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
      quotesRepository: false,
      run: (request) => repositories.register(request)
    }),
    tool({
      name: "get_repository_knowledge",
      title: "Get repository knowledge",
      operation: operations.readKnowledge,
      args: repositoryArgs,
      result: RepositoryKnowledge,
      run: (path) => Effect.map(discoveries.knowledge(path, 20), brief)
    }),
    tool({
      name: "get_applicable_rules",
      title: "Get applicable rules",
      operation: operations.readRules,
      args: { ...repositoryArgs, file_path: AskedPath },
      result: ApplicableRules,
      run: ({ file_path, ...path }) => discoveries.rules(path, file_path)
    }),
    tool({
      name: "get_canonical_pattern",
      title: "Get canonical pattern",
      operation: operations.readPattern,
      args: { ...repositoryArgs, pattern: PatternName },
      result: CanonicalPattern,
      run: ({ pattern, ...path }) => discoveries.pattern(path, pattern)
    }),
    tool({
      name: "get_how_to_guides",
      title: "Get how-to guides",
      operation: operations.readGuides,
      args: repositoryArgs,
      result: HowToGuides,
      run: (path) => Effect.map(discoveries.guides(path), briefGuides)
    }),
    tool({
      name: "list_fix_prs",
      title: "List fix PRs",
      operation: operations.listFixPrs,
      args: { ...repositoryArgs, ...pageArgs(20) },
      result: page("FixPrsPage", FixPrSummary),
      run: ({ github_org, github_repo, github_base_branch, limit = 20, ...rest }) =>
        fixPrs.list({ github_org, github_repo, github_base_branch }, { limit, ...rest })
    })
  ]
)
