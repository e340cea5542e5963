import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { issueQuery } from "../../api/issues.ts"
import { useMay } from "../../api/session.ts"
import { IssueState } from "../../parts/badges/issue.tsx"
import { Priority } from "../../parts/badges/observation.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Actions } from "./Actions.tsx"
import { Criteria } from "./Criteria.tsx"
import { Edit } from "./Edit.tsx"
import { Events } from "./Events.tsx"
import { Relations } from "./Relations.tsx"
import { Side } from "./Side.tsx"

const route = getRouteApi("/shell/issues/$ref")

/** One issue: what is asked, who has it, when it is done, and everything that happened to it. */
export const Issue = () => {
  const { ref } = route.useParams()
  const { data: issue } = useSuspenseQuery(issueQuery(ref))
  const [editing, setEditing] = useState(false)
  const may = useMay("manage_issues")
  return (
    <Page title={ref} crumbs={[{ label: "Issues", href: "/issues" }]} side={<Side issue={issue} />}>
      <div className="stack">
        <div className="line wrap">
          <Priority priority={issue.priority} pill />
          <IssueState status={issue.status} />
          <span className="muted">
            Updated <Time at={issue.updated_at} long />
          </span>
        </div>
        <h1>{issue.title}</h1>
        {may ? <Actions issue={issue} /> : null}
        {issue.body_md === "" ? <p className="muted">No text.</p> : <Markdown text={issue.body_md} />}
        {may ? (
          <p>
            <Button small onPress={() => setEditing(true)}>
              Edit…
            </Button>
          </p>
        ) : null}
      </div>
      <Criteria issue={issue} mayChange={may} />
      <Relations issue={issue} mayChange={may} />
      <Events issueRef={ref} mayNote={may} />
      {editing ? <Edit issue={issue} onClose={() => setEditing(false)} /> : null}
    </Page>
  )
}
