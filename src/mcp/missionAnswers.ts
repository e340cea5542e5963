import type { Mission, MissionStep } from "../schema/Mission.ts"
import { cutText } from "./answerSize.ts"

/** Characters that the briefs of all steps share: a model should see every step before the whole of any brief. */
const maxBriefs = 12_000
const shortestBrief = 120

const briefly =
  (max: number) =>
  (step: MissionStep): MissionStep => ({
    ...step,
    brief_md: cutText(step.brief_md, max),
    // Of what has passed, its name says all.
    gates: step.gates.filter(({ result }) => result === "failed" || result === "warned")
  })

/** A mission as tools return it: all its steps, with the beginning of each brief. */
export const missionAnswer = (mission: Mission): Mission => ({
  ...mission,
  steps: mission.steps.map(briefly(Math.max(shortestBrief, Math.floor(maxBriefs / Math.max(1, mission.steps.length)))))
})
