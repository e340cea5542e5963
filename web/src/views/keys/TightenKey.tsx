import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type ApiKey, type KeyChange, useTightenKey } from "../../api/keys.ts"
import type { Scope } from "../../api/session.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Keys.module.css"
import { dollarsProblem, limitOf, requestsProblem } from "./limits.ts"
import { ScopePicker } from "./ScopePicker.tsx"

const text = (limit: number | null) => (limit === null ? "" : String(limit))

/** Only what differs: a limit that is left as it is counts as no change. */
const changesOf = (key: ApiKey, next: Required<Pick<KeyChange, "name" | "agent_label" | "scopes">> & KeyChange) => {
  const change: KeyChange = {}
  if (next.name !== key.name) change.name = next.name
  if (next.agent_label !== key.agent_label) change.agent_label = next.agent_label
  if (next.scopes.length !== key.scopes.length) change.scopes = next.scopes
  if (next.requests_per_minute !== key.requests_per_minute) change.requests_per_minute = next.requests_per_minute
  if (next.dollars_per_hour !== key.dollars_per_hour) change.dollars_per_hour = next.dollars_per_hour
  return change
}

/** Takes scopes away and lowers limits; the other way is a new key. */
export const TightenKey = ({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) => {
  const [name, setName] = useState(apiKey.name)
  const [agent, setAgent] = useState(apiKey.agent_label ?? "")
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>(apiKey.scopes)
  const [requests, setRequests] = useState(text(apiKey.requests_per_minute))
  const [dollars, setDollars] = useState(text(apiKey.dollars_per_hour))
  const tighten = useTightenKey(apiKey.id)
  const fields = tighten.error instanceof ApiError ? tighten.error.fields : {}
  const change = changesOf(apiKey, {
    name: name.trim(),
    agent_label: agent.trim() === "" ? null : agent.trim(),
    scopes: [...scopes],
    requests_per_minute: limitOf(requests, 1, true) ?? null,
    dollars_per_hour: limitOf(dollars, 0.01, false) ?? null
  })
  const hasProblem = requestsProblem(requests) !== undefined || dollarsProblem(dollars) !== undefined
  return (
    <FormDialog
      title={`Tighten ${apiKey.name}`}
      wide
      onClose={onClose}
      submit="Tighten key"
      work={tighten}
      isDisabled={name.trim() === "" || hasProblem || Object.keys(change).length === 0}
      onSubmit={() =>
        tighten.mutate(change, {
          onSuccess: () => {
            say({ text: `Key ${name} changed. It applies from the next call.` })
            onClose()
          }
        })
      }
    >
      <p className="soft">What is taken away cannot be given back: for more, create another key.</p>
      <div className={styles.two}>
        <TextField label="Name" maxLength={200} value={name} onChange={setName} problem={fields.name} autoFocus />
        <TextField label="Agent" maxLength={200} value={agent} onChange={setAgent} problem={fields.agent_label} />
      </div>
      <div className={styles.two}>
        <TextField
          label="Requests a minute"
          inputMode="numeric"
          hint={
            apiKey.requests_per_minute === null ? "Empty: the plan's limit." : `At most ${apiKey.requests_per_minute}.`
          }
          value={requests}
          onChange={setRequests}
          problem={requestsProblem(requests)}
        />
        <TextField
          label="US dollars an hour"
          inputMode="decimal"
          hint={
            apiKey.dollars_per_hour === null ? "Empty: the workspace's limit." : `At most ${apiKey.dollars_per_hour}.`
          }
          value={dollars}
          onChange={setDollars}
          problem={dollarsProblem(dollars)}
        />
      </div>
      <ScopePicker chosen={scopes} offered={apiKey.scopes} otherwise="The key does not have it." onChange={setScopes} />
    </FormDialog>
  )
}
