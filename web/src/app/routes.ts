import { changeReviewRoute } from "../views/change_review/route.ts"
import { changeReviewsRoute } from "../views/change_reviews/route.ts"
import { contextRoute } from "../views/context/route.ts"
import { fixPrsRoute } from "../views/fix_prs/route.ts"
import { issueRoute } from "../views/issue/route.ts"
import { issuesRoute } from "../views/issues/route.ts"
import { jobRoute } from "../views/job/route.ts"
import { jobsRoute } from "../views/jobs/route.ts"
import { keysRoute } from "../views/keys/route.ts"
import { missionRoute } from "../views/mission/route.ts"
import { missionsRoute } from "../views/missions/route.ts"
import { observationRoute } from "../views/observation/route.ts"
import { registerRoute } from "../views/register/route.ts"
import { repositoriesRoute } from "../views/repositories/route.ts"
import { repositoryRoute, repositoryTabRoute } from "../views/repository/route.ts"
import { membersRoute, settingsRoute, settingsStartRoute } from "../views/settings/route.ts"
import { signInRoute } from "../views/sign_in/route.ts"
import { startRoute } from "../views/start/route.ts"
import { trendsRoute } from "../views/trends/route.ts"
import { triageRoute } from "../views/triage/route.ts"
import { welcomeRoute } from "../views/welcome/route.ts"
import { rootRoute } from "./rootRoute.tsx"
import { shellRoute } from "./shellRoute.tsx"

/** Every view; a folder of views holds one. */
export const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.addChildren([
    startRoute,
    triageRoute,
    observationRoute,
    fixPrsRoute,
    issuesRoute,
    issueRoute,
    missionsRoute,
    missionRoute,
    changeReviewsRoute,
    changeReviewRoute,
    repositoriesRoute,
    contextRoute,
    keysRoute,
    settingsStartRoute,
    settingsRoute,
    membersRoute,
    jobsRoute,
    jobRoute,
    registerRoute,
    repositoryRoute,
    repositoryTabRoute,
    trendsRoute,
    welcomeRoute
  ])
])
