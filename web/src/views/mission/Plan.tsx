import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { isOver, type Mission, type useDecision } from "../../api/missions.ts"
import { useMay } from "../../api/session.ts"
import { StepState } from "../../parts/badges/mission.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { counted } from "../../parts/text/counted.ts"
import { dollars } from "../../parts/text/Money.tsx"
import { Title } from "../../parts/text/Title.tsx"
import styles from "./mission.module.css"

type Step = Mission["steps"][number]
type Decision = ReturnType<typeof useDecision>

const References = ({ step }: { readonly step: Step }) => (
  <p className="line wrap">
    {step.observations.map((ref) => (
      <a key={ref} href={`/observations/${ref}`}>
        {ref}
      </a>
    ))}
    {step.issues.map((ref) => (
      <Link key={ref} to="/issues/$ref" params={{ ref }}>
        {ref}
      </Link>
    ))}
    {step.job_id === null ? null : <a href={`/jobs/${step.job_id}`}>Job</a>}
  </p>
)

const Gates = ({ gates }: { readonly gates: Step["gates"] }) =>
  gates.length === 0 ? null : (
    <ul className="line wrap muted">
      {gates.map(({ name, result, reason }) => (
        <li key={name} title={reason ?? undefined}>
          {name}: {result}
        </li>
      ))}
    </ul>
  )

const SkipDialog = ({
  step,
  decision,
  onClose
}: {
  readonly step: Step
  readonly decision: Decision
  readonly onClose: () => void
}) => {
  const [reason, setReason] = useState("")
  return (
    <FormDialog
      title={`Skip step ${step.position}`}
      submit="Skip the step"
      onClose={onClose}
      onSubmit={() => decision.mutate({ kind: "skip_step", step_id: step.id, reason }, { onSuccess: onClose })}
      work={decision}
      isDisabled={reason.trim() === ""}
    >
      <p>Its observations stay open. The other steps go on without it.</p>
      <TextField label="Reason" value={reason} onChange={setReason} rows={3} isRequired autoFocus />
    </FormDialog>
  )
}

const StepActions = ({
  mission,
  step,
  decision
}: {
  readonly mission: Mission
  readonly step: Step
  readonly decision: Decision
}) => {
  const [skipping, setSkipping] = useState(false)
  const may = useMay("submit_program_jobs")
  if (!may || isOver(mission) || (step.status !== "pending" && step.status !== "failed")) return null
  return (
    <p className="line wrap">
      {step.status === "failed" ? (
        <Button
          small
          onPress={() => decision.mutate({ kind: "retry_step", step_id: step.id })}
          isPending={decision.isPending}
        >
          Try the step again
        </Button>
      ) : null}
      <Button small onPress={() => setSkipping(true)}>
        Skip the step…
      </Button>
      {skipping ? <SkipDialog step={step} decision={decision} onClose={() => setSkipping(false)} /> : null}
    </p>
  )
}

/** The steps in their order, each with its money, state, gates and commits. */
export const Plan = ({ mission, decision }: { readonly mission: Mission; readonly decision: Decision }) => (
  <Section
    title="Plan"
    actions={
      <span className="muted">
        {counted(mission.steps.length, "step")} ·{" "}
        {counted(mission.steps.flatMap(({ observations }) => observations).length, "observation")} · 1 branch
      </span>
    }
  >
    <ol className={styles.steps}>
      {mission.steps.map((step) => (
        <li key={step.id} className={styles.step}>
          <span className={styles.number}>{step.position}</span>
          <div className="stack">
            <h3>
              <Title text={step.title} />
            </h3>
            <StepState status={step.status} />
            <Markdown text={step.brief_md} />
            <References step={step} />
            <Gates gates={step.gates} />
            {step.commits.length === 0 ? null : (
              <p className="muted">
                {step.commits.map((commit) => (
                  <code key={commit}>{commit.slice(0, 8)} </code>
                ))}
              </p>
            )}
            {step.failure === null ? null : (
              <Note tone="bad">
                <p>{step.failure}</p>
              </Note>
            )}
            <StepActions mission={mission} step={step} decision={decision} />
          </div>
          <p className={styles.money}>
            <strong>{dollars(step.status === "pending" ? step.estimate_usd : step.cost_usd)}</strong>
            <br />
            <span className="muted">
              {step.status === "pending" ? "expected" : `of ${dollars(step.estimate_usd)} expected`}
            </span>
          </p>
        </li>
      ))}
    </ol>
  </Section>
)
