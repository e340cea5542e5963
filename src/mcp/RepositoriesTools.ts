import { Effect, Schema } from "effect"
import {
  ApplicableRules,
  CanonicalPattern,
  HowToGuides,
  PatternName,
  RepositoryKnowledge
} from "../schema/Discovery.ts"
import { FixPrSummary } from "../schema/Fix.ts"
import { futureFilePath } from "../schema/Observation.ts"
import { repositories as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { RegisterRepository, Repository } from "../schema/Repository.ts"
import { optional } from "../schema/Text.ts"
import { Discoveries } from "../services/discovery/Discoveries.ts"
import { FixPrs } from "../services/fixes/FixPrs.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { cutText, pageWithin } from "./answerSize.ts"
import { pageArgs, repositoryArgs } from "./args.ts"
import { briefGuides, briefKnowledge, briefPattern, briefRules, guidesNamed } from "./knowledgeAnswers.ts"
import { tool } from "./Tool.ts"

const fixPrRow = (fixPr: FixPrSummary): FixPrSummary => ({
  ...fixPr,
  title: cutText(fixPr.title, 300),
  last_failure_reason: fixPr.last_failure_reason === null ? null : cutText(fixPr.last_failure_reason, 400)
})

const guideName = "Slug of one guide or name of one recipe, to read it whole; an unknown one lists all."

export const RepositoriesTools = Effect.map(
  Effect.all([Repositories, Discoveries, FixPrs]),
  ([repositories, discoveries, fixPrs]) => [
    tool({
      name: "list_repositories",
      title: "List repositories",
      description:
        "List registered repositories with their open counts. Use get_repository_overview for details of one.",
      operation: operations.listRepositories,
      args: pageArgs(20),
      result: page("RepositoriesPage", Repository),
      run: ({ limit = 20, ...query }) =>
        pageWithin(Repository, limit, (limit) => repositories.list({ ...query, limit }))
    }),
    tool({
      name: "get_repository",
      title: "Get repository",
      description:
        "Read the record of one registered repository. Use get_repository_overview for jobs and benchmark scores.",
      operation: operations.readRepository,
      args: repositoryArgs,
      result: Repository,
      run: (path) => repositories.find(path)
    }),
    tool({
      name: "register_repository",
      title: "Register repository",
      description:
        "Register a repository branch, which spends no credit but needs room under the spend ceiling. Use preview_repository first.",
      operation: operations.registerRepository,
      args: RegisterRepository.fields,
      result: Repository,
      run: (request) => repositories.register(request)
    }),
    tool({
      name: "get_repository_knowledge",
      title: "Get repository knowledge",
      description:
        "Read a repository's profile, principles, conventions and directives. Use get_applicable_rules for a single file.",
      operation: operations.readKnowledge,
      args: repositoryArgs,
      result: RepositoryKnowledge,
      run: (path) => Effect.map(discoveries.knowledge(path, 20), briefKnowledge)
    }),
    tool({
      name: "get_applicable_rules",
      title: "Get applicable rules",
      description:
        "Read the rules, patterns and open observations that apply to one file. Use recent_issues for all its open findings.",
      operation: operations.readRules,
      args: { ...repositoryArgs, file_path: futureFilePath },
      result: ApplicableRules,
      run: ({ file_path, ...path }) => Effect.map(discoveries.rules(path, file_path), briefRules)
    }),
    tool({
      name: "get_canonical_pattern",
      title: "Get canonical pattern",
      description:
        "Read the most common way of doing something in a repository, with an example. Use get_repository_knowledge for the patterns' names.",
      operation: operations.readPattern,
      args: { ...repositoryArgs, pattern: PatternName },
      result: CanonicalPattern,
      run: ({ pattern, ...path }) => Effect.map(discoveries.pattern(path, pattern), briefPattern)
    }),
    tool({
      name: "get_how_to_guides",
      title: "Get how-to guides",
      description:
        "Read how to install, build, test and run a repository, and recipes for recurring changes. Use get_canonical_pattern for examples.",
      operation: operations.readGuides,
      args: { ...repositoryArgs, name: optional(Schema.String, guideName) },
      result: HowToGuides,
      run: ({ name, ...path }) => Effect.map(discoveries.guides(path), (all) => briefGuides(guidesNamed(all, name)))
    }),
    tool({
      name: "list_fix_prs",
      title: "List fix PRs",
      description:
        "List a repository's fix pull requests, newest first. Use get_observation for the finding that one fixes.",
      operation: operations.listFixPrs,
      args: { ...repositoryArgs, ...pageArgs(20) },
      result: page("FixPrsPage", FixPrSummary),
      run: ({ github_org, github_repo, github_base_branch, limit = 20, ...rest }) =>
        pageWithin(FixPrSummary, limit, (limit) =>
          Effect.map(fixPrs.list({ github_org, github_repo, github_base_branch }, { limit, ...rest }), (page) => ({
            ...page,
            data: page.data.map(fixPrRow)
          }))
        )
    })
  ]
)
