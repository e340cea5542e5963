import { useInfiniteQuery, useMutation } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { type AuditFilters, type AuditRecord, auditLogFile, auditLogQuery } from "../../api/audit_log.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Settings.module.css"

const route = getRouteApi("/shell/settings/$section")

const actorOf = ({ actor }: AuditRecord) => actor.label ?? actor.api_key?.name ?? actor.kind

/** The filters of the address; a date stands for its first instant. */
const useFilters = (): AuditFilters => {
  const { actor, action, object, since, until } = route.useSearch()
  const instant = (date: string | undefined) =>
    date === undefined || Number.isNaN(Date.parse(date)) ? undefined : new Date(date).toISOString()
  return { actor, action, object, since: instant(since), until: instant(until) }
}

const Filters = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [values, setValues] = useState({
    actor: search.actor ?? "",
    action: search.action ?? "",
    object: search.object ?? "",
    since: search.since ?? "",
    until: search.until ?? ""
  })
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => setValues({ ...values, [name]: value })
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        navigate({ search: Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== "")) })
      }}
    >
      <div className={styles.two}>
        <TextField label="Who" placeholder="E-mail, key prefix or system" {...field("actor")} />
        <TextField label="What" mono placeholder="keys.create" {...field("action")} />
        <TextField label="On" mono placeholder="OBS-12 or setting" {...field("object")} />
        <TextField label="From" type="date" {...field("since")} />
        <TextField label="Before" type="date" {...field("until")} />
      </div>
      <div className="line wrap">
        <Button type="submit">Apply filters</Button>
        <Button look="ghost" onPress={() => navigate({ search: {} })}>
          Clear filters
        </Button>
      </div>
    </form>
  )
}

const Export = ({ filters }: { readonly filters: AuditFilters }) => {
  const download = useMutation({
    mutationFn: () => auditLogFile(filters),
    onSuccess: (file) => {
      const link = document.createElement("a")
      link.href = URL.createObjectURL(file)
      link.download = "audit-log.csv"
      link.click()
      URL.revokeObjectURL(link.href)
    }
  })
  return (
    <>
      <Button icon="down" isPending={download.isPending} onPress={() => download.mutate()}>
        Export as CSV
      </Button>
      {download.error === null ? null : <Problem error={download.error} />}
    </>
  )
}

const RecordDialog = ({ record, onClose }: { readonly record: AuditRecord; readonly onClose: () => void }) => (
  <Dialog title={record.action} isOpen wide onClose={onClose}>
    <Facts
      facts={[
        ["Who", actorOf(record)],
        ["When", <Time key="at" at={record.at} long />],
        ["On", `${record.object.kind} ${record.object.ref}`],
        ["Address", record.address ?? "background work"],
        ["Request", record.request_id ?? "none"]
      ]}
    />
    {(["before", "after"] as const).map((side) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      <section key={side} aria-label={side} className={styles.details} tabIndex={0}>
        <h3>{side === "before" ? "Before" : "After"}</h3>
        <pre>{record[side] === null ? "nothing" : JSON.stringify(record[side], null, 2)}</pre>
      </section>
    ))}
  </Dialog>
)

/** Who changed what, newest first. */
export const AuditLog = () => {
  const filters = useFilters()
  const { id, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditLogQuery(filters)
  )
  const rows = data?.pages.flatMap((page) => page.data)
  const open = rows?.find((record) => record.id === id)
  return (
    <>
      <Filters key={JSON.stringify(filters)} />
      <div className="line wrap">
        <Export filters={filters} />
        <span className="muted">All records that the filters select.</span>
      </div>
      {error !== null ? (
        <Problem error={error} onRetry={() => refetch()} />
      ) : rows === undefined ? (
        <Bones what="the audit log" />
      ) : rows.length === 0 ? (
        <Empty icon="clock" why="No record matches these filters." next="Clear a filter, or choose another time." />
      ) : (
        <Box padded={false}>
          <Table
            label="Audit log"
            rows={rows}
            keyOf={(record) => record.id}
            columns={[
              { name: "When", cell: ({ at }) => <Time at={at} long /> },
              { name: "Who", cell: (record) => actorOf(record) },
              { name: "What", cell: ({ action }) => <code>{action}</code> },
              {
                name: "On",
                cell: ({ object }) => (
                  <>
                    {object.kind}
                    <span className={`${styles.hint} ${styles.url}`}>{object.ref}</span>
                  </>
                )
              },
              { name: "Address", cell: ({ address }) => <code>{address}</code> },
              {
                name: "Actions",
                nameHidden: true,
                figure: true,
                cell: (record) => (
                  <Button
                    small
                    aria-label={`Show ${record.action} on ${record.object.ref}`}
                    onPress={() => navigate({ search: { ...search, id: record.id } })}
                  >
                    Show
                  </Button>
                )
              }
            ]}
          />
        </Box>
      )}
      {hasNextPage ? (
        <div>
          <Button isPending={isFetchingNextPage} onPress={() => fetchNextPage()}>
            Load more
          </Button>
        </div>
      ) : null}
      {open === undefined ? null : (
        <RecordDialog record={open} onClose={() => navigate({ search: { ...search, id: undefined }, replace: true })} />
      )}
    </>
  )
}
