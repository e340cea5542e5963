import { useTestWebhook, useUpdateWebhook, type Webhook } from "../../api/webhooks.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { IconButton } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Menu } from "../../parts/menu/Menu.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Settings.module.css"

const State = ({ webhook: { active, disabled_reason, failing_since } }: { readonly webhook: Webhook }) => {
  if (!active)
    return (
      <>
        <Badge icon="skip" pill>
          {disabled_reason === null ? "Paused" : "Disabled"}
        </Badge>
        {disabled_reason === null ? null : <span className={styles.hint}>{disabled_reason}</span>}
      </>
    )
  if (failing_since !== null)
    return (
      <Badge icon="warn" tone="p1" pill>
        Failing since <Time at={failing_since} long />
      </Badge>
    )
  return (
    <Badge icon="done" tone="good" pill>
      Active
    </Badge>
  )
}

interface WebhookTableProps {
  readonly webhooks: ReadonlyArray<Webhook>
  readonly onOpen: (what: "deliveries" | "edit" | "rotate" | "delete", webhook: Webhook) => void
}

export const WebhookTable = ({ webhooks, onOpen }: WebhookTableProps) => {
  const update = useUpdateWebhook()
  const test = useTestWebhook()
  const error = update.error ?? test.error
  const runTest = (webhook: Webhook) =>
    test.mutate(webhook.id, {
      onSuccess: () => {
        say({ text: "A test event is on its way." })
        onOpen("deliveries", webhook)
      }
    })
  return (
    <>
      {error === null ? null : <Problem error={error} />}
      <Box padded={false}>
        <Table
          label="Webhook endpoints"
          rows={webhooks}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Endpoint",
              cell: ({ url, description }) => (
                <>
                  <strong className={styles.url}>{url}</strong>
                  {description === null ? null : <span className={styles.hint}>{description}</span>}
                </>
              )
            },
            {
              name: "Events",
              cell: ({ events, repos, min_priority }) => (
                <span title={events.join("\n")}>
                  {events.includes("*") ? "All" : events.length}
                  <span className={styles.hint}>
                    {repos === null ? "" : `${repos.length} repositories `}
                    {min_priority === null ? "" : `${min_priority} and more severe`}
                  </span>
                </span>
              )
            },
            { name: "State", cell: (webhook) => <State webhook={webhook} /> },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: (webhook) => (
                <Menu
                  label={`Actions of ${webhook.url}`}
                  trigger={<IconButton small icon="more" label={`Actions of ${webhook.url}`} />}
                  entries={[
                    { id: "deliveries", label: "Deliveries", run: () => onOpen("deliveries", webhook) },
                    {
                      id: "test",
                      label: "Send a test event",
                      isDisabled: !webhook.active,
                      run: () => runTest(webhook)
                    },
                    { id: "edit", label: "Edit…", run: () => onOpen("edit", webhook) },
                    {
                      id: "active",
                      label: webhook.active ? "Pause" : "Resume",
                      run: () => update.mutate({ id: webhook.id, body: { active: !webhook.active } })
                    },
                    { id: "rotate", label: "Rotate secret…", run: () => onOpen("rotate", webhook) },
                    { id: "delete", label: "Delete…", run: () => onOpen("delete", webhook) }
                  ]}
                />
              )
            }
          ]}
        />
      </Box>
    </>
  )
}
