import {
  type Mission,
  type MissionPullRequest,
  type MissionStep,
  type MissionSummary,
  type MissionWaiting
} from "../../schema/Mission.ts"
import type { MissionRow, SummaryRow } from "./MissionReadsRepo.ts"
import type { StepRow } from "./MissionsRepo.ts"

interface WaitingColumns {
  readonly waiting_kind: MissionWaiting["kind"] | null
  readonly waiting_message: string | null
  readonly waiting_since: string | null
}

const waitingOf = ({ waiting_kind, waiting_message, waiting_since }: WaitingColumns): MissionWaiting | null =>
  waiting_kind === null || waiting_message === null || waiting_since === null
    ? null
    : { kind: waiting_kind, message: waiting_message, since: waiting_since }

export const summaryOf = ({ waiting_kind, waiting_message, waiting_since, ...row }: SummaryRow): MissionSummary => ({
  ...row,
  waiting: waitingOf({ waiting_kind, waiting_message, waiting_since })
})

const sentBackOf = ({ sent_back_reason, sent_back_by, sent_back_at }: MissionRow): Mission["sent_back"] =>
  sent_back_reason === null || sent_back_by === null || sent_back_at === null
    ? null
    : { reason: sent_back_reason, by: sent_back_by, at: sent_back_at }

/** An issue that the reader may not see is not in the step, and neither are words that may be the issue's. */
const stepOf = ({ reserved_usd: _, answer: __, ...step }: StepRow, visible: ReadonlySet<string>): MissionStep => {
  const issues = step.issues.filter((ref) => visible.has(ref))
  const fromHidden = issues.length < step.issues.length && step.observations.length === 0
  return { ...step, issues, ...(fromHidden ? { title: "An issue", brief_md: "Resolve an issue." } : {}) }
}

export const missionOf = (
  row: MissionRow,
  steps: ReadonlyArray<StepRow>,
  visibleIssues: ReadonlySet<string>
): Mission => {
  const {
    waiting_kind,
    waiting_message,
    waiting_since,
    sent_back_reason,
    sent_back_by,
    sent_back_at,
    pr_number,
    ...rest
  } = row
  return {
    ...rest,
    waiting: waitingOf(row),
    sent_back: sentBackOf(row),
    steps: steps.map((step) => stepOf(step, visibleIssues))
  }
}

export const pullRequestOf = (
  { ref, branch, pr_url, pr_number }: MissionRow,
  steps: ReadonlyArray<StepRow>
): typeof MissionPullRequest.Type => ({
  ref,
  branch,
  pr_url,
  pr_number,
  commits: steps.flatMap(({ commits }) => commits)
})
