import type { FixPr } from "../../api/fixes.ts"
import type { IconName } from "../../parts/icon/Icon.tsx"

interface Lane {
  readonly name: string
  readonly icon: IconName
  readonly statuses: ReadonlyArray<FixPr["status"]>
  /** What an empty lane means. */
  readonly empty: string
}

/** From what waits for a person to what is done. */
export const lanes: ReadonlyArray<Lane> = [
  { name: "Needs attention", icon: "warn", statuses: ["needs_attention"], empty: "No fix waits for a decision." },
  { name: "In review", icon: "pr", statuses: ["in_review"], empty: "No fix waits for a review." },
  { name: "Revising", icon: "again", statuses: ["revising"], empty: "No fix was sent back." },
  { name: "Merged", icon: "check", statuses: ["merged"], empty: "No fix was merged yet." },
  { name: "Closed", icon: "skip", statuses: ["closed", "abandoned"], empty: "No fix was closed unmerged." }
]

/** How many cards of a lane are shown at once. */
export const laneSize = 20

const at = ({ finished_at, started_at }: Pick<FixPr, "finished_at" | "started_at">): string =>
  finished_at ?? started_at ?? ""

/** The pull requests of a lane, the newest first. */
export const inLane = (rows: ReadonlyArray<FixPr>, { statuses }: Lane): ReadonlyArray<FixPr> =>
  rows.filter(({ status }) => statuses.includes(status)).sort((a, b) => at(b).localeCompare(at(a)))
