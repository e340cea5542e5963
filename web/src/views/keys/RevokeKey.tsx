import { type ApiKey, useRevokeKey } from "../../api/keys.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { say } from "../../parts/toast/toasts.ts"

export const RevokeKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const revoke = useRevokeKey(apiKey.id)
  return (
    <FormDialog
      title={`Revoke ${apiKey.name}?`}
      onClose={onClose}
      submit="Revoke key"
      isDanger
      work={revoke}
      onSubmit={() =>
        revoke.mutate(undefined, {
          onSuccess: () => {
            say({ text: `Key ${apiKey.name} revoked.` })
            onClose()
          }
        })
      }
    >
      <p>
        Whatever uses <code>{apiKey.prefix}…</code> gets 401 from the next call on, and its open streams end. Jobs that
        it started go on. What it wrote stays.
      </p>
      <p className="soft">
        {apiKey.last_used_at === null ? (
          "It was never used."
        ) : (
          <>
            It was last used <Time at={apiKey.last_used_at} long />
            {apiKey.last_used_ip === null ? "." : ` from ${apiKey.last_used_ip}.`}
          </>
        )}{" "}
        This cannot be undone.
      </p>
    </FormDialog>
  )
}
