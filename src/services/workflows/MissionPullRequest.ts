import { Effect, Option } from "effect"
import { closed } from "../../schema/closed.ts"
import { MissionNumberFromRef, missionRefOf } from "../../schema/Mission.ts"
import { FixPrs, keptDiff } from "../fixes/FixPrs.ts"
import { missionPullRequestBody, missionPullRequestTitle } from "../fixes/pullRequestText.ts"
import { MissionStates } from "../missions/MissionStates.ts"
import { type MissionKey, type MissionState, MissionsRepo, type StepRow } from "../missions/MissionsRepo.ts"
import { MissionRunsRepo } from "../missions/run/MissionRunsRepo.ts"
import { type StageContext, StageFailed, stage, type Workflow } from "../ports/Workflow.ts"
import { FixPublication } from "./FixPublication.ts"
import { Scanning } from "./Scanning.ts"

/** The end of a mission: one pull request with the commits of all its steps. */
export class MissionPullRequestWorkflow extends Effect.Service<MissionPullRequestWorkflow>()(
  "MissionPullRequestWorkflow",
  {
    effect: Effect.gen(function* () {
      const missions = yield* MissionsRepo
      const runs = yield* MissionRunsRepo
      const states = yield* MissionStates
      const prs = yield* FixPrs
      const publication = yield* FixPublication
      const scanning = yield* Scanning

      const missionOf = Effect.fnUntraced(function* ({ job: { id: job_id, workspace_id } }: StageContext) {
        const found = yield* runs.ofPullRequestJob({ workspace_id, job_id })
        if (Option.isNone(found)) return yield* movedOn
        const key = { workspace_id, id: found.value.id }
        const mission = yield* missions.find(key)
        if (Option.isNone(mission)) return yield* movedOn
        const { branch, base_commit } = mission.value
        if (branch === null || base_commit === null) return yield* movedOn
        return { key, mission: mission.value, branch, base_commit }
      })

      /** The whole branch as it is at the remote: people may have pushed to it. */
      const changeOf = Effect.fnUntraced(function* ({ job }: StageContext, branch: string, base_commit: string) {
        const { gitDir, revision } = yield* scanning.revisionOf(job, { kind: "branch", name: branch })
        const { diff, truncated } = keptDiff(yield* publication.diff(gitDir, base_commit, revision))
        return { head_commit: revision, diff: truncated ? null : diff }
      })

      /** The attempts at the observations are followed with the pull request from now on. */
      const opened = Effect.fnUntraced(function* (
        key: MissionKey,
        pr: { readonly pr_url: string; readonly pr_number: number | null; readonly branch: string }
      ) {
        for (const { id } of yield* runs.attemptsToOpen(key)) {
          const attempt = { workspace_id: key.workspace_id, id }
          // Where the mission was cancelled once, so was the attempt.
          if (!(yield* prs.opened(attempt, pr)) && (yield* prs.resumed(attempt))) yield* prs.opened(attempt, pr)
        }
        yield* states.setPullRequest(key, pr)
      })

      const pullRequest = stage("pull_request", (context) =>
        Effect.gen(function* () {
          const { key, mission, branch, base_commit } = yield* missionOf(context)
          const change = yield* changeOf(context, branch, base_commit)
          const steps = yield* missions.steps(key)
          const { goal_md } = yield* runs.stateOf(key)
          const description = describe(mission, goal_md, steps)
          const text = { title: missionPullRequestTitle(description), body: missionPullRequestBody(description) }
          const { url: pr_url, number: pr_number } = yield* publication.open(context, {
            head: branch,
            mayBeOpen: mission.pr_url !== null,
            text
          })
          yield* context.commit(
            Effect.zipRight(opened(key, { pr_url, pr_number, branch }), runs.setChange(key, change))
          )
          return { pr_url, pr_number, branch, commits: steps.flatMap(({ commits }) => commits) }
        })
      )

      return {
        name: "mission_pull_request",
        beta: "missions",
        params: closed({ mission: MissionNumberFromRef }),
        stages: [pullRequest]
      } satisfies Workflow
    })
  }
) {}

const movedOn = new StageFailed({ failure_kind: "no_changes", message: "The mission has no pull request to open." })

const describe = ({ number, title }: MissionState, goal: string, steps: ReadonlyArray<StepRow>) => ({
  ref: missionRefOf(number),
  title,
  goal,
  steps: steps.map((step) => ({
    title: step.title,
    refs: [...step.observations, ...step.issues],
    commit: step.commits.at(-1) ?? null,
    skipped: step.status === "skipped" ? (step.failure ?? "a person skipped it.") : null
  }))
})
