import { Effect } from "effect"
import { Overviews } from "../services/overview/Overviews.ts"
import { RepositoryBriefs } from "../services/overview/RepositoryBriefs.ts"
import { Scores } from "../services/overview/Scores.ts"
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
    const scores = yield* Scores
    return handlers
      .handle("overview", ({ path }) => overviews.ofRepository(path))
      .handle("scores", ({ urlParams }) => scores.list(urlParams))
      .handle("freshness", ({ path }) => overviews.freshness(path))
      .handle("brief", ({ path }) => briefs.read(path))
      .handle("guidance", ({ path }) => texts.guidance(path))
      .handle("setGuidance", ({ path, payload, headers }) => texts.setGuidance(path, payload.text, headers["if-match"]))
      .handle("reviewInstructions", ({ path }) => texts.reviewInstructions(path))
      .handle("setReviewInstructions", ({ path, payload, headers }) =>
        texts.setReviewInstructions(path, payload.text, headers["if-match"])
      )
  })
)
