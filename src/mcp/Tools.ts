import { Effect } from "effect"
import { ChangeReviewsTools } from "./ChangeReviewsTools.ts"
import { ContextTools } from "./ContextTools.ts"
import { ForecastsTools } from "./ForecastsTools.ts"
import { IssueClaimsTools } from "./IssueClaimsTools.ts"
import { IssueRelationsTools } from "./IssueRelationsTools.ts"
import { IssuesTools } from "./IssuesTools.ts"
import { JobsTools } from "./JobsTools.ts"
import { MissionsTools } from "./MissionsTools.ts"
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
    IssuesTools,
    IssueClaimsTools,
    IssueRelationsTools,
    MissionsTools,
    OverviewTools,
    WorkspaceTools,
    ReviewsTools,
    ChangeReviewsTools
  ]),
  (areas) => areas.flat()
)
