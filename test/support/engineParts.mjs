// What every worker process on dist needs besides its workflows; no pull request is opened or attached, and no mission runs.
import { Effect, Layer } from "effect"
import { MissionJobsBelow } from "../../dist/layers/Repos.js"
import { FixPrWatch } from "../../dist/services/fixes/FixPrWatch.js"
import { IssuePullRequestWatch } from "../../dist/services/issues/IssuePullRequestWatch.js"
import { IdempotencyRepo } from "../../dist/services/jobs/IdempotencyRepo.js"
import { JobClaimsRepo } from "../../dist/services/jobs/JobClaimsRepo.js"
import { JobEventsRepo } from "../../dist/services/jobs/JobEventsRepo.js"
import { JobsRepo } from "../../dist/services/jobs/JobsRepo.js"
import { StagesRepo } from "../../dist/services/jobs/StagesRepo.js"
import { MissionRuns } from "../../dist/services/missions/run/MissionRuns.js"

const repos = Layer.mergeAll(JobsRepo.Default, JobClaimsRepo.Default, StagesRepo.Default, IdempotencyRepo.Default).pipe(
  Layer.provide(MissionJobsBelow),
  Layer.provideMerge(JobEventsRepo.Default)
)

const otherLoops = Layer.mergeAll(
  Layer.mock(FixPrWatch, { _tag: "FixPrWatch", loop: Effect.never }),
  Layer.mock(IssuePullRequestWatch, { _tag: "IssuePullRequestWatch", loop: Effect.never }),
  Layer.mock(MissionRuns, { _tag: "MissionRuns", loop: Effect.never })
)

export const engineParts = Layer.merge(repos, otherLoops)
