import { Icon } from "../../parts/icon/Icon.tsx"
import styles from "./Welcome.module.css"

const steps = ["Signed in", "Choose code", "First findings"]

/** How far the first run is; `at` counts from 0. */
export const Steps = ({ at }: { readonly at: number }) => (
  <ol className={styles.steps}>
    {steps.map((step, index) => (
      <li key={step} className="line" aria-current={index === at ? "step" : undefined}>
        {index < at ? <Icon name="done" /> : <span className={styles.number}>{index + 1}</span>}
        {step}
        {index < at ? <span className="hidden-text">: done</span> : null}
      </li>
    ))}
  </ol>
)
