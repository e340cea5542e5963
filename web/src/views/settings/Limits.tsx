import { useSuspenseQuery } from "@tanstack/react-query"
import type { Schema } from "../../api/client.ts"
import { limitsQuery } from "../../api/settings.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Meter } from "../../parts/charts/Meter.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import { Money } from "../../parts/text/Money.tsx"
import styles from "./Settings.module.css"

type Feature = Schema<"FeatureState">
type Spend = Schema<"WorkspaceSpend">

const names: Readonly<Record<Feature["name"], string>> = {
  missions: "Missions",
  change_reviews: "Change reviews",
  webhooks: "Webhooks",
  audit_suggestions: "Suggestions"
}

const columns: ReadonlyArray<Column<Feature>> = [
  { name: "Feature", cell: ({ name }) => <strong>{names[name]}</strong> },
  {
    name: "State",
    cell: ({ on }) =>
      on ? (
        <Badge icon="done" tone="good">
          On
        </Badge>
      ) : (
        <Badge icon="skip">Off</Badge>
      )
  },
  {
    name: "How it is changed",
    cell: ({ in_plan, switched_by, name, on }) =>
      !in_plan ? (
        "The plan of the workspace does not have it. The operator changes the plan."
      ) : switched_by === "workspace" ? (
        "By the setting Suggestions above."
      ) : (
        <>
          The operator runs{" "}
          <code>
            assay workspace set … --feature {name}={on ? "off" : "on"}
          </code>
        </>
      )
  }
]

const Share = ({ spent, ceiling }: { readonly spent: number; readonly ceiling: number | null }) => (
  <>
    <Money amount={spent} />
    {ceiling === null ? (
      " of no ceiling"
    ) : (
      <>
        {" of "}
        <Money amount={ceiling} />
        <span className={styles.share}>
          <Meter value={spent} max={ceiling} tone={spent >= ceiling ? "low" : "accent"} />
        </span>
      </>
    )}
  </>
)

const orNone = (amount: number | null, none: string) => (amount === null ? none : <Money amount={amount} />)

const spendFacts = (spend: Spend) =>
  [
    ["This hour", <Share key="hour" spent={spend.last_hour_usd} ceiling={spend.per_hour_usd} />],
    ["This month", <Money key="month" amount={spend.this_month_usd} />],
    ["Credit left", orNone(spend.credit_usd, "Not metered")],
    ...(spend.credit_usd === null ? [] : [["Held by jobs", <Money key="held" amount={spend.held_usd} />] as const]),
    ["One job", orNone(spend.job_cap_usd, "No cap")]
  ] as const

/** The plan, what is on, the ceilings and what was spent; the operator decides on them. */
export const Limits = () => {
  const { data } = useSuspenseQuery(limitsQuery)
  const { plan, features, spend, max_queued, max_running, workflows } = data
  return (
    <>
      <Section title="Beta features">
        <Box padded={false}>
          <Table label="Beta features" columns={columns} rows={features} keyOf={({ name }) => name} />
        </Box>
      </Section>
      <Section title="Ceilings and spend">
        {spend.paused ? (
          <Note tone="warn">
            <p>The operator has paused spending: no job is accepted until it is resumed.</p>
          </Note>
        ) : null}
        <Facts
          facts={[
            ["Plan", plan],
            ...spendFacts(spend),
            ["Jobs at a time", `${max_running} run, ${max_queued} wait`],
            ["Workflows", workflows === null ? "All" : workflows.join(", ") || "None"]
          ]}
        />
        <p className="prose muted">
          The operator of the installation pays for the machine, so the operator sets plan, credit and ceilings:{" "}
          <code>assay workspace set --help</code> lists how. The hour counts what jobs under way have reserved; there is
          no ceiling of a month. What was spent over time is in <a href="/trends">Trends</a>.
        </p>
      </Section>
    </>
  )
}
