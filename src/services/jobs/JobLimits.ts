import { Context } from "effect"

export interface JobLimitsSettings {
  /** Queued jobs a workspace may have; one more is refused. */
  readonly queuedPerWorkspace: number
  /** Jobs of one workspace that run at a time. */
  readonly runningPerWorkspace: number
  /** Jobs of one repository that run at a time. */
  readonly runningPerRepository: number
  /** Jobs that run at a time in the whole installation. */
  readonly running: number
  /** Stages that one process works on at a time; `running` should not exceed the sum over all processes. */
  readonly slots: number
}

export const defaultJobLimits: JobLimitsSettings = {
  queuedPerWorkspace: 20,
  runningPerWorkspace: 4,
  runningPerRepository: 4,
  running: 4,
  slots: 4
}

export class JobLimits extends Context.Reference<JobLimits>()("JobLimits", {
  defaultValue: (): JobLimitsSettings => defaultJobLimits
}) {}
