import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Address, type Entry, entryQuery, theirsOf, usePatchEntry } from "../../api/context.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog, FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Conflict } from "./Conflict.tsx"
import { type Draft, saveDraft, savedDraft } from "./drafts.ts"
import { EntryFields } from "./EntryFields.tsx"
import { saySaved } from "./saved.ts"
import { changesBetween, rebased, type Values, valuesOf } from "./values.ts"

interface Clash {
  readonly base: Values
  readonly theirs: Entry
}

/** What is being edited, the version that it was made from, and what someone else wrote meanwhile. */
const useDraft = (address: Address, entry: Entry) => {
  const fresh: Draft = { etag: entry.etag, key: entry.key, base: valuesOf(entry), mine: valuesOf(entry) }
  const [restored] = useState(() => savedDraft(address, entry.key))
  const [draft, setDraft] = useState<Draft>(restored ?? fresh)
  const [clash, setClash] = useState<Clash | null>(null)
  const keep = (next: Draft) => {
    setDraft(next)
    saveDraft(address, entry.key, next)
  }
  return {
    draft,
    clash,
    isRestored: restored !== null,
    write: (mine: Values) => keep({ ...draft, mine }),
    discard: () => {
      saveDraft(address, entry.key, null)
      setDraft(fresh)
      setClash(null)
    },
    done: () => saveDraft(address, entry.key, null),
    // Mine stays where I changed it; the rest follows theirs, and the next save is made from theirs.
    meet: (theirs: Entry) => {
      setClash({ base: draft.base, theirs })
      keep({
        ...draft,
        etag: theirs.etag,
        base: valuesOf(theirs),
        mine: rebased(draft.base, draft.mine, valuesOf(theirs))
      })
    }
  }
}

const Form = ({
  address,
  entry,
  onClose
}: {
  readonly address: Address
  readonly entry: Entry
  readonly onClose: () => void
}) => {
  const { draft, clash, isRestored, write, discard, done, meet } = useDraft(address, entry)
  const patch = usePatchEntry(address, entry.key)
  const theirs = theirsOf(patch.error)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version that someone else wrote
  useEffect(() => {
    if (theirs !== null) meet(theirs)
  }, [theirs?.etag])
  const changes = changesBetween(draft.base, draft.mine)
  const confirms = entry.status === "proposed"
  const isUnchanged = Object.keys(changes).length === 0
  return (
    <FormDialog
      title={`Edit ${entry.key}`}
      wide
      onClose={onClose}
      submit={clash === null ? "Save entry" : "Save my version"}
      isDisabled={isUnchanged || draft.mine.title.trim() === "" || draft.mine.summary.trim() === ""}
      work={{ isPending: patch.isPending, error: theirs === null ? patch.error : null }}
      onSubmit={() =>
        patch.mutate(
          { etag: draft.etag ?? entry.etag, body: changes },
          {
            onSuccess: (written) => {
              done()
              saySaved(`${draft.mine.title} is saved${confirms ? "; it still waits to be confirmed" : ""}.`, written)
              onClose()
            }
          }
        )
      }
    >
      {clash === null ? null : <Conflict base={clash.base} mine={draft.mine} theirs={clash.theirs} onResolve={write} />}
      {clash === null && isRestored ? (
        <Note tone="info">
          <p>Your draft from before is restored.</p>
          <div>
            <Button small onPress={discard}>
              Discard the draft
            </Button>
          </div>
        </Note>
      ) : null}
      <EntryFields
        values={draft.mine}
        onChange={write}
        problems={patch.error instanceof ApiError ? patch.error.fields : {}}
        isWorkspace={address === null}
      />
    </FormDialog>
  )
}

/** Edits an entry; a version that someone else saved meanwhile stands beside the draft, and neither is lost. */
export const EditEntry = ({
  address,
  entryKey,
  onClose
}: {
  readonly address: Address
  readonly entryKey: string
  readonly onClose: () => void
}) => {
  const { data, error, refetch } = useQuery(entryQuery(address, entryKey))
  if (data !== undefined) return <Form address={address} entry={data} onClose={onClose} />
  return (
    <Dialog title={`Edit ${entryKey}`} isOpen onClose={onClose}>
      {error === null ? <Bones what="the entry" /> : <Problem error={error} onRetry={() => refetch()} />}
    </Dialog>
  )
}
