import { type Tracker, useDeleteTracker } from "../../api/trackers.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { say } from "../../parts/toast/toasts.ts"

interface RemoveTrackerProps {
  readonly tracker: Tracker
  /** What its kind is called. */
  readonly name: string
  readonly onClose: () => void
}

export const RemoveTracker = ({ tracker, name, onClose }: RemoveTrackerProps) => {
  const remove = useDeleteTracker()
  const { repository, project } = tracker
  return (
    <FormDialog
      title={`Remove ${name} for ${repository ?? "the workspace"}?`}
      onClose={onClose}
      submit="Remove tracker"
      isDanger
      work={remove}
      onSubmit={() =>
        remove.mutate(tracker, {
          onSuccess: () => {
            say({ text: `${name} for ${repository ?? "the workspace"} is removed.` })
            onClose()
          }
        })
      }
    >
      <p>
        No further ticket is created in {project} from{" "}
        {repository === null ? "repositories without a tracker of their own" : repository}
        {repository === null ? "" : "; the workspace’s tracker takes its place, if there is one"}. Tickets that exist
        stay, and are no longer commented on when an observation is closed.
      </p>
      <p className="soft">The stored token is deleted. To undo it, add the tracker and its token again.</p>
    </FormDialog>
  )
}
