import { useInfiniteQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { type ChangeReview, changeReviewsQuery } from "../../api/changeReviews.ts"
import { useMay } from "../../api/session.ts"
import { ReadinessState } from "../../parts/badges/changeReview.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { StartReview } from "./StartReview.tsx"

const route = getRouteApi("/shell/change-reviews")

const branchesOf = ({ branches }: ChangeReview) =>
  branches.map(({ repository, branch }) => `${branch} (${repository})`).join(", ")

const criteriaOf = ({ criteria }: ChangeReview) =>
  `${criteria.filter(({ verdict }) => verdict === "met").length} of ${criteria.length}`

const columns: ReadonlyArray<Column<ChangeReview>> = [
  {
    name: "Change",
    cell: ({ name, title }) => (
      <Link to="/change-reviews/$name" params={{ name }}>
        {title}
      </Link>
    )
  },
  { name: "Name", cell: ({ name }) => name },
  { name: "Readiness", cell: ({ readiness }) => <ReadinessState readiness={readiness} /> },
  { name: "Branches", cell: branchesOf },
  { name: "Criteria met", figure: true, cell: criteriaOf },
  { name: "Updated", figure: true, cell: ({ updated_at }) => <Time at={updated_at} /> }
]

/** Whether changes do what their tickets asked, newest first. */
export const ChangeReviews = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const reviews = useInfiniteQuery(changeReviewsQuery)
  const may = useMay("submit_audit_jobs")
  const rows = reviews.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page
      title="Change reviews"
      actions={
        may ? (
          <Button look="primary" icon="plus" onPress={() => navigate({ search: { new: "yes" } })}>
            Review a change…
          </Button>
        ) : null
      }
    >
      {reviews.error !== null ? (
        <Problem error={reviews.error} onRetry={() => reviews.refetch()} />
      ) : reviews.data === undefined ? (
        <Bones what="change reviews" />
      ) : rows.length === 0 ? (
        <Empty
          icon="review"
          why="No change was reviewed yet."
          next="A change review says of each criterion whether pushed branches meet it, with the evidence."
        />
      ) : (
        <Table label="Change reviews" columns={columns} rows={rows} keyOf={({ name }) => name} />
      )}
      <MoreButton query={reviews} />
      <StartReview isOpen={search.new !== undefined} onClose={() => navigate({ search: {} })} />
    </Page>
  )
}
