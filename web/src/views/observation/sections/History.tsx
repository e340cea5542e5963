import type { ObservationDetail } from "../../../api/observation.ts"
import { Icon } from "../../../parts/icon/Icon.tsx"
import { Section } from "../../../parts/layout/Page.tsx"
import { Time } from "../../../parts/text/Time.tsx"
import { eventIcon, eventText, nameOf } from "./events.ts"
import styles from "./sections.module.css"

/** Everything that happened to it, the newest first: what, who, and the note they left. */
export const History = ({ events }: Pick<ObservationDetail, "events">) => (
  <Section title="History">
    <ol className={styles.flow} reversed>
      {events.toReversed().map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: past events never move
        <li key={events.length - index}>
          <span className={styles.dot}>
            <Icon name={eventIcon(event)} />
          </span>
          <div>
            <strong>{eventText(event)}</strong> by {nameOf(event.actor, event.event)}
            {event.reason === null ? null : <p className={`${styles.quote} prose`}>“{event.reason}”</p>}
            <div className="muted">
              <Time at={event.at} long />
            </div>
          </div>
        </li>
      ))}
    </ol>
  </Section>
)
