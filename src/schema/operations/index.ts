import type { Operation } from "../Operation.ts"
import * as auditLog from "./auditLog.ts"
import * as context from "./context.ts"
import * as credentials from "./credentials.ts"
import * as forecasts from "./forecasts.ts"
import * as jobs from "./jobs.ts"
import * as keys from "./keys.ts"
import * as members from "./members.ts"
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
import * as workspace from "./workspace.ts"

export {
  auditLog,
  context,
  credentials,
  forecasts,
  jobs,
  keys,
  members,
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
  jobs,
  observations,
  trackers,
  views,
  forecasts,
  context,
  projectContext,
  notices,
  outbox,
  auditLog
].flatMap((area) => Object.values(area))
