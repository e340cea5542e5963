import type { Schema } from "../../api/client.ts"
import { StateBadge, type StateLook } from "./Badge.tsx"

type Readiness = Schema<"ChangeReview">["readiness"]
type Verdict = Schema<"ChangeReviewCriterion">["verdict"]

const states: Readonly<Record<Readiness, StateLook>> = {
  ready: { words: "Ready", icon: "done", tone: "good" },
  not_ready: { words: "Not ready", icon: "fail", tone: "p0" },
  needs_attention: { words: "Needs attention", icon: "warn", tone: "p1" },
  running: { words: "Running", icon: "run", tone: "info" }
}

const verdicts: Readonly<Record<Verdict, StateLook>> = {
  met: { words: "Met", icon: "done", tone: "good" },
  not_met: { words: "Not met", icon: "fail", tone: "p0" },
  cannot_tell: { words: "Undecided", icon: "warn", tone: "p1" },
  pending: { words: "Pending", icon: "wait", tone: "p3" }
}

export const ReadinessState = ({ readiness }: { readonly readiness: Readiness }) => (
  <StateBadge look={states[readiness]} pill turning={readiness === "running"} />
)

export const VerdictState = ({ verdict }: { readonly verdict: Verdict }) => <StateBadge look={verdicts[verdict]} pill />
