import type { ObservationDetail } from "../../../api/observation.ts"
import { Icon } from "../../../parts/icon/Icon.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { Title } from "../../../parts/text/Title.tsx"
import { checksOf } from "./checks.ts"
import styles from "./sections.module.css"

export const Evidence = ({ evidence }: Pick<ObservationDetail, "evidence">) => {
  const checks = checksOf(evidence)
  const reason = evidence.priority_reason
  if (checks.length === 0 && reason === undefined) return null
  return (
    <Section title="Evidence checks">
      <ul className={styles.checks}>
        {checks.map(({ passed, text, detail }) => (
          <li key={text}>
            <span className={passed ? styles.passed : styles.warned}>
              <Icon name={passed ? "done" : "warn"} />
            </span>
            <span>
              <Title text={text} />
              {detail === null ? null : (
                <span className={`${styles.detail} muted`}>
                  <Title text={detail} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {reason === undefined ? null : (
        <p className={`${styles.reason} prose`}>
          <strong>Why this priority:</strong> <Title text={reason} />
        </p>
      )}
    </Section>
  )
}
