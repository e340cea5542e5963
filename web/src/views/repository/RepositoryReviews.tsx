import { useSuspenseInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { addressOf, type Repository, reviewsOfQuery } from "../../api/repositories.ts"
import { JobState } from "../../parts/badges/job.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Repository.module.css"

/** Reviews of pull requests, branches and commits against the branch. */
export const RepositoryReviews = ({ repository }: { readonly repository: Repository }) => {
  const query = useSuspenseInfiniteQuery(reviewsOfQuery(addressOf(repository)))
  const reviews = query.data.pages.flatMap(({ data }) => data)
  if (reviews.length === 0)
    return (
      <Empty
        icon="review"
        why="No review yet."
        next="Pull requests are reviewed when this is switched on in the repository's settings, or when a client asks for it."
      />
    )
  return (
    <div className={styles.page}>
      <Box padded={false}>
        <Table
          label="Reviews"
          rows={reviews}
          keyOf={({ job_id }) => job_id}
          columns={[
            {
              name: "Of",
              cell: ({ job_id, pull_request, branch, commit }) => (
                <Link to="/jobs/$id" params={{ id: job_id }}>
                  {pull_request === null
                    ? (branch ?? commit?.slice(0, 12) ?? "the branch")
                    : `Pull request #${pull_request}`}
                </Link>
              )
            },
            { name: "State", cell: ({ status }) => <JobState status={status} /> },
            { name: "Introduced", figure: true, cell: ({ introduced_count }) => introduced_count ?? "" },
            { name: "Resolved", figure: true, cell: ({ resolved_count }) => resolved_count ?? "" },
            { name: "Comments", figure: true, cell: ({ comments_count }) => comments_count ?? "" },
            { name: "Requested", cell: ({ created_at }) => <Time at={created_at} /> }
          ]}
        />
      </Box>
      <MoreButton query={query} />
    </div>
  )
}
