import { Effect } from "effect"
import { ContextTools } from "./ContextTools.ts"
import { ForecastsTools } from "./ForecastsTools.ts"
import { JobsTools } from "./JobsTools.ts"
import { ObservationsTools } from "./ObservationsTools.ts"
import { OverviewTools } from "./OverviewTools.ts"
import { ProjectsTools } from "./ProjectsTools.ts"
import { RepositoriesTools } from "./RepositoriesTools.ts"
import { ReviewsTools } from "./ReviewsTools.ts"
import { TriageTools } from "./TriageTools.ts"
import { WorkspaceTools } from "./WorkspaceTools.ts"

/** Every tool, in the order clients see them. */
export const Tools = Effect.map(
  Effect.all([
    RepositoriesTools,
    JobsTools,
    ObservationsTools,
    TriageTools,
    ForecastsTools,
    ContextTools,
    ProjectsTools,
    OverviewTools,
    WorkspaceTools,
    ReviewsTools
  ]),
  (areas) => areas.flat()
)
