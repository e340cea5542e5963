import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { Dialog } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { markRead, noticesKey, noticesQuery } from "../../api/notices.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import type { OpenPopover } from "../../parts/popover/PopoverTrigger.tsx"
import styles from "./Bell.module.css"
import { NoticeLine } from "./NoticeLine.tsx"

const useRead = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: markRead,
    onSettled: () => queryClient.invalidateQueries({ queryKey: noticesKey })
  })
}

const Notices = ({ onFollow }: { readonly onFollow: () => void }) => {
  const { data, error, refetch } = useQuery(noticesQuery)
  const read = useRead()
  const router = useRouter()
  if (error !== null) return <Problem error={error} onRetry={refetch} />
  if (data === undefined) return <Bones rows={4} what="notices" />
  if (data.data.length === 0)
    return (
      <Empty
        icon="bell"
        why="No notices."
        next="New P0 and P1, the end of jobs you started, and what waits for you appear here."
      />
    )
  return (
    <>
      <div className="spread">
        <h2>Notices</h2>
        {data.data.some(({ read_at }) => read_at === null) ? (
          <Button small look="ghost" isPending={read.isPending} onPress={() => read.mutate({ all: true })}>
            Mark all as read
          </Button>
        ) : null}
      </div>
      <ul className={styles.list}>
        {data.data.map((notice) => (
          <NoticeLine
            key={notice.id}
            notice={notice}
            onFollow={() => {
              if (notice.read_at === null) read.mutate({ ids: [notice.id] })
              onFollow()
              router.navigate({ href: notice.link })
            }}
          />
        ))}
      </ul>
    </>
  )
}

/** What the bell opens. */
export const NoticesPopover = ({ triggerRef, onClose }: OpenPopover) => (
  <Popover isOpen onOpenChange={onClose} triggerRef={triggerRef} placement="bottom start" className={styles.popover}>
    <Dialog aria-label="Notices" className={styles.panel}>
      <Notices onFollow={onClose} />
    </Dialog>
  </Popover>
)
