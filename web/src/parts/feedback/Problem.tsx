import { ApiError } from "../../api/ApiError.ts"
import { Button } from "../button/Button.tsx"
import { CopyButton } from "../text/CopyButton.tsx"
import { Note } from "./Note.tsx"

/** What failed, in the place of what failed: the message, a way on, and the request ID to copy. */
export const Problem = ({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) => {
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div role="alert">
      <Note tone="bad">
        <p>{error.message}</p>
        {requestId === null && onRetry === undefined ? null : (
          <div className="line wrap">
            {onRetry === undefined ? null : (
              <Button small onPress={onRetry}>
                Try again
              </Button>
            )}
            {requestId === null ? null : (
              <span className="line muted">
                <code>{requestId}</code>
                <CopyButton text={requestId} label="Copy the request ID" />
              </span>
            )}
          </div>
        )}
      </Note>
    </div>
  )
}
