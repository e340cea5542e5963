import { type MissionStatus, MissionTransitionRejected, missionRefOf } from "../../schema/Mission.ts"
import type { MissionState } from "./MissionsRepo.ts"
import { reachableFrom } from "./transitions.ts"

/** What a caller is answered whose change the table of transitions does not have. */
export const rejectedMove = (
  { number, status }: Pick<MissionState, "number" | "status">,
  to: MissionStatus,
  wayOut: string
) =>
  new MissionTransitionRejected({
    message: `${missionRefOf(number)} is ${status.replaceAll("_", " ")}. ${wayOut}`,
    details: { from: status, to, allowed: reachableFrom(status) }
  })
