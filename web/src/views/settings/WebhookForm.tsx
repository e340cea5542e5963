import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { webhookEvents } from "../../api/webhookEvents.ts"
import { type NewWebhook, useCreateWebhook, useUpdateWebhook, type Webhook } from "../../api/webhooks.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import styles from "./Settings.module.css"

type EventType = NewWebhook["events"][number]

/** All of them has a box of its own. */
const singleEvents = webhookEvents.filter((type) => type !== "*")

const priorities = [
  { value: "all", label: "Every priority" },
  { value: "P0", label: "P0 only" },
  { value: "P1", label: "P1 and more severe" },
  { value: "P2", label: "P2 and more severe" }
] as const
type Least = (typeof priorities)[number]["value"]

const EventChoice = ({
  chosen,
  onChange
}: {
  readonly chosen: ReadonlyArray<EventType>
  readonly onChange: (events: ReadonlyArray<EventType>) => void
}) => {
  const isAll = chosen.includes("*")
  return (
    <fieldset>
      <legend>Events</legend>
      <Checkbox isSelected={isAll} onChange={(all) => onChange(all ? ["*"] : [])}>
        All, those of later versions too
      </Checkbox>
      {isAll ? null : (
        <div className={styles.two}>
          {singleEvents.map((type) => (
            <Checkbox
              key={type}
              isSelected={chosen.includes(type)}
              onChange={(isChosen) => onChange(isChosen ? [...chosen, type] : chosen.filter((one) => one !== type))}
            >
              <code>{type}</code>
            </Checkbox>
          ))}
        </div>
      )}
    </fieldset>
  )
}

interface WebhookFormProps {
  readonly webhook: Webhook | null
  readonly onClose: () => void
  readonly onCreated: (secret: string) => void
}

/** Adds an endpoint, or changes one. */
export const WebhookForm = ({ webhook, onClose, onCreated }: WebhookFormProps) => {
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [description, setDescription] = useState(webhook?.description ?? "")
  const [repos, setRepos] = useState(webhook?.repos?.join(", ") ?? "")
  const [least, setLeast] = useState<Least>(
    priorities.find(({ value }) => value === webhook?.min_priority)?.value ?? "all"
  )
  const [events, setEvents] = useState<ReadonlyArray<EventType>>(
    webhook === null ? ["*"] : webhookEvents.filter((type) => webhook.events.includes(type))
  )
  const create = useCreateWebhook()
  const update = useUpdateWebhook()
  const { error } = webhook === null ? create : update
  const problems = error instanceof ApiError ? error.fields : {}
  const slugs = repos.split(/[\s,]+/).filter((slug) => slug !== "")
  const given = <Value,>(value: Value, isEmpty: boolean) => (isEmpty ? null : value)
  const submit = () => {
    const shared = { url: url.trim(), events: [...events] }
    const optional = {
      description: given(description.trim(), description.trim() === ""),
      repos: given(slugs, slugs.length === 0),
      min_priority: least === "all" ? null : least
    }
    if (webhook !== null) update.mutate({ id: webhook.id, body: { ...shared, ...optional } }, { onSuccess: onClose })
    else
      create.mutate(
        {
          ...shared,
          ...(optional.description === null ? {} : { description: optional.description }),
          ...(optional.repos === null ? {} : { repos: optional.repos }),
          ...(optional.min_priority === null ? {} : { min_priority: optional.min_priority })
        },
        { onSuccess: ({ secret }) => onCreated(secret) }
      )
  }
  return (
    <FormDialog
      title={webhook === null ? "Add an endpoint" : "Edit the endpoint"}
      wide
      onClose={onClose}
      submit={webhook === null ? "Add endpoint" : "Save endpoint"}
      isDisabled={url.trim() === "" || events.length === 0}
      work={webhook === null ? create : update}
      onSubmit={submit}
    >
      <TextField
        label="Address"
        type="url"
        mono
        autoFocus
        placeholder="https://hooks.example.org/assay"
        value={url}
        onChange={setUrl}
        problem={problems.url}
      />
      <TextField label="Description (optional)" maxLength={500} value={description} onChange={setDescription} />
      <EventChoice chosen={events} onChange={setEvents} />
      <div className={styles.two}>
        <TextField
          label="Repositories (optional)"
          mono
          placeholder="owner/repo@branch"
          hint="Between commas; empty: the whole workspace."
          value={repos}
          onChange={setRepos}
          problem={Object.entries(problems).find(([name]) => name.startsWith("repos"))?.[1]}
        />
        <Select label="Least severe priority" options={priorities} value={least} onChange={setLeast} />
      </div>
    </FormDialog>
  )
}
