import type { FixAttempt, ObservationDetail } from "../../../api/observation.ts"
import { Badge } from "../../../parts/badges/Badge.tsx"
import { Icon } from "../../../parts/icon/Icon.tsx"
import { Box, Section } from "../../../parts/layout/Page.tsx"
import { OutsideLink } from "../../../parts/markdown/OutsideLink.tsx"
import { Time } from "../../../parts/text/Time.tsx"
import { automaticAttempts } from "../actions/fixState.ts"
import { attemptLook, gateIcons, gateWords } from "./gates.ts"
import styles from "./sections.module.css"

export const Gates = ({ gates, label }: { readonly gates: FixAttempt["gates"]; readonly label: string }) =>
  gates.length === 0 ? null : (
    <ul className={styles.gates} aria-label={label}>
      {gates.map(({ name, result, reason }) => (
        <li key={name} className={styles[result]} title={reason ?? undefined}>
          <Icon name={gateIcons[result]} />
          {gateWords[name]}
          <span className="hidden-text">
            : {result}
            {reason === null ? "" : `. ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  )

const Attempt = ({ attempt }: { readonly attempt: FixAttempt }) => {
  const { words, icon, tone } = attemptLook(attempt)
  const { number, pr_url, pr_number, last_failure_reason, started_at, finished_at, runner } = attempt
  return (
    <li className={styles.attempt}>
      <div className="spread wrap">
        <div className="line wrap">
          <Badge icon={icon} tone={tone} pill turning={icon === "run"}>
            {words}
          </Badge>
          <strong>Attempt {number}</strong>
          {pr_url === null ? null : (
            <OutsideLink url={pr_url}>{pr_number === null ? "Pull request" : `Pull request #${pr_number}`}</OutsideLink>
          )}
        </div>
        <span className="muted">
          {runner === null ? "" : `by ${runner === "rules" ? "the rule’s fixer" : runner}, `}
          <Time at={finished_at ?? started_at} long />
        </span>
      </div>
      {last_failure_reason === null ? null : <p className="soft">{last_failure_reason}</p>}
      <Gates gates={attempt.gates} label={`Gates of attempt ${number}`} />
    </li>
  )
}

/** Every attempt to fix it, the newest first, with what it had to pass. */
export const Attempts = ({ observation }: { readonly observation: ObservationDetail }) => {
  const { attempts, fix_attempts } = observation
  if (attempts.length === 0) return null
  return (
    <Section
      title="Fix attempts"
      actions={
        <span className="muted num">
          {fix_attempts} of {automaticAttempts} used
        </span>
      }
    >
      <Box padded={false}>
        <ol reversed>
          {attempts.toReversed().map((attempt) => (
            <Attempt key={attempt.attempt_id} attempt={attempt} />
          ))}
        </ol>
      </Box>
    </Section>
  )
}
