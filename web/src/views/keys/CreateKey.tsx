import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { useCreateKey } from "../../api/keys.ts"
import { type Scope, useSession } from "../../api/session.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Icon } from "../../parts/icon/Icon.tsx"
import { CreatedKey } from "./CreatedKey.tsx"
import { instantAfter, type Lifetime, lifetimeOptions } from "./expiry.ts"
import styles from "./Keys.module.css"
import { dollarsProblem, limitOf, listed, requestsProblem } from "./limits.ts"
import { presets } from "./presets.ts"
import { ScopePicker } from "./ScopePicker.tsx"

type Choice = "read" | "triage" | "fix" | "custom"

const everyScopeOfPresets = presets.at(-1)?.scopes ?? []

/** What a preset grants, and what it leaves out beside the others. */
const Granted = ({ scopes }: { readonly scopes: ReadonlyArray<Scope> }) => (
  <ul className={styles.granted} aria-label="Scopes of this preset">
    {everyScopeOfPresets.map((scope) => (
      <li key={scope} className={scopes.includes(scope) ? styles.yes : styles.no}>
        <Icon name={scopes.includes(scope) ? "check" : "skip"} />
        <code>{scope}</code>
        <span className="hidden-text">{scopes.includes(scope) ? "granted" : "not granted"}</span>
      </li>
    ))}
  </ul>
)

const useForm = () => {
  const { permissions } = useSession()
  const [now] = useState(() => new Date())
  const [name, setName] = useState("")
  const [lifetime, setLifetime] = useState<Lifetime>("30")
  const [choice, setChoice] = useState<Choice>("read")
  const [custom, setCustom] = useState<ReadonlyArray<Scope>>([])
  const [agent, setAgent] = useState("")
  const [requests, setRequests] = useState("")
  const [dollars, setDollars] = useState("")
  const [addresses, setAddresses] = useState("")
  const preset = presets.find(({ id }) => id === choice)
  const scopes = (preset?.scopes ?? custom).filter((scope) => permissions.includes(scope))
  const body = () => ({
    name: name.trim(),
    scopes: [...scopes],
    expires_at: instantAfter(lifetime, new Date()),
    agent_label: agent.trim() === "" ? null : agent.trim(),
    requests_per_minute: limitOf(requests, 1, true) ?? null,
    dollars_per_hour: limitOf(dollars, 0.01, false) ?? null,
    allowed_cidrs: addresses.trim() === "" ? null : [...listed(addresses)]
  })
  const isComplete =
    name.trim() !== "" &&
    scopes.length > 0 &&
    requestsProblem(requests) === undefined &&
    dollarsProblem(dollars) === undefined
  return {
    ...{ permissions, now, name, setName, lifetime, setLifetime, choice, custom, setCustom, agent, setAgent },
    ...{ requests, setRequests, dollars, setDollars, addresses, setAddresses, scopes, body, isComplete },
    choose: (next: Choice) => {
      // What was granted so far is where the choice of single scopes starts.
      if (next === "custom" && custom.length === 0) setCustom(scopes)
      setChoice(next)
    }
  }
}

type Form = ReturnType<typeof useForm>

const Limits = ({ form, fields }: { readonly form: Form; readonly fields: Readonly<Record<string, string>> }) => (
  <>
    <div className={styles.two}>
      <TextField
        label="Requests a minute"
        inputMode="numeric"
        placeholder="No limit of its own"
        hint="Empty: the plan's limit. It can only be lowered later."
        value={form.requests}
        onChange={form.setRequests}
        problem={requestsProblem(form.requests) ?? fields.requests_per_minute}
      />
      <TextField
        label="US dollars an hour"
        inputMode="decimal"
        placeholder="No limit of its own"
        hint="Empty: the workspace's limit. It can only be lowered later."
        value={form.dollars}
        onChange={form.setDollars}
        problem={dollarsProblem(form.dollars) ?? fields.dollars_per_hour}
      />
    </div>
    <div className={styles.two}>
      <TextField
        label="Agent (optional)"
        hint="Name of the agent that uses the key; it stands beside what the agent writes."
        value={form.agent}
        onChange={form.setAgent}
        problem={fields.agent_label}
      />
      <TextField
        label="Allowed addresses (optional)"
        mono
        placeholder="10.4.0.0/16, 2001:db8::/32"
        hint="Cannot be changed later. A request from elsewhere gets 401."
        value={form.addresses}
        onChange={form.setAddresses}
        problem={Object.entries(fields).find(([field]) => field.startsWith("allowed_cidrs"))?.[1]}
      />
    </div>
  </>
)

/** Creates a key, and shows it once. */
export const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const form = useForm()
  const create = useCreateKey()
  const fields = create.error instanceof ApiError ? create.error.fields : {}
  if (create.data !== undefined) return <CreatedKey created={create.data} onClose={onClose} />
  const mayAll = (scopes: ReadonlyArray<Scope>) => scopes.every((scope) => form.permissions.includes(scope))
  return (
    <FormDialog
      title="Create an API key"
      wide
      onClose={onClose}
      submit="Create key"
      onSubmit={() => create.mutate(form.body())}
      work={create}
      isDisabled={!form.isComplete}
    >
      <p className="soft">Start with the least it needs. Scopes and limits can only be tightened later.</p>
      <div className={styles.two}>
        <TextField
          label="Name"
          autoComplete="off"
          autoFocus
          maxLength={200}
          value={form.name}
          onChange={form.setName}
          problem={fields.name}
        />
        <Select
          label="Expires"
          options={lifetimeOptions(form.now)}
          value={form.lifetime}
          onChange={form.setLifetime}
          hint="The end cannot be changed later."
        />
      </div>
      <Choices
        label="What it may do"
        columns={2}
        value={form.choice}
        onChange={form.choose}
        choices={[
          ...presets.map(({ id, name, hint, scopes }) => ({
            value: id,
            label: name,
            hint: mayAll(scopes) ? hint : `${hint}, as far as your role may`
          })),
          { value: "custom" as const, label: "Custom", hint: "Choose each scope" }
        ]}
      />
      {form.choice === "custom" ? (
        <ScopePicker
          chosen={form.scopes}
          offered={form.permissions}
          otherwise="Your role does not permit it."
          onChange={form.setCustom}
        />
      ) : (
        <Granted scopes={form.scopes} />
      )}
      <Limits form={form} fields={fields} />
    </FormDialog>
  )
}
