import { useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { useDeleteWebhook, useRotateSecret, type Webhook, webhooksQuery } from "../../api/webhooks.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { SecretOnce } from "../../parts/secret_once/SecretOnce.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { WebhookForm } from "./WebhookForm.tsx"
import { WebhookTable } from "./WebhookTable.tsx"

const route = getRouteApi("/shell/settings/$section")

const lost = "If it is lost, rotate it: the earlier one signs, too, for 24 hours."

const Rotate = ({
  webhook,
  onClose,
  onRotated
}: {
  readonly webhook: Webhook
  readonly onClose: () => void
  readonly onRotated: (secret: string) => void
}) => {
  const rotate = useRotateSecret()
  return (
    <FormDialog
      title="Rotate the secret?"
      onClose={onClose}
      submit="Rotate secret"
      work={rotate}
      onSubmit={() => rotate.mutate(webhook.id, { onSuccess: ({ secret }) => onRotated(secret) })}
    >
      <p>
        {webhook.url} gets a new secret. The present one signs every request, too, for 24 hours, so that nothing is
        rejected meanwhile.
      </p>
    </FormDialog>
  )
}

const Delete = ({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) => {
  const remove = useDeleteWebhook()
  return (
    <FormDialog
      title="Delete the endpoint?"
      onClose={onClose}
      submit="Delete endpoint"
      isDanger
      work={remove}
      onSubmit={() => remove.mutate(webhook.id, { onSuccess: onClose })}
    >
      <p>Nothing more is sent to {webhook.url}, and its deliveries are deleted. This cannot be undone.</p>
    </FormDialog>
  )
}

/** Where events are posted to. */
export const Webhooks = () => {
  const { data, error, refetch } = useQuery(webhooksQuery)
  const { dialog, id } = route.useSearch()
  const navigate = route.useNavigate()
  const [secret, setSecret] = useState<string | null>(null)
  const open = (next: string, of?: string) => navigate({ search: { dialog: next, id: of } })
  const close = () => navigate({ search: {}, replace: true })
  if (error instanceof ApiError && error.requiredFeatures.length > 0)
    return (
      <Note tone="info">
        <p>
          {error.message} The operator switches it on with <code>assay workspace set --feature webhooks=on</code>.
        </p>
      </Note>
    )
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones what="the endpoints" />
  const chosen = data.find((webhook) => webhook.id === id)
  const shown = (value: string) => {
    close()
    setSecret(value)
  }
  return (
    <>
      <div className="spread wrap">
        <p className="soft">Events are signed by Standard Webhooks and sent again until the endpoint accepts them.</p>
        <Button look="primary" icon="plus" onPress={() => open("new")}>
          Add endpoint…
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty
          icon="open"
          why="No endpoint yet."
          next="Add one to have jobs and findings posted to a service of yours."
        />
      ) : (
        <WebhookTable webhooks={data} onOpen={(what, webhook) => open(what, webhook.id)} />
      )}
      {dialog === "new" ? <WebhookForm webhook={null} onClose={close} onCreated={shown} /> : null}
      {chosen === undefined ? null : dialog === "edit" ? (
        <WebhookForm webhook={chosen} onClose={close} onCreated={shown} />
      ) : dialog === "rotate" ? (
        <Rotate webhook={chosen} onClose={close} onRotated={shown} />
      ) : dialog === "delete" ? (
        <Delete webhook={chosen} onClose={close} />
      ) : dialog === "deliveries" ? (
        <Deliveries webhook={chosen} onClose={close} />
      ) : null}
      {secret === null ? null : (
        <SecretOnce
          title="Secret of the endpoint"
          name="Secret"
          secret={secret}
          lost={lost}
          facts="The endpoint checks the signature of each request with it."
          onClose={() => setSecret(null)}
        />
      )}
    </>
  )
}
