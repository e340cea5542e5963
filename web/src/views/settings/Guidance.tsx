import { useSuspenseQuery } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { Form } from "react-aria-components/Form"
import { useMay } from "../../api/session.ts"
import { guidanceQuery, useSetGuidance } from "../../api/settings.ts"
import { theirTextOf } from "../../api/texts.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { useTextDraft } from "../../parts/fields/useTextDraft.ts"
import { Time } from "../../parts/text/Time.tsx"
import { TextConflict } from "../../parts/text_conflict/TextConflict.tsx"
import { say } from "../../parts/toast/toasts.ts"

const maxGuidance = 8192

/** What everyone who works in the workspace should know: the first entry of every digest that agents read. */
export const Guidance = () => {
  const { data } = useSuspenseQuery(guidanceQuery)
  const may = useMay("manage_tenant_settings")
  const { draft, write, rebase, forget } = useTextDraft("guidance", data)
  const { text, etag } = draft ?? data
  const save = useSetGuidance()
  const theirs = theirTextOf(save.error)
  const warnings = save.data?.secret_warnings ?? []
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        save.mutate(
          { text, etag },
          {
            onSuccess: () => {
              forget()
              say({ text: "The guidance is saved." })
            }
          }
        )
      }}
    >
      <p className="prose">
        What everyone who works in the workspace should know, people and agents. It is the first entry of every digest.
      </p>
      <TextField
        label="Guidance"
        rows={16}
        maxLength={maxGuidance}
        hint={`Markdown, ${text.length} of ${maxGuidance} characters. Never put a secret into it.`}
        isReadOnly={!may}
        value={text}
        onChange={write}
      />
      {warnings.map(({ field, message }) => (
        <Note key={`${field}${message}`} tone="warn">
          <p>{message}</p>
        </Note>
      ))}
      {theirs === null ? null : (
        <TextConflict
          theirs={theirs}
          mine={text}
          onKeepMine={() => {
            rebase(theirs.etag)
            save.reset()
          }}
          onTakeTheirs={() => {
            forget()
            save.reset()
          }}
        />
      )}
      {save.error === null || theirs !== null ? null : <Problem error={save.error} />}
      <div className="line wrap">
        {may ? (
          <Button
            type="submit"
            look="primary"
            isPending={save.isPending}
            isDisabled={text === data.text || theirs !== null}
          >
            Save guidance
          </Button>
        ) : (
          <span className="muted">Only owners and admins change the guidance.</span>
        )}
        {data.changed_at === null ? null : (
          <span className="muted">
            Changed <Time at={data.changed_at} long />{" "}
            {data.changed_by?.label == null ? "" : `by ${data.changed_by.label}`}
          </span>
        )}
      </div>
    </Form>
  )
}
