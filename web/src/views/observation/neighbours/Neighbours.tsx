import { useNavigate } from "@tanstack/react-router"
import { IconButton } from "../../../parts/button/Button.tsx"
import { useShortcuts } from "../../../parts/shortcuts/useShortcuts.ts"
import { useNeighbours } from "./useNeighbours.ts"

interface NeighboursProps {
  readonly observation: string
  /** The list that someone came from. */
  readonly list: string
  /** Its address, with this observation open. */
  readonly back: string
}

/** To the previous and next observation of the list, and back to it. */
export const Neighbours = ({ observation, list, back }: NeighboursProps) => {
  const navigate = useNavigate()
  const { next, previous, position, total } = useNeighbours(observation, list)
  // One press of "back" leads to the list, however many were looked at.
  const open = (ref: string | null) => {
    if (ref !== null) navigate({ to: "/observations/$ref", params: { ref }, search: { list }, replace: true })
  }
  useShortcuts([
    { keys: "j", label: "Next in the list", group: "Observation", run: () => open(next) },
    { keys: "k", label: "Previous in the list", group: "Observation", run: () => open(previous) },
    { keys: "esc", label: "Back to the list", group: "Observation", run: () => navigate({ href: back }) }
  ])
  return (
    <>
      {position === null ? null : (
        <span className="num muted">
          {position.toLocaleString("en-US")}
          {total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`}
        </span>
      )}
      <IconButton
        small
        icon="up"
        label="Previous in the list"
        isDisabled={previous === null}
        onPress={() => open(previous)}
      />
      <IconButton small icon="down" label="Next in the list" isDisabled={next === null} onPress={() => open(next)} />
    </>
  )
}
