import type { Notice } from "../../api/notices.ts"
import { Icon, type IconName } from "../../parts/icon/Icon.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Bell.module.css"

const icons: Readonly<Record<Notice["kind"], IconName>> = {
  new_finding: "finding",
  job_ended: "job",
  waiting_on_me: "clock",
  key_expiring: "key",
  invitation_accepted: "person"
}

/** One notice; following it marks it as read. */
export const NoticeLine = ({ notice, onFollow }: { readonly notice: Notice; readonly onFollow: () => void }) => {
  const { kind, text, link, at, read_at } = notice
  const isUnread = read_at === null
  return (
    <li>
      <a
        href={link}
        className={isUnread ? `${styles.notice} ${styles.fresh}` : styles.notice}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          onFollow()
        }}
      >
        <Icon name={icons[kind]} />
        <span>
          {isUnread ? <span className="hidden-text">Unread: </span> : null}
          {text}
          <span className="muted stack">
            <Time at={at} long />
          </span>
        </span>
      </a>
    </li>
  )
}
