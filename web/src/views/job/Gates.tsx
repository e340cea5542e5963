import { Badge, type Tone } from "../../parts/badges/Badge.tsx"
import type { IconName } from "../../parts/icon/Icon.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { stageWords } from "../../parts/stages/stageWords.ts"
import type { Gate } from "../../parts/stages/story.ts"
import styles from "./Job.module.css"

const looks: Readonly<Record<Gate["result"], { words: string; icon: IconName; tone: Tone }>> = {
  passed: { words: "passed", icon: "check", tone: "good" },
  failed: { words: "failed", icon: "fail", tone: "p0" },
  warned: { words: "warned", icon: "warn", tone: "p1" },
  skipped: { words: "skipped", icon: "skip", tone: "p3" }
}

/** What the change had to pass, each with its reason. */
export const Gates = ({ gates }: { readonly gates: ReadonlyArray<Gate> }) => {
  if (gates.length === 0) return null
  return (
    <Section title="Gates">
      <Box padded={false}>
        <ul className={styles.gates}>
          {gates.map(({ name, result, reason }) => (
            <li key={name}>
              <Badge icon={looks[result].icon} tone={looks[result].tone}>
                {stageWords(name).name} {looks[result].words}
              </Badge>
              <span className="soft">{reason ?? stageWords(name).does}</span>
            </li>
          ))}
        </ul>
      </Box>
    </Section>
  )
}
