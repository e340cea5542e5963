import type { Operation } from "../Operation.ts"
import * as forecasts from "./forecasts.ts"
import * as jobs from "./jobs.ts"
import * as keys from "./keys.ts"
import * as observations from "./observations.ts"
import * as outbox from "./outbox.ts"
import * as projects from "./projects.ts"
import * as repositories from "./repositories.ts"
import * as sessions from "./sessions.ts"

export { forecasts, jobs, keys, observations, outbox, projects, repositories, sessions }

/** Everything a caller may do. */
export const operations: ReadonlyArray<Operation> = [
  sessions,
  keys,
  repositories,
  projects,
  jobs,
  observations,
  forecasts,
  outbox
].flatMap((area) => Object.values(area))
