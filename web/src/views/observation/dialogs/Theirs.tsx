import type { ReactNode } from "react"
import type { ObservationDetail } from "../../../api/observation.ts"
import { ObservationState } from "../../../parts/badges/observation.tsx"
import { Time } from "../../../parts/text/Time.tsx"
import { eventText, nameOf } from "../sections/events.ts"
import styles from "./dialogs.module.css"

const Side = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className={styles.side}>
    <h3>{title}</h3>
    {children}
  </section>
)

const TheirState = ({ theirs }: { readonly theirs: ObservationDetail }) => {
  const last = theirs.events.at(-1)
  const note = theirs.dismissal_note ?? theirs.completion_note
  return (
    <>
      <ObservationState observation={theirs} />
      {last === undefined ? null : (
        <p>
          {eventText(last)} by {nameOf(last.actor)} <Time at={last.at} long />
        </p>
      )}
      {note === null ? null : <p className="soft">“{note}”</p>}
    </>
  )
}

export interface Conflict {
  readonly theirs: ObservationDetail
  /** The note or reason that was about to be stored. */
  readonly mine: string
}

/** Someone else was first: what they did beside what was about to be done. */
export const Theirs = ({ theirs, mine }: Conflict) => (
  <div className={styles.sides}>
    <Side title="Theirs">
      <TheirState theirs={theirs} />
    </Side>
    <Side title="Yours">
      <p className={styles.mine}>{mine === "" ? "Without a note." : mine}</p>
    </Side>
  </div>
)
