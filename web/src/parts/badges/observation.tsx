import type { Schema } from "../../api/client.ts"
import { Badge, StateBadge, type StateLook } from "./Badge.tsx"

type Observation = Schema<"Observation">

export const priorityWords = { P0: "Critical", P1: "High", P2: "Medium", P3: "Low" } as const
export const kindWords = { finding: "Finding", advisory: "Advisory", suggestion: "Suggestion" } as const

const toneOf = { P0: "p0", P1: "p1", P2: "p2", P3: "p3" } as const
const iconOf = { P0: "p0", P1: "p1", P2: "p2", P3: "p3" } as const

/** `short` leaves the word to assistive technology, for narrow columns. */
export const Priority = ({
  priority,
  short = false,
  pill = false
}: {
  readonly priority: Observation["priority"]
  readonly short?: boolean
  readonly pill?: boolean
}) => (
  <Badge icon={iconOf[priority]} tone={toneOf[priority]} pill={pill}>
    {priority}
    <span className={short ? "hidden-text" : undefined}> {priorityWords[priority]}</span>
  </Badge>
)

export const Kind = ({ kind }: { readonly kind: Observation["kind"] }) => <Badge icon={kind}>{kindWords[kind]}</Badge>

type State = Pick<Observation, "status" | "close_reason" | "acknowledged_at" | "has_fix_pr">

/** What an observation's state is called, with its icon and colour. */
export const stateOf = ({ status, close_reason, acknowledged_at, has_fix_pr }: State): StateLook => {
  if (status === "closed") {
    if (close_reason === "fixed") return { words: "Fixed", icon: "check", tone: "good" }
    if (close_reason === "completed") return { words: "Completed", icon: "done", tone: "good" }
    if (close_reason === "expired") return { words: "Expired", icon: "clock", tone: "p3" }
    return { words: "Dismissed", icon: "dismiss", tone: "p3" }
  }
  if (has_fix_pr) return { words: "Fix in review", icon: "pr", tone: "review" }
  if (acknowledged_at !== null) return { words: "Acknowledged", icon: "eye", tone: "p3" }
  return { words: "New", icon: "issue", tone: "info" }
}

export const ObservationState = ({ observation }: { readonly observation: State }) => (
  <StateBadge look={stateOf(observation)} pill />
)
