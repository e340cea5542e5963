import { Effect } from "effect"
import { AuditFreshness, RepositoryBrief, RepositoryOverview } from "../schema/Overview.ts"
import { repositories as operations } from "../schema/operations/index.ts"
import { RegisterRepository, Repository, RepositoryPreview, repositoryChanges } from "../schema/Repository.ts"
import { guidanceText, RepositoryGuidance, ReviewInstructions, reviewInstructionsText } from "../schema/Setting.ts"
import { Overviews } from "../services/overview/Overviews.ts"
import { RepositoryBriefs } from "../services/overview/RepositoryBriefs.ts"
import { Repositories } from "../services/repositories/Repositories.ts"
import { RepositoryTexts } from "../services/settings/RepositoryTexts.ts"
import { recordWithin } from "./answerSize.ts"
import { repositoryArgs } from "./args.ts"
import { tool } from "./Tool.ts"

/** Characters of a brief: 3,000 tokens with what surrounds it. */
const maxBrief = 11_500

/** State of a repository, preview of a registration, and guidance for its contributors. */
export const OverviewTools = Effect.map(
  Effect.all([Overviews, Repositories, RepositoryTexts, RepositoryBriefs]),
  ([overviews, repositories, texts, briefs]) => [
    tool({
      name: "get_repository_brief",
      title: "Get repository brief",
      description:
        "Read first: a repository's state, open counts, most severe findings, knowledge and team context. Use get_repository_knowledge for more.",
      operation: operations.readBrief,
      args: repositoryArgs,
      result: RepositoryBrief,
      run: (path) => Effect.map(briefs.read(path), (brief) => recordWithin(brief, maxBrief))
    }),
    tool({
      name: "get_repository_overview",
      title: "Get repository overview",
      description:
        "Read a repository's open counts, benchmark scores, latest runs and fix pull requests. Use list_observations for findings.",
      operation: operations.readOverview,
      args: repositoryArgs,
      result: RepositoryOverview,
      run: (path) => overviews.ofRepository(path)
    }),
    tool({
      name: "get_audit_freshness",
      title: "Get audit freshness",
      description: "Check whether a repository's newest commit was audited, and when. Use submit_job to audit it.",
      operation: operations.readFreshness,
      args: repositoryArgs,
      result: AuditFreshness,
      run: (path) => overviews.freshness(path)
    }),
    tool({
      name: "preview_repository",
      title: "Preview repository",
      description: "Inspect a remote repository without registering it. Use register_repository to register it.",
      operation: operations.previewRepository,
      args: RegisterRepository.fields,
      result: RepositoryPreview,
      run: (request) => repositories.preview(request)
    }),
    tool({
      name: "update_repository",
      title: "Update repository",
      description:
        "Change a repository's display name, description, clone URL or access mode. Use get_repository for the current values.",
      operation: operations.updateRepository,
      args: { ...repositoryArgs, ...repositoryChanges },
      result: Repository,
      run: ({ github_org, github_repo, github_base_branch, ...changes }) =>
        repositories.update({ github_org, github_repo, github_base_branch }, changes)
    }),
    tool({
      name: "get_repository_guidance",
      title: "Get repository guidance",
      description:
        "Read the guidance for everyone who works on a repository. Use get_workspace_guidance for the workspace's.",
      operation: operations.readGuidance,
      args: repositoryArgs,
      result: RepositoryGuidance,
      run: (path) => texts.guidance(path)
    }),
    tool({
      name: "set_repository_guidance",
      title: "Set repository guidance",
      description:
        "Replace the guidance for everyone who works on a repository. Use get_repository_guidance to read it first.",
      operation: operations.setGuidance,
      args: { ...repositoryArgs, text: guidanceText },
      result: RepositoryGuidance,
      run: ({ text, ...path }) => texts.setGuidance(path, text)
    }),
    tool({
      name: "get_review_instructions",
      title: "Get review instructions",
      description:
        "Read the instructions that reviews of a repository follow. Use set_review_instructions to replace them.",
      operation: operations.readReviewInstructions,
      args: repositoryArgs,
      result: ReviewInstructions,
      run: (path) => texts.reviewInstructions(path)
    }),
    tool({
      name: "set_review_instructions",
      title: "Set review instructions",
      description:
        "Replace the instructions that reviews of a repository follow; empty: the workspace's. Use get_review_instructions to read them.",
      operation: operations.setReviewInstructions,
      args: { ...repositoryArgs, text: reviewInstructionsText },
      result: ReviewInstructions,
      run: ({ text, ...path }) => texts.setReviewInstructions(path, text)
    })
  ]
)
