import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import type { Schema } from "../../api/client.ts"
import { type MailStatus, outboxQuery } from "../../api/settings.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Settings.module.css"

type Mail = Schema<"OutboxMail">

const route = getRouteApi("/shell/settings/$section")

const State = ({ mail: { status, error, next_attempt_at } }: { readonly mail: Mail }) => (
  <>
    {status === "sent" ? (
      <Badge icon="done" tone="good" pill>
        Sent
      </Badge>
    ) : status === "failed" ? (
      <Badge icon="fail" tone="p0" pill>
        Failed
      </Badge>
    ) : (
      <Badge icon="wait" tone="p3" pill>
        Pending
      </Badge>
    )}
    {error === null ? null : <span className={styles.hint}>{error}</span>}
    {next_attempt_at === null || error === null ? null : (
      <span className={styles.hint}>
        Next attempt <Time at={next_attempt_at} long />
      </span>
    )}
  </>
)

const statuses = ["pending", "sent", "failed"] as const satisfies ReadonlyArray<MailStatus>

const stateOptions = [
  { value: "any", label: "All states" },
  { value: "pending", label: "Pending" },
  { value: "sent", label: "Sent" },
  { value: "failed", label: "Failed" }
] as const

const noMail: Readonly<Record<MailStatus, string>> = {
  pending: "No e-mail is pending.",
  sent: "No e-mail was sent yet.",
  failed: "No e-mail has failed."
}

const NoMail = ({ status }: { readonly status: MailStatus | undefined }) =>
  status === undefined ? (
    <Empty icon="open" why="No e-mail yet." next="Invitations, sign-in links and notices appear here." />
  ) : (
    <Empty icon="search" why={noMail[status]} next="Choose another state to see the others." />
  )

/** The workspace's e-mails. */
export const Outbox = () => {
  const { id, ...search } = route.useSearch()
  const status = statuses.find((known) => known === search.status)
  const { data } = useSuspenseQuery(outboxQuery(status))
  const navigate = route.useNavigate()
  const open = data.find((mail) => mail.id === id)
  const show = (mail: string | undefined) => navigate({ search: { status, id: mail }, replace: mail === undefined })
  return (
    <>
      <div className={styles.narrow}>
        <Select
          label="State"
          value={status ?? "any"}
          options={stateOptions}
          onChange={(value) => navigate({ search: { status: value === "any" ? undefined : value } })}
        />
      </div>
      {data.length === 0 ? <NoMail status={status} /> : null}
      {data.length === 0 ? null : (
        <Box padded={false}>
          <Table
            label="E-mails"
            rows={data}
            keyOf={(mail) => mail.id}
            columns={[
              { name: "To", cell: ({ to }) => to },
              { name: "Subject", cell: ({ subject }) => subject },
              { name: "State", cell: (mail) => <State mail={mail} /> },
              { name: "Queued", cell: ({ created_at }) => <Time at={created_at} long /> },
              {
                name: "Actions",
                nameHidden: true,
                figure: true,
                cell: (mail) => (
                  <Button small aria-label={`Show ${mail.subject} to ${mail.to}`} onPress={() => show(mail.id)}>
                    Show
                  </Button>
                )
              }
            ]}
          />
        </Box>
      )}
      {open === undefined ? null : (
        <Dialog title={open.subject} isOpen wide onClose={() => show(undefined)}>
          <p className="soft">To {open.to}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className={styles.details} aria-label="Text" tabIndex={0}>
            {open.text}
          </section>
        </Dialog>
      )}
    </>
  )
}
