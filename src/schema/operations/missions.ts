import { operation } from "../Operation.ts"

const beta = "missions"

export const createMission = operation({
  name: "missions.create",
  summary: "Plan a mission: ordered fixes of a goal on one branch; nothing runs before a person approves.",
  scopes: ["submit_program_jobs"],
  access: "write",
  beta
})
export const resubmitMission = operation({
  name: "missions.resubmit",
  summary: "Plan a mission again that was sent back, failed or was cancelled.",
  scopes: ["submit_program_jobs"],
  access: "write",
  destructive: true,
  beta
})
export const listMissions = operation({
  name: "missions.list",
  summary: "List missions, the newest first.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const readMission = operation({
  name: "missions.read",
  summary: "Read one mission with its plan and what has become of each step.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const readMissionOfRepository = operation({
  name: "missions.read_of_repository",
  summary: "Read one mission by its number below the path of its repository.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const listMissionEvents = operation({
  name: "missions.events",
  summary: "List the history of a mission, the newest event first.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const resolveMission = operation({
  name: "missions.resolve",
  summary: "Find the mission of a repository's number or branch, or of a pull request.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const listMissionsWaitingOnMe = operation({
  name: "missions.waiting",
  summary: "List the missions that wait on the caller, the longest wait first.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const readMissionPullRequest = operation({
  name: "missions.pull_request",
  summary: "Read the branch, the commits and the pull request of a mission.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const readMissionSettings = operation({
  name: "missions.settings",
  summary: "Read what missions can do in this workspace, and their limits.",
  scopes: ["view_jobs"],
  access: "read",
  beta
})
export const pauseMission = operation({
  name: "missions.pause",
  summary: "Pause a running mission: the step under way ends, and no other begins.",
  scopes: ["cancel_running_jobs"],
  access: "write",
  destructive: true,
  idempotent: true,
  beta
})

// What a person decides is no tool: an agent cannot approve its own plan or raise its own budget.

export const approveMission = operation({
  name: "missions.approve",
  summary: "Approve the plan of a mission, which then runs.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  idempotent: true,
  beta
})
export const sendBackMission = operation({
  name: "missions.send_back",
  summary: "Send the plan of a mission back with the reason.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  destructive: true,
  idempotent: true,
  beta
})
export const raiseMissionBudget = operation({
  name: "missions.raise_budget",
  summary: "Raise the budget of a mission; one that waits for it goes on.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  beta
})
export const skipMissionStep = operation({
  name: "missions.skip_step",
  summary: "Skip a pending or failed step of a mission.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  destructive: true,
  idempotent: true,
  beta
})
export const retryMissionStep = operation({
  name: "missions.retry_step",
  summary: "Try a failed step of a mission again.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  beta
})
export const answerMission = operation({
  name: "missions.answer",
  summary: "Answer what a mission asks; the step that asked is tried again with the answer.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  beta
})
export const resumeMission = operation({
  name: "missions.resume",
  summary: "Resume a paused mission.",
  scopes: ["submit_program_jobs"],
  access: "write",
  only: "session",
  idempotent: true,
  beta
})
export const cancelMission = operation({
  name: "missions.cancel",
  summary: "Cancel a mission for good, with the job of the step under way.",
  scopes: ["cancel_running_jobs"],
  access: "write",
  only: "session",
  destructive: true,
  idempotent: true,
  beta
})
