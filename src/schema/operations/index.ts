import type { Operation } from "../Operation.ts"
import * as forecasts from "./forecasts.ts"
import * as jobs from "./jobs.ts"
import * as keys from "./keys.ts"
import * as observations from "./observations.ts"
import * as repositories from "./repositories.ts"
import * as sessions from "./sessions.ts"

export { forecasts, jobs, keys, observations, repositories, sessions }

/** Everything a caller may do. */
export const operations: ReadonlyArray<Operation> = [
  sessions,
  keys,
  repositories,
  jobs,
  observations,
  forecasts
].flatMap((area) => Object.values(area))
