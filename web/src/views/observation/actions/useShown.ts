import { useSyncExternalStore } from "react"
import type { ObservationDetail } from "../../../api/observation.ts"
import { allChanges, onChanges, withChange } from "../../../api/triageChanges.ts"

/** An observation with the changes that the server has not answered yet. */
export const useShown = (observation: ObservationDetail): ObservationDetail => {
  const changes = useSyncExternalStore(onChanges, allChanges)
  const { locations } = observation
  return { ...observation, ...withChange(observation, changes), locations }
}
