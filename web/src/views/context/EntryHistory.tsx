import { useQuery } from "@tanstack/react-query"
import { type Address, type Entry, historyQuery } from "../../api/context.ts"
import { EntryDiff } from "../../parts/entry_diff/EntryDiff.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Time } from "../../parts/text/Time.tsx"
import styles from "./Context.module.css"
import { actorName } from "./kinds.tsx"
import { fieldsBetween, noValues, type Values, valuesBefore, valuesOf } from "./values.ts"

const words = {
  created: "Created",
  updated: "Changed",
  deleted: "Disabled",
  restored: "Restored",
  confirmed: "Confirmed",
  corroborated: "Corroborated"
} as const

const reasonOf = (detail: Readonly<Record<string, unknown>> | null) =>
  typeof detail?.reason === "string" ? `: ${detail.reason}` : ""

/** Every change, newest first; one that changed the content shows before and after side by side. */
export const EntryHistory = ({ address, entry }: { readonly address: Address; readonly entry: Entry }) => {
  const { data, error, refetch } = useQuery(historyQuery(address, entry.key))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones what="the history" />
  let after: Values = valuesOf(entry)
  const changes = data.map((event) => {
    const before = event.event === "created" ? noValues : valuesBefore(event, after)
    const change = { event, before, after }
    after = before
    return change
  })
  return (
    <ol className={styles.history}>
      {changes.map(({ event, before, after }) => (
        <li key={event.id}>
          <details>
            <summary>
              <strong>{words[event.event]}</strong> by {actorName(event.actor)} <Time at={event.created_at} long />
              <span className="muted">
                {" "}
                · version {event.version}
                {reasonOf(event.detail)}
              </span>
            </summary>
            <EntryDiff
              title={event.event === "created" ? "First version" : `Version ${event.version} against the one before`}
              fields={fieldsBetween(event.event === "created" ? null : before, after)}
              sides={["Before", "After"]}
              startsSplit={event.event !== "created"}
            />
          </details>
        </li>
      ))}
    </ol>
  )
}
