import { useQuery } from "@tanstack/react-query"
import { type Address, type Entry, entryQuery, useConfirmEntry } from "../../api/context.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { useShortcuts } from "../../parts/shortcuts/useShortcuts.ts"
import { Tabs } from "../../parts/tabs/Tabs.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { say } from "../../parts/toast/toasts.ts"
import styles from "./Context.module.css"
import { EntryHistory } from "./EntryHistory.tsx"
import { EntryText } from "./EntryText.tsx"
import { actorName, Corroborated, EntryKind, EntryState } from "./kinds.tsx"
import { Proposal } from "./Proposal.tsx"
import { type ContextSearch, sourceOf, useContextAddress, useLevelName, useWriteProblem } from "./useContextView.ts"

/** What may be done with an entry; an inherited one is changed where it lives. */
const Actions = ({ entry, onConfirmed }: { readonly entry: Entry; readonly onConfirmed: () => void }) => {
  const { address, go } = useContextAddress()
  const problem = useWriteProblem()
  const confirm = useConfirmEntry(address)
  const run = () =>
    confirm.mutate(entry, {
      onSuccess: () => {
        say({ text: `${entry.title} is live.` })
        onConfirmed()
      }
    })
  const may = problem === null && entry.level === "own"
  const isProposed = entry.status === "proposed"
  useShortcuts([
    { keys: "c", label: "Confirm", group: "Team context", run: () => (may && isProposed ? run() : undefined) },
    { keys: "e", label: "Edit", group: "Team context", run: () => (may ? go({ dialog: "edit" }) : undefined) }
  ])
  if (entry.level !== "own") return <p className="muted">Open the level where it lives to change it.</p>
  return (
    <>
      <div className="line wrap">
        {isProposed ? (
          <Button look="primary" keyCap="c" isDisabled={!may} isPending={confirm.isPending} onPress={run}>
            Confirm
          </Button>
        ) : null}
        <Button keyCap="e" isDisabled={!may} onPress={() => go({ dialog: "edit" })}>
          {isProposed ? "Edit, then confirm…" : "Edit…"}
        </Button>
        <Button isDisabled={!may} onPress={() => go({ dialog: "disable" })}>
          Disable…
        </Button>
      </div>
      {problem === null ? null : <p className="muted">{problem}</p>}
      {confirm.error === null ? null : <Problem error={confirm.error} />}
    </>
  )
}

const EntryFacts = ({ entry }: { readonly entry: Entry }) => {
  const nameOf = useLevelName()
  const { api_key, label_verified } = entry.updated_by
  return (
    <Facts
      facts={[
        [
          "Written by",
          <>
            {actorName(entry.updated_by)} {api_key === null ? null : <code>{api_key.prefix}…</code>}
            {label_verified || api_key === null ? null : <span className="muted"> (label not verified)</span>}{" "}
            <Time at={entry.updated_at} long />
          </>
        ],
        ...(entry.corroborated_at === null || entry.corroborated_by === null
          ? []
          : ([
              [
                "Corroborated",
                <>
                  <Time at={entry.corroborated_at} long /> by {actorName(entry.corroborated_by)}, a different key. This
                  is not a second person.
                </>
              ]
            ] as const)),
        ...(entry.last_confirmed_at === null
          ? []
          : ([["Confirmed", <Time key="at" at={entry.last_confirmed_at} long />]] as const)),
        ["Lives at", entry.level === "own" ? nameOf(entry.source_project_slug) : sourceOf(entry, nameOf)],
        ...(entry.replaces.length === 0
          ? []
          : ([
              [
                "Replaces",
                entry.replaces
                  .map(
                    ({ version, source_hidden, source_project_slug }) =>
                      `version ${version} of ${source_hidden ? "a hidden level" : nameOf(source_project_slug)}`
                  )
                  .join(", ")
              ]
            ] as const)),
        ...(entry.tags.length === 0 ? [] : ([["Tags", entry.tags.join(", ")]] as const)),
        ...(entry.labels.length === 0 ? [] : ([["Labels", entry.labels.join(", ")]] as const))
      ]}
    />
  )
}

const partsOf = (search: ContextSearch, isProposed: boolean, show: string) =>
  [...(isProposed ? [["changes", "Changes"]] : []), ["text", "Text"], ["history", "History"]].map(
    ([part = "", label]) => ({
      label,
      to: "/context" as const,
      search: { ...search, show: part },
      isCurrent: part === show
    })
  )

/** One entry: what it says, what it would change, where it comes from, and its history. */
export const EntryPane = ({
  address,
  entryKey,
  onConfirmed
}: {
  readonly address: Address
  readonly entryKey: string
  readonly onConfirmed: () => void
}) => {
  const { search } = useContextAddress()
  const { data: entry, error, refetch } = useQuery(entryQuery(address, entryKey))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (entry === undefined) return <Bones what="the entry" />
  const isProposed = entry.status === "proposed"
  const show = search.show ?? (isProposed ? "changes" : "text")
  return (
    <article className={styles.entry} aria-label={entry.title}>
      <div className="line wrap">
        <EntryState entry={entry} />
        <EntryKind kind={entry.kind} />
        <Corroborated entry={entry} long />
      </div>
      <h2>{entry.title}</h2>
      <p className="soft">
        <code>{entry.key}</code> · {entry.scope === "subtree" ? "this level and below" : "this level only"} · version{" "}
        {entry.version}
      </p>
      <Actions entry={entry} onConfirmed={onConfirmed} />
      <Tabs label="Parts of the entry" underlined tabs={partsOf(search, isProposed, show)} />
      {show === "history" ? (
        <EntryHistory address={address} entry={entry} />
      ) : show === "changes" && isProposed ? (
        <Proposal address={address} entry={entry} />
      ) : (
        <EntryText entry={entry} />
      )}
      <EntryFacts entry={entry} />
      {isProposed ? (
        <Note tone="info">
          <p>
            <strong>Confirm makes version {entry.version} live for agents at once.</strong> Earlier versions stay in the
            history.
          </p>
        </Note>
      ) : null}
    </article>
  )
}
