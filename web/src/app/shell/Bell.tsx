import { useQuery } from "@tanstack/react-query"
import { lazy } from "react"
import { unreadQuery } from "../../api/notices.ts"
import { IconButton } from "../../parts/button/Button.tsx"
import { PopoverTrigger } from "../../parts/popover/PopoverTrigger.tsx"
import styles from "./Bell.module.css"

export const loadNotices = () => import("./NoticesPopover.tsx")

const NoticesPopover = lazy(() => loadNotices().then(({ NoticesPopover }) => ({ default: NoticesPopover })))

/** What happened for oneself; nothing rings, and the number is said politely when it changes. */
export const Bell = () => {
  const { data } = useQuery(unreadQuery)
  const count = data?.data.length ?? 0
  const words = data?.has_more === true ? `${count}+` : String(count)
  const label = count === 0 ? "Notices" : `Notices, ${words} unread`
  const bell = (
    <span className={styles.bell}>
      <IconButton icon="bell" label={label} />
      {count === 0 ? null : (
        <span className={`${styles.unread} num`} aria-hidden="true">
          {words}
        </span>
      )}
      <span className="hidden-text" role="status">
        {count === 0 ? "" : `${words} unread ${count === 1 ? "notice" : "notices"}`}
      </span>
    </span>
  )
  return (
    <PopoverTrigger kind="dialog" trigger={bell} load={loadNotices}>
      {(popover) => <NoticesPopover {...popover} />}
    </PopoverTrigger>
  )
}
