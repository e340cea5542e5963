import { useState } from "react"
import type { EntrySummary } from "../../api/context.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import styles from "./Context.module.css"
import { EntryList } from "./EntryList.tsx"
import { kindOptions } from "./kinds.tsx"
import { useContextAddress, useLevelName } from "./useContextView.ts"

const emptyWords = {
  proposed: ["No proposed entries.", "Entries that agents write wait here for you."],
  disabled: ["No disabled entries at this level.", "Entries that are disabled stay here and can be restored."],
  effective: ["No entries apply here.", "Write down a decision, a convention or a warning for people and agents."]
} as const

const Filters = () => {
  const { search, go } = useContextAddress()
  const [words, setWords] = useState(search.q ?? "")
  return (
    <form
      className={styles.filters}
      onSubmit={(event) => {
        event.preventDefault()
        go({ q: words.trim() === "" ? undefined : words.trim() })
      }}
    >
      <TextField
        label="Search entries"
        labelHidden
        type="search"
        placeholder="Search, then Enter"
        value={words}
        onChange={setWords}
      />
      <Select
        label="Kind"
        labelHidden
        options={[{ value: "all" as const, label: "Every kind" }, ...kindOptions]}
        value={kindOptions.find(({ value }) => value === search.kind)?.value ?? "all"}
        onChange={(kind) => go({ kind: kind === "all" ? undefined : kind })}
      />
    </form>
  )
}

interface Selection {
  readonly entries: ReadonlyArray<EntrySummary> | undefined
  readonly error: Error | null
  readonly refetch: () => unknown
}

/** The list with its search. */
export const EntrySelection = ({ list: { entries, error, refetch } }: { readonly list: Selection }) => {
  const { search } = useContextAddress()
  const nameOf = useLevelName()
  const [why, next] =
    search.q !== undefined || search.kind !== undefined
      ? ["No entry matches.", "Clear the search, or choose every kind."]
      : emptyWords[search.status === "proposed" || search.status === "disabled" ? search.status : "effective"]
  return (
    <>
      <Filters key={search.q} />
      {error !== null ? (
        <Problem error={error} onRetry={() => refetch()} />
      ) : entries === undefined ? (
        <Bones what="the entries" />
      ) : entries.length === 0 ? (
        <Empty icon="context" why={why} next={next} />
      ) : (
        <EntryList entries={entries} search={search} openKey={search.entry} nameOf={nameOf} />
      )}
    </>
  )
}
