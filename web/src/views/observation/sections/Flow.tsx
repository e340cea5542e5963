import { useState } from "react"
import type { ObservationDetail } from "../../../api/observation.ts"
import { Button } from "../../../parts/button/Button.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { Title } from "../../../parts/text/Title.tsx"
import { StepCode } from "./StepCode.tsx"
import styles from "./sections.module.css"

type Step = ObservationDetail["steps"][number]
type Role = "Source" | "Step" | "Sink"

const roleAt = (index: number, count: number): Role => (index === 0 ? "Source" : index === count - 1 ? "Sink" : "Step")

const roleStyles: Readonly<Record<Role, string>> = { Source: "source", Step: "step", Sink: "sink" }

interface FlowStepProps {
  readonly refName: string
  readonly step: Step
  readonly index: number
  readonly role: Role
}

const FlowStep = ({ refName, step: { file_path, line, note }, index, role }: FlowStepProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <span className={`${styles.dot} ${styles[roleStyles[role]] ?? ""} num`} aria-hidden="true">
        {index + 1}
      </span>
      <div className={styles.stepBody}>
        <div className={styles.stepHead}>
          <div>
            <strong>{role}</strong> <Title text={note} />
            <div className={styles.where}>
              {file_path}
              {line === null ? "" : `:${line}`}
            </div>
          </div>
          {line === null ? null : (
            <Button
              small
              look="ghost"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Hide" : "Show"} code of step ${index + 1}`}
              onPress={() => setOpen(!isOpen)}
            >
              {isOpen ? "Hide code" : "Show code"}
            </Button>
          )}
        </div>
        {isOpen ? <StepCode refName={refName} step={index} role={role} /> : null}
      </div>
    </li>
  )
}

/** How it comes about, from where the value enters to where it does harm; the code of a step opens in its place. */
export const Flow = ({ steps, refName }: Pick<ObservationDetail, "steps"> & { readonly refName: string }) =>
  steps.length === 0 ? null : (
    <Section title="Source to sink" actions={<span className="muted num">{steps.length} steps</span>}>
      <ol className={styles.flow}>
        {steps.map((step, index) => (
          <FlowStep
            // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a flow never move
            key={index}
            refName={refName}
            step={step}
            index={index}
            role={roleAt(index, steps.length)}
          />
        ))}
      </ol>
    </Section>
  )
