import { Effect } from "effect"
import { Overviews } from "../services/overview/Overviews.ts"
import { RepositoryBriefs } from "../services/overview/RepositoryBriefs.ts"
import { RepositoryTexts } from "../services/settings/RepositoryTexts.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const OverviewHandlers = group(
  Api,
  "repository_overview",
  Effect.fnUntraced(function* (handlers) {
    const overviews = yield* Overviews
    const briefs = yield* RepositoryBriefs
    const texts = yield* RepositoryTexts
    return handlers
      .handle("overview", ({ path }) => overviews.ofRepository(path))
      .handle("freshness", ({ path }) => overviews.freshness(path))
      .handle("brief", ({ path }) => briefs.read(path))
      .handle("guidance", ({ path }) => texts.guidance(path))
      .handle("setGuidance", ({ path, payload }) => texts.setGuidance(path, payload.text))
      .handle("reviewInstructions", ({ path }) => texts.reviewInstructions(path))
      .handle("setReviewInstructions", ({ path, payload }) => texts.setReviewInstructions(path, payload.text))
  })
)
