import { Effect } from "effect"
import {
  Mission,
  MissionNumberFromRef,
  MissionPullRequest,
  MissionSettings,
  MissionSummary,
  missionChanges,
  missionFilters,
  newMission,
  ResolvedMission,
  resolveFields
} from "../schema/Mission.ts"
import { missions as operations } from "../schema/operations/index.ts"
import { page } from "../schema/Page.ts"
import { MissionDecisions } from "../services/missions/MissionDecisions.ts"
import { MissionReads } from "../services/missions/MissionReads.ts"
import { Missions } from "../services/missions/Missions.ts"
import { pageWithin } from "./answerSize.ts"
import { pageArgs } from "./args.ts"
import { missionAnswer } from "./missionAnswers.ts"
import { tool } from "./Tool.ts"

const mission = { ref: MissionNumberFromRef }

export const MissionsTools = Effect.gen(function* () {
  const missions = yield* Missions
  const reads = yield* MissionReads
  const { pause } = yield* MissionDecisions
  return [
    tool({
      name: "create_mission",
      title: "Create mission",
      description:
        "Plan ordered fixes of a goal on one branch; a person approves before anything runs. Use get_mission to follow it.",
      operation: operations.createMission,
      args: newMission,
      result: Mission,
      run: (args) => Effect.map(missions.create(args), missionAnswer)
    }),
    tool({
      name: "resubmit_mission",
      title: "Resubmit mission",
      description: "Plan a mission again that was sent back, failed or was cancelled. Use get_mission for the reason.",
      operation: operations.resubmitMission,
      args: { ...mission, ...missionChanges },
      result: Mission,
      run: ({ ref, ...changes }) => Effect.map(missions.resubmit(ref, changes), missionAnswer)
    }),
    tool({
      name: "list_missions",
      title: "List missions",
      description: "List missions, the newest first. Use get_mission for the steps of one.",
      operation: operations.listMissions,
      args: { ...missionFilters, ...pageArgs(25) },
      result: page("MissionsPage", MissionSummary),
      run: ({ limit = 25, ...query }) => pageWithin(MissionSummary, limit, (limit) => reads.list({ ...query, limit }))
    }),
    tool({
      name: "get_mission",
      title: "Get mission",
      description:
        "Read one mission with its plan and what has become of each step. Use list_missions to find its ref.",
      operation: operations.readMission,
      args: mission,
      result: Mission,
      run: ({ ref }) => Effect.map(reads.get(ref), missionAnswer)
    }),
    tool({
      name: "resolve_mission",
      title: "Resolve mission",
      description:
        "Find a mission by repository and number, by branch or by pull request. Use get_mission for the steps.",
      operation: operations.resolveMission,
      args: resolveFields,
      result: ResolvedMission,
      run: (args) => reads.resolve(args)
    }),
    tool({
      name: "list_missions_waiting_on_me",
      title: "List missions waiting on me",
      description: "List the missions on which the person behind the call is to decide. Use get_mission for the steps.",
      operation: operations.listMissionsWaitingOnMe,
      args: pageArgs(25),
      result: page("MissionsPage", MissionSummary),
      run: ({ limit = 25, ...query }) =>
        pageWithin(MissionSummary, limit, (limit) => reads.waitingOnMe({ ...query, limit }))
    }),
    tool({
      name: "get_mission_pull_request",
      title: "Get mission pull request",
      description: "Read the branch, the commits and the pull request of a mission. Use get_mission for the steps.",
      operation: operations.readMissionPullRequest,
      args: mission,
      result: MissionPullRequest,
      run: ({ ref }) => reads.pullRequest(ref)
    }),
    tool({
      name: "get_mission_settings",
      title: "Get mission settings",
      description: "Read what missions can do in this workspace, and their limits. Use create_mission to plan one.",
      operation: operations.readMissionSettings,
      args: {},
      result: MissionSettings,
      run: () => Effect.succeed(reads.settings)
    }),
    tool({
      name: "pause_mission",
      title: "Pause mission",
      description:
        "Pause a running mission: the step under way ends, no other begins. A person resumes it in the web app.",
      operation: operations.pauseMission,
      args: mission,
      result: Mission,
      run: ({ ref }) => Effect.map(pause(ref), missionAnswer)
    })
  ]
})
