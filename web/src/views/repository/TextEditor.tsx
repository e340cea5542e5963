import type { FormEvent } from "react"
import { Form } from "react-aria-components/Form"
import { type RepositoryAddress, useRepositoryChange } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { theirTextOf } from "../../api/texts.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { useTextDraft } from "../../parts/fields/useTextDraft.ts"
import { Section } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { TextConflict } from "../../parts/text_conflict/TextConflict.tsx"

interface TextEditorProps {
  readonly title: string
  readonly hint: string
  readonly address: RepositoryAddress
  readonly text: string
  readonly etag: string
  readonly changedAt: string | null
  readonly changedBy: string | null
  /** Replaces the version of that ETag; rejected where someone else has changed it since. */
  readonly save: (text: string, etag: string) => Promise<unknown>
}

/** A text of the repository, shown and edited; what someone else wrote meanwhile is shown beside the draft, not lost. */
export const TextEditor = ({ title, hint, address, text, etag, changedAt, changedBy, save }: TextEditorProps) => {
  const may = useMay("manage_repos")
  const { draft, write, rebase, forget } = useTextDraft(`${title} ${Object.values(address).join("/")}`, { text, etag })
  const change = useRepositoryChange(address, ({ text: mine, etag: seen }: { text: string; etag: string }) =>
    save(mine, seen)
  )
  const theirs = theirTextOf(change.error)
  const edit = () => {
    change.reset()
    write(text)
  }
  const discard = () => {
    change.reset()
    forget()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft !== null) change.mutate(draft, { onSuccess: forget })
  }
  const by = changedBy === null ? "" : ` by ${changedBy}`
  return (
    <Section
      title={title}
      actions={
        draft === null && may ? (
          <Button small onPress={edit}>
            Edit
          </Button>
        ) : undefined
      }
    >
      <p className="muted">
        {hint}{" "}
        {changedAt === null ? null : (
          <>
            Changed <Time at={changedAt} long />
            {by}.
          </>
        )}
      </p>
      {draft !== null ? (
        <Form className="stack" onSubmit={submit}>
          <TextField label={title} labelHidden rows={12} mono value={draft.text} onChange={write} autoFocus />
          {theirs === null ? null : (
            <TextConflict
              theirs={theirs}
              mine={draft.text}
              onKeepMine={() => {
                rebase(theirs.etag)
                change.reset()
              }}
              onTakeTheirs={discard}
            />
          )}
          {change.error === null || theirs !== null ? null : <Problem error={change.error} />}
          <div className="line">
            <Button type="submit" look="primary" isPending={change.isPending} isDisabled={theirs !== null}>
              Save {title.toLowerCase()}
            </Button>
            <Button onPress={discard}>Cancel</Button>
          </div>
        </Form>
      ) : text === "" ? (
        <p className="soft">None is set.</p>
      ) : (
        <Markdown text={text} />
      )}
    </Section>
  )
}
