import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { observationQuery } from "../../api/observation.ts"
import { lookOf } from "../../parts/button/look.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { OutsideLink } from "../../parts/markdown/OutsideLink.tsx"
import { Title } from "../../parts/text/Title.tsx"
import { openAttempt } from "../observation/actions/fixState.ts"
import { dialogOf, ObservationDialogs, prName } from "../observation/dialogs/ObservationDialogs.tsx"
import { Attempts } from "../observation/sections/Attempts.tsx"
import { FixPr } from "../observation/sections/FixPr.tsx"
import { FixChange } from "../observation/sections/SuggestedChange.tsx"
import styles from "./FixPrs.module.css"

interface OpenFixProps {
  readonly observation: string
  readonly dialog: string | undefined
  readonly onDialog: (dialog: string | null) => void
}

/** One fix: its change, the gates it passed, and the ways to send it back or to withdraw it. */
export const OpenFix = ({ observation, dialog, onDialog }: OpenFixProps) => {
  const { data, error, refetch } = useQuery(observationQuery(observation))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones what={observation} />
  const attempt = openAttempt(data) ?? data.attempts.at(-1) ?? null
  return (
    <section className={styles.open} aria-label={`Fix of ${observation}`}>
      <div className="spread wrap">
        <h2>
          <Title text={data.title} />
        </h2>
        <div className="line">
          {attempt?.pr_url == null ? null : (
            <OutsideLink url={attempt.pr_url}>Open {prName(attempt.pr_number)}</OutsideLink>
          )}
          <Link to="/observations/$ref" params={{ ref: observation }} className={lookOf({ small: true })}>
            Open {observation}
          </Link>
        </div>
      </div>
      {openAttempt(data) === null ? (
        <FixChange observation={observation} />
      ) : (
        <FixPr observation={data} onOpen={onDialog} />
      )}
      <Attempts observation={data} />
      <ObservationDialogs key={observation} observation={data} open={dialogOf(dialog)} onOpen={onDialog} />
    </section>
  )
}
