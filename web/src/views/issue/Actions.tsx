import { useState } from "react"
import { type Issue, issueRequests, nextStatuses, useIssueChange } from "../../api/issues.ts"
import { issueStatusWords } from "../../parts/badges/issue.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import { CloseDialog, ReopenDialog } from "./EndDialogs.tsx"

/** What can be done with the issue as it is. */
export const Actions = ({ issue }: { readonly issue: Issue }) => {
  const requests = issueRequests(issue.ref)
  const run = useIssueChange(issue.ref, (request: () => Promise<unknown>) => request())
  const [asking, setAsking] = useState<"close" | "reopen" | null>(null)
  const isClosed = issue.closed_at !== null
  return (
    <div className="stack">
      <div className="line wrap">
        {isClosed ? (
          <Button onPress={() => setAsking("reopen")}>Reopen…</Button>
        ) : (
          <>
            {issue.claim === null ? (
              <Button look="primary" isPending={run.isPending} onPress={() => run.mutate(requests.claim)}>
                Claim for 30 minutes
              </Button>
            ) : (
              <Button isPending={run.isPending} onPress={() => run.mutate(requests.release)}>
                Release the claim
              </Button>
            )}
            <Menu
              label="States"
              trigger={<Button opensMenu>Move to</Button>}
              entries={nextStatuses[issue.status].map((status) => ({
                id: status,
                label: issueStatusWords(status),
                run: () => run.mutate(() => requests.move(status))
              }))}
            />
            <Button onPress={() => setAsking("close")}>Close…</Button>
          </>
        )}
      </div>
      {run.error === null ? null : <Problem error={run.error} />}
      {asking === "close" ? <CloseDialog issue={issue} onClose={() => setAsking(null)} /> : null}
      {asking === "reopen" ? <ReopenDialog issue={issue} onClose={() => setAsking(null)} /> : null}
    </div>
  )
}
