import type { ObservationDetail } from "../../../api/observation.ts"
import { useMay } from "../../../api/session.ts"
import { Button } from "../../../parts/button/Button.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { openAttempt } from "../actions/fixState.ts"
import { prName } from "../dialogs/ObservationDialogs.tsx"
import { FixChange } from "./SuggestedChange.tsx"

/** The change of the open pull request, and the ways to send it back or to withdraw it. */
export const FixPr = ({
  observation,
  onOpen
}: {
  readonly observation: ObservationDetail
  readonly onOpen: (dialog: "revise" | "withdraw") => void
}) => {
  const mayFix = useMay("submit_fix_jobs")
  const attempt = openAttempt(observation)
  if (attempt === null) return null
  return (
    <Section
      title={`Change of ${prName(attempt.pr_number)}`}
      actions={
        mayFix ? (
          <div className="line">
            <Button small onPress={() => onOpen("revise")} isDisabled={attempt.status === "revising"}>
              Revise…
            </Button>
            <Button small onPress={() => onOpen("withdraw")}>
              Withdraw…
            </Button>
          </div>
        ) : (
          <span className="muted">Your role may not revise or withdraw fixes.</span>
        )
      }
    >
      <FixChange observation={observation.ref} />
    </Section>
  )
}
