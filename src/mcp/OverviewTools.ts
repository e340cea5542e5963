import { Effect } from "effect"
import { AuditFreshness, RepositoryOverview } from "../schema/Overview.ts"
import { repositories as operations } from "../schema/operations/index.ts"
import { RegisterRepository, Repository, RepositoryPreview, repositoryChanges } from "../schema/Repository.ts"
import { guidanceText, RepositoryGuidance, ReviewInstructions } from "../schema/Setting.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoryTexts } from "../services/settings/RepositoryTexts.ts"
import { repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

/** How a repository stands, what registering one would find, and what is said to those who work on it. */
export const OverviewTools = Effect.map(
  Effect.all([Overviews, Repositories, RepositoryTexts]),
  ([overviews, repositories, texts]) => [
    tool({
      name: "get_repository_overview",
      title: "Get repository overview",
      operation: operations.readOverview,
      args: repositoryArgs,
      result: RepositoryOverview,
      run: (path) => overviews.ofRepository(path)
    }),
    tool({
      name: "get_audit_freshness",
      title: "Get audit freshness",
      operation: operations.readFreshness,
      args: repositoryArgs,
      result: AuditFreshness,
      quotesRepository: false,
      run: (path) => overviews.freshness(path)
    }),
    tool({
      name: "preview_repository",
      title: "Preview repository",
      operation: operations.previewRepository,
      args: RegisterRepository.fields,
      result: RepositoryPreview,
      run: (request) => repositories.preview(request)
    }),
    tool({
      name: "update_repository",
      title: "Update repository",
      operation: operations.updateRepository,
      args: { ...repositoryArgs, ...repositoryChanges },
      result: Repository,
      quotesRepository: false,
      idempotent: true,
      run: ({ github_org, github_repo, github_base_branch, ...changes }) =>
        repositories.update({ github_org, github_repo, github_base_branch }, changes)
    }),
    tool({
      name: "get_repository_guidance",
      title: "Get repository guidance",
      operation: operations.readGuidance,
      args: repositoryArgs,
      result: RepositoryGuidance,
      quotesRepository: false,
      run: (path) => texts.guidance(path)
    }),
    tool({
      name: "set_repository_guidance",
      title: "Set repository guidance",
      operation: operations.setGuidance,
      args: { ...repositoryArgs, text: guidanceText },
      result: RepositoryGuidance,
      quotesRepository: false,
      idempotent: true,
      run: ({ text, ...path }) => texts.setGuidance(path, text)
    }),
    tool({
      name: "get_review_instructions",
      title: "Get review instructions",
      operation: operations.readReviewInstructions,
      args: repositoryArgs,
      result: ReviewInstructions,
      quotesRepository: false,
      run: (path) => texts.reviewInstructions(path)
    }),
    tool({
      name: "set_review_instructions",
      title: "Set review instructions",
      operation: operations.setReviewInstructions,
      args: { ...repositoryArgs, text: guidanceText },
      result: ReviewInstructions,
      quotesRepository: false,
      idempotent: true,
      run: ({ text, ...path }) => texts.setReviewInstructions(path, text)
    })
  ]
)
