import { Link } from "@tanstack/react-router"
import type { IssueSummary } from "../../api/issues.ts"
import { IssueState } from "../../parts/badges/issue.tsx"
import { Priority } from "../../parts/badges/observation.tsx"
import type { Column } from "../../parts/layout/Table.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"
import { Time } from "../../parts/text/Time.tsx"

export const assigneeWords = ({ assignee }: Pick<IssueSummary, "assignee">): string => {
  if (assignee === null) return "No one"
  return assignee.kind === "api_key" ? `key ${assignee.api_key?.name ?? ""}` : (assignee.email ?? "someone who left")
}

/** Who works on it now, and for how long they have it. */
export const Claim = ({ claim }: Pick<IssueSummary, "claim">) =>
  claim === null ? (
    <span className="muted">Free</span>
  ) : (
    <span>
      {actorWords(claim.holder)}, ends <Time at={claim.lease_expires_at} long />
    </span>
  )

export const criteriaWords = ({ acceptance_criteria }: Pick<IssueSummary, "acceptance_criteria">): string =>
  acceptance_criteria.length === 0
    ? "None"
    : `${acceptance_criteria.filter(({ met }) => met).length} of ${acceptance_criteria.length}`

/** The columns of the list; a further one is a further line here. */
export const columns: ReadonlyArray<Column<IssueSummary>> = [
  { name: "Priority", cell: ({ priority }) => <Priority priority={priority} short /> },
  {
    name: "Issue",
    cell: ({ ref, title }) => (
      <Link to="/issues/$ref" params={{ ref }}>
        {title}
      </Link>
    )
  },
  { name: "Reference", cell: ({ ref }) => ref },
  { name: "State", cell: ({ status }) => <IssueState status={status} /> },
  { name: "Project", cell: ({ project }) => project },
  { name: "Assignee", cell: assigneeWords },
  { name: "Claim", cell: ({ claim }) => <Claim claim={claim} /> },
  { name: "Criteria", figure: true, cell: criteriaWords },
  { name: "Updated", figure: true, cell: ({ updated_at }) => <Time at={updated_at} /> }
]
