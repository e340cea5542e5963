import { Meter } from "../charts/Meter.tsx"
import { Icon, type IconName } from "../icon/Icon.tsx"
import { figure } from "../text/counted.ts"
import { duration } from "../text/duration.ts"
import styles from "./Stages.module.css"
import { stageWords } from "./stageWords.ts"
import type { Stage, StageStatus } from "./story.ts"

const looks: Readonly<Record<StageStatus, { icon: IconName; word: string; tone: string }>> = {
  waiting: { icon: "wait", word: "Waiting", tone: "" },
  running: { icon: "run", word: "Running", tone: "info" },
  done: { icon: "check", word: "Done", tone: "good" },
  failed: { icon: "x", word: "Failed", tone: "bad" },
  skipped: { icon: "skip", word: "Skipped", tone: "" },
  stopped: { icon: "skip", word: "Stopped", tone: "" }
}

const secondsOf = ({ startedAt, endedAt }: Stage, now: Date): number | null =>
  startedAt === null ? null : ((endedAt === null ? now : new Date(endedAt)).getTime() - Date.parse(startedAt)) / 1000

export const progressWords = ({ done, total }: NonNullable<Stage["progress"]>) =>
  `${figure(done)} of ${figure(total)} files`

const countOf = ({ progress, name, status }: Stage): string => {
  const { does } = stageWords(name)
  if (progress !== null && status !== "done") return progressWords(progress)
  return progress === null ? does : `${does}: ${figure(progress.total)} files`
}

const Row = ({ stage, now, phase }: { readonly stage: Stage; readonly now: Date; readonly phase: boolean }) => {
  const { icon, word, tone } = looks[stage.status]
  const seconds = secondsOf(stage, now)
  const isCounting = stage.status === "running" && stage.progress !== null
  return (
    <>
      <span className={`${styles.dot} ${styles[tone] ?? ""}`}>
        <Icon name={icon} turning={stage.status === "running"} />
        <span className="hidden-text">{word}:</span>
      </span>
      <div>
        {phase ? stageWords(stage.name).name : <strong>{stageWords(stage.name).name}</strong>}
        <div className="soft">{stage.reason ?? countOf(stage)}</div>
      </div>
      <span className="muted num">{seconds === null ? "" : duration(seconds)}</span>
      {isCounting && stage.progress !== null ? (
        <div className={styles.meter}>
          <Meter label={progressWords(stage.progress)} value={stage.progress.done} max={stage.progress.total} />
        </div>
      ) : null}
    </>
  )
}

/** What a job goes through, in order, with times; a bar only where the share is known. */
export const Stages = ({ stages, now }: { readonly stages: ReadonlyArray<Stage>; readonly now: Date }) => (
  <ol className={styles.stages}>
    {stages.map((stage) => (
      <li
        key={stage.name}
        className={styles.stage}
        {...(stage.status === "running" ? { "aria-current": "step" as const } : {})}
      >
        <Row stage={stage} now={now} phase={false} />
        {stage.phases.length === 0 ? null : (
          <ol className={styles.phases}>
            {stage.phases.map((phase) => (
              <li key={phase.name} className={styles.phase}>
                <Row stage={phase} now={now} phase />
              </li>
            ))}
          </ol>
        )}
      </li>
    ))}
  </ol>
)
