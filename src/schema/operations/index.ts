import type { Operation } from "../Operation.ts"
import * as auditLog from "./auditLog.ts"
import * as changeReviews from "./changeReviews.ts"
import * as context from "./context.ts"
import * as credentials from "./credentials.ts"
import * as forecasts from "./forecasts.ts"
import * as issueClaims from "./issueClaims.ts"
import * as issueRelations from "./issueRelations.ts"
import * as issues from "./issues.ts"
import * as jobs from "./jobs.ts"
import * as keys from "./keys.ts"
import * as members from "./members.ts"
import * as missions from "./missions.ts"
import * as notices from "./notices.ts"
import * as observations from "./observations.ts"
import * as outbox from "./outbox.ts"
import * as projectContext from "./projectContext.ts"
import * as projects from "./projects.ts"
import * as repositories from "./repositories.ts"
import * as rules from "./rules.ts"
import * as sessions from "./sessions.ts"
import * as singleSignOn from "./singleSignOn.ts"
import * as trackers from "./trackers.ts"
import * as trends from "./trends.ts"
import * as views from "./views.ts"
import * as webhooks from "./webhooks.ts"
import * as workspace from "./workspace.ts"

export {
  auditLog,
  changeReviews,
  context,
  credentials,
  forecasts,
  issueClaims,
  issueRelations,
  issues,
  jobs,
  keys,
  members,
  missions,
  notices,
  observations,
  outbox,
  projectContext,
  projects,
  repositories,
  rules,
  sessions,
  singleSignOn,
  trackers,
  trends,
  views,
  webhooks,
  workspace
}

/** Everything a caller may do. */
export const operations: ReadonlyArray<Operation> = [
  sessions,
  members,
  singleSignOn,
  keys,
  credentials,
  workspace,
  trends,
  rules,
  repositories,
  projects,
  issues,
  issueClaims,
  issueRelations,
  jobs,
  changeReviews,
  observations,
  missions,
  trackers,
  views,
  forecasts,
  context,
  projectContext,
  notices,
  outbox,
  webhooks,
  auditLog
].flatMap((area) => Object.values(area))
