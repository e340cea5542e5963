import type { Schema } from "../../api/client.ts"
import { Change } from "../../parts/charts/Change.tsx"
import { Meter } from "../../parts/charts/Meter.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { Title } from "../../parts/text/Title.tsx"
import { domains } from "../trends/filter.ts"
import styles from "./Repository.module.css"

type Score = Schema<"BenchmarkScore">

const lowBelow = 70

const columns: ReadonlyArray<Column<Score>> = [
  { name: "Domain", cell: ({ domain }) => <strong>{domains[domain]}</strong> },
  {
    name: "Score, 0 to 100",
    cell: ({ score }) =>
      score === null ? (
        <span className="muted">Not scored</span>
      ) : (
        <span className={styles.score}>
          <span className="num">{score}</span>
          <Meter value={score} max={100} tone={score < lowBelow ? "low" : "good"} />
        </span>
      )
  },
  { name: "Since the audit before", cell: ({ change }) => <Change points={change} /> },
  {
    name: "Top issue",
    cell: ({ top_issue, justification }) => (
      <span title={justification ?? ""}>
        <Title text={top_issue ?? "None"} />
      </span>
    )
  }
]

/** The score of each domain, with its most severe weakness. */
export const Scores = ({ scores }: { readonly scores: ReadonlyArray<Score> }) => (
  <Box padded={false}>
    <Table label="Scores" columns={columns} rows={scores} keyOf={({ domain }) => domain} />
  </Box>
)
