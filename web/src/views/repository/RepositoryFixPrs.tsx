import { useSuspenseInfiniteQuery } from "@tanstack/react-query"
import { addressOf, fixPrsOfQuery, type Repository } from "../../api/repositories.ts"
import { Badge, type Tone } from "../../parts/badges/Badge.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Title } from "../../parts/text/Title.tsx"
import styles from "./Repository.module.css"

const states = {
  in_review: ["In review", "review"],
  revising: ["Revising", "info"],
  needs_attention: ["Needs attention", "p1"],
  merged: ["Merged", "good"],
  closed: ["Closed", "p3"],
  abandoned: ["Abandoned", "p3"]
} as const satisfies Record<string, readonly [string, Tone]>

/** Pull requests that fix observations of the repository. */
export const RepositoryFixPrs = ({ repository }: { readonly repository: Repository }) => {
  const query = useSuspenseInfiniteQuery(fixPrsOfQuery(addressOf(repository)))
  const prs = query.data.pages.flatMap(({ data }) => data)
  if (prs.length === 0)
    return <Empty icon="pr" why="No fix pull request yet." next="Request a fix on the page of an observation." />
  return (
    <div className={styles.page}>
      <Box padded={false}>
        <Table
          label="Fix pull requests"
          rows={prs}
          keyOf={({ attempt_id }) => attempt_id}
          columns={[
            {
              name: "Observation",
              cell: ({ ref, title }) => (
                <a href={`/observations/${ref}`}>
                  <Title text={title} />
                </a>
              )
            },
            {
              name: "State",
              cell: ({ status }) => (
                <Badge icon="pr" tone={states[status][1]} pill>
                  {states[status][0]}
                </Badge>
              )
            },
            {
              name: "Pull request",
              cell: ({ pr_url, number }) => (
                <a href={pr_url} rel="noreferrer">
                  {number === null ? "Open" : `#${number}`}
                </a>
              )
            },
            { name: "Started", cell: ({ started_at }) => (started_at === null ? "" : <Time at={started_at} />) }
          ]}
        />
      </Box>
      <MoreButton query={query} />
    </div>
  )
}
