import { useEffect, useRef, useState } from "react"
import type { JobEvent } from "../../api/jobs.ts"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { stageWords } from "../../parts/stages/stageWords.ts"
import { isLogged } from "../../parts/stages/story.ts"
import { CopyButton } from "../../parts/text/CopyButton.tsx"
import styles from "./Job.module.css"

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" })

const happened = {
  status_changed: "Status changed.",
  stage_started: "Started.",
  stage_progress: "",
  stage_completed: "Completed.",
  stage_failed: "Failed.",
  stage_skipped: "Skipped.",
  gate_evaluated: "",
  artifact_written: "Wrote an artifact.",
  attempt_started: "Attempt started.",
  cost_recorded: "",
  log: ""
} as const satisfies Record<JobEvent["type"], string>

const wordsOf = ({ type, detail, data }: JobEvent): string => {
  const gate = data?.gate_result == null ? "" : `${data.gate_result}: `
  const artifact = type === "artifact_written" && detail !== "" ? `Wrote ${detail}.` : detail
  return `${gate}${artifact === "" ? (data?.gate_reason ?? happened[type]) : artifact}`
}

const lineOf = (event: JobEvent) => `${event.ts} ${event.stage} ${wordsOf(event)}`

/** What happened, newest last; follows the end while the box is ticked. */
export const JobLog = ({ events }: { readonly events: ReadonlyArray<JobEvent> }) => {
  const lines = events.filter(isLogged)
  const [follows, setFollows] = useState(true)
  const log = useRef<HTMLDivElement>(null)
  const count = lines.length
  useEffect(() => {
    const box = log.current
    if (follows && count > 0 && box !== null) box.scrollTop = box.scrollHeight
  }, [follows, count])
  return (
    <section className={styles.logBox} aria-labelledby="job-log">
      <header className={`${styles.logHead} line wrap`}>
        <h2 id="job-log">Log</h2>
        <span className="muted num">
          {count} {count === 1 ? "line" : "lines"}
        </span>
        <span className="line push">
          <Checkbox isSelected={follows} onChange={setFollows}>
            Follow
          </Checkbox>
          <CopyButton text={lines.map(lineOf).join("\n")} label="Copy the log" words="Copy" />
        </span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div ref={log} role="log" aria-label="Log of the job" tabIndex={0} className={styles.log}>
        {lines.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end
          <p key={index}>
            <time dateTime={event.ts}>{clock.format(new Date(event.ts))}</time>
            <span>{stageWords(event.stage).name}</span>
            <span>{wordsOf(event)}</span>
          </p>
        ))}
      </div>
    </section>
  )
}
