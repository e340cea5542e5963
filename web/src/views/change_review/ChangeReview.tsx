import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { changeReviewQuery } from "../../api/changeReviews.ts"
import { api, ok } from "../../api/client.ts"
import { useMay } from "../../api/session.ts"
import { ReadinessState } from "../../parts/badges/changeReview.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Page, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Criteria } from "./Criteria.tsx"
import { EditCriteria } from "./EditCriteria.tsx"

const route = getRouteApi("/shell/change-reviews/$name")

const short = (commit: string | null) => (commit === null ? "—" : <code>{commit.slice(0, 8)}</code>)

/** A change review: its branches at their commits, and each criterion with its verdict and evidence. */
export const ChangeReview = () => {
  const { name } = route.useParams()
  const { data: review } = useSuspenseQuery(changeReviewQuery(name))
  const queryClient = useQueryClient()
  const may = useMay("submit_audit_jobs")
  const [editing, setEditing] = useState(false)
  const refresh = useMutation({
    mutationFn: () => ok(api.POST("/api/change-reviews/{name}/refresh", { params: { path: { name } } })),
    onSuccess: (changed) => queryClient.setQueryData(changeReviewQuery(name).queryKey, changed)
  })
  return (
    <Page
      title={name}
      crumbs={[{ label: "Change reviews", href: "/change-reviews" }]}
      actions={
        may ? (
          <Button
            onPress={() => refresh.mutate()}
            isPending={refresh.isPending}
            isDisabled={review.readiness === "running"}
          >
            Review again
          </Button>
        ) : null
      }
    >
      <div className="stack">
        <div className="line wrap" role="status">
          <ReadinessState readiness={review.readiness} />
          <span className="muted">
            Updated <Time at={review.updated_at} long />
          </span>
        </div>
        <h1>{review.title}</h1>
        {review.stale ? (
          <Note tone="warn">
            <p>A branch has moved since. Review again: only what changed is judged again.</p>
          </Note>
        ) : null}
        {refresh.error === null ? null : <Problem error={refresh.error} />}
      </div>
      <Section title="Branches">
        <Table
          label="Branches"
          columns={[
            { name: "Repository", cell: ({ repository }) => repository },
            { name: "Branch", cell: ({ branch }) => <code>{branch}</code> },
            { name: "Base", cell: ({ base }) => <code>{base}</code> },
            { name: "From", cell: ({ base_sha }) => short(base_sha) },
            { name: "To", cell: ({ head_sha }) => short(head_sha) },
            { name: "Now", cell: ({ latest_sha }) => short(latest_sha) },
            { name: "Pull request", cell: ({ pr_number }) => (pr_number === null ? "—" : `#${pr_number}`) },
            { name: "Problem", cell: ({ problem }) => problem ?? "" }
          ]}
          rows={review.branches}
          keyOf={({ repository, branch }) => `${repository} ${branch}`}
        />
      </Section>
      <Section
        title="Criteria"
        actions={
          may ? (
            <Button small onPress={() => setEditing(true)}>
              Change the criteria…
            </Button>
          ) : null
        }
      >
        <Criteria criteria={review.criteria} />
      </Section>
      {editing ? <EditCriteria review={review} onClose={() => setEditing(false)} /> : null}
    </Page>
  )
}
