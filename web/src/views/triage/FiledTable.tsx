import type { FiledIssues } from "../../api/issues.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { codeWords } from "../../parts/triage/words.ts"

interface FiledRow {
  readonly ref: string
  readonly issue: string | null
  readonly outcome: "created" | "existing" | "skipped"
  readonly reason: string | null
}

const rowsOf = ({ created, existing, skipped }: FiledIssues): ReadonlyArray<FiledRow> => [
  ...skipped.map(({ ref, reason }) => ({ ref, issue: null, outcome: "skipped" as const, reason })),
  ...existing.map(({ ref, issue }) => ({ ref, issue, outcome: "existing" as const, reason: null })),
  ...created.flatMap(({ ref: issue, observations }) =>
    observations.map((ref) => ({ ref, issue, outcome: "created" as const, reason: null }))
  )
]

const Outcome = ({ outcome, reason }: FiledRow) =>
  outcome === "created" ? (
    <Badge icon="check" tone="good">
      Created
    </Badge>
  ) : outcome === "existing" ? (
    <Badge icon="issue">Had an issue</Badge>
  ) : (
    <Badge icon="skip">{reason === "closed" ? "Closed, no issue" : codeWords(reason ?? undefined)}</Badge>
  )

const columns: ReadonlyArray<Column<FiledRow>> = [
  { name: "Observation", cell: ({ ref }) => <a href={`/observations/${ref}`}>{ref}</a> },
  { name: "Issue", cell: ({ issue }) => (issue === null ? "None" : <a href={`/issues/${issue}`}>{issue}</a>) },
  { name: "Result", cell: (row) => <Outcome {...row} /> }
]

/** What became of each observation, those first of which no issue came. */
export const FiledTable = ({ filed }: { readonly filed: FiledIssues }) => (
  <Table label="Results" columns={columns} rows={rowsOf(filed)} keyOf={({ ref }) => ref} />
)
