import { useQuery } from "@tanstack/react-query"
import type { Schema } from "../../api/client.ts"
import { deliveriesQuery, useResend, type Webhook } from "../../api/webhooks.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog } from "../../parts/dialog/Dialog.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Settings.module.css"

type Delivery = Schema<"WebhookDelivery">

const State = ({ delivery: { status, status_code, error, next_attempt_at } }: { readonly delivery: Delivery }) => (
  <>
    {status === "delivered" ? (
      <Badge icon="done" tone="good" pill>
        Delivered {status_code}
      </Badge>
    ) : status === "failed" ? (
      <Badge icon="fail" tone="p0" pill>
        Failed {status_code}
      </Badge>
    ) : (
      <Badge icon="wait" tone="p3" pill>
        Pending
      </Badge>
    )}
    {error === null ? null : <span className={styles.hint}>{error}</span>}
    {next_attempt_at === null ? null : (
      <span className={styles.hint}>
        Next attempt <Time at={next_attempt_at} long />
      </span>
    )}
  </>
)

/** The newest deliveries to an endpoint, each of which can be sent again. */
export const Deliveries = ({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) => {
  const { data, error, refetch } = useQuery(deliveriesQuery(webhook.id))
  const resend = useResend()
  return (
    <Dialog
      title="Deliveries"
      isOpen
      wide
      onClose={onClose}
      actions={
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <p className={`${styles.url} soft`}>{webhook.url}</p>
      {resend.error === null ? null : <Problem error={resend.error} />}
      {error !== null ? (
        <Problem error={error} onRetry={() => refetch()} />
      ) : data === undefined ? (
        <Bones what="the deliveries" />
      ) : data.length === 0 ? (
        <Empty icon="open" why="Nothing was sent yet." next="Send a test event from the endpoint's menu." />
      ) : (
        <Table
          label="Deliveries"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { name: "Event", cell: ({ type }) => <code>{type}</code> },
            { name: "State", cell: (delivery) => <State delivery={delivery} /> },
            { name: "Attempts", figure: true, cell: ({ attempt }) => attempt },
            { name: "At", cell: ({ at }) => <Time at={at} long /> },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: ({ id, type }) => (
                <Button
                  small
                  isDisabled={!webhook.active}
                  aria-label={`Send ${type} again`}
                  isPending={resend.isPending && resend.variables.delivery_id === id}
                  onPress={() => resend.mutate({ webhook_id: webhook.id, delivery_id: id })}
                >
                  Send again
                </Button>
              )
            }
          ]}
        />
      )}
    </Dialog>
  )
}
