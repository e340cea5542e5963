import { useSuspenseQuery } from "@tanstack/react-query"
import type { Schema } from "../../api/client.ts"
import { doctorQuery } from "../../api/settings.ts"
import { StateBadge, type StateLook } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { type Column, Table } from "../../parts/layout/Table.tsx"
import styles from "./Settings.module.css"

type Check = Schema<"DoctorCheck">

const looks: Readonly<Record<Check["status"], StateLook>> = {
  ok: { words: "In order", icon: "done", tone: "good" },
  warn: { words: "Look at it", icon: "warn", tone: "p1" },
  fail: { words: "Does not work", icon: "fail", tone: "p0" }
}

const names: Readonly<Record<string, string>> = {
  settings: "Settings",
  node: "Node",
  git: "git",
  memory: "Memory",
  disk: "Disk",
  database: "Database",
  migrations: "Migrations",
  clock: "Clock",
  jobs: "Jobs",
  growth: "Growth",
  retention: "Retention",
  repositories: "Folders of repositories",
  sandbox: "Scan processes",
  advisories: "Advisories",
  mail: "E-mail",
  proxies: "Proxies"
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

const columns: ReadonlyArray<Column<Check>> = [
  { name: "Check", cell: ({ name }) => <strong>{names[name] ?? name}</strong> },
  { name: "State", cell: ({ status }) => <StateBadge look={looks[status]} /> },
  {
    name: "What was found, and what to do",
    cell: ({ detail, advice }) => (
      <>
        {sentence(detail)}
        {advice === null ? null : <span className={styles.hint}>{advice}</span>}
      </>
    )
  }
]

const order = ["fail", "warn", "ok"] as const

const summaryOf = (checks: ReadonlyArray<Check>): string => {
  const count = checks.filter(({ status }) => status !== "ok").length
  if (count === 0) return "Everything that the service needs is in order."
  return count === 1 ? "One check needs someone to look at it." : `${count} checks need someone to look at them.`
}

/** What the doctor finds on the server, with what to do about it. */
export const Doctor = () => {
  const { data: checks, isFetching, refetch } = useSuspenseQuery(doctorQuery)
  const sorted = [...checks].sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  return (
    <>
      <Note tone={sorted[0]?.status === "fail" ? "bad" : sorted[0]?.status === "warn" ? "warn" : "good"}>
        <p role="status">{summaryOf(checks)}</p>
      </Note>
      <Box padded={false}>
        <Table label="Checks" columns={columns} rows={sorted} keyOf={({ name }) => name} />
      </Box>
      <div className="line wrap">
        <Button onPress={() => refetch()} isPending={isFetching}>
          Check again
        </Button>
        <span className="muted">
          Paths and addresses are left out here; <code>assay doctor</code> on the server prints them.
        </span>
      </div>
    </>
  )
}
