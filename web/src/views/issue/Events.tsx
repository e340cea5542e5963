import { useInfiniteQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import type { Schema } from "../../api/client.ts"
import { issueEventsQuery, issueRequests, useIssueChange } from "../../api/issues.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { MoreButton } from "../../parts/layout/MoreButton.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"
import { Time } from "../../parts/text/Time.tsx"

const noteOf = ({ detail }: Schema<"IssueEvent">): string | null => {
  const { body_md, note, reason } = (detail ?? {}) as Readonly<Record<string, unknown>>
  return ([body_md, note, reason].find((text) => typeof text === "string" && text !== "") as string | undefined) ?? null
}

/** Everything that happened, newest first, and a place to add a note. */
export const Events = ({ issueRef, mayNote }: { readonly issueRef: string; readonly mayNote: boolean }) => {
  const events = useInfiniteQuery(issueEventsQuery(issueRef))
  const add = useIssueChange(issueRef, issueRequests(issueRef).note)
  const [text, setText] = useState("")
  return (
    <Section title="History">
      {mayNote ? (
        <Form
          className="stack"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            if (text.trim() !== "") add.mutate(text, { onSuccess: () => setText("") })
          }}
        >
          <TextField label="Note, in Markdown" value={text} onChange={setText} rows={3} />
          <p>
            <Button type="submit" isPending={add.isPending} isDisabled={text.trim() === ""}>
              Add the note
            </Button>
          </p>
        </Form>
      ) : null}
      {add.error === null ? null : <Problem error={add.error} />}
      {events.error === null ? null : <Problem error={events.error} onRetry={() => events.refetch()} />}
      <ol className="stack">
        {(events.data?.pages.flatMap(({ data }) => data) ?? []).map((event) => {
          const note = noteOf(event)
          return (
            <li key={event.id}>
              <p>
                <strong>{event.event.replaceAll("_", " ")}</strong>{" "}
                <span className="muted">
                  by {actorWords(event.actor)}, <Time at={event.at} long />
                </span>
              </p>
              {note === null ? null : <Markdown text={note} below={3} />}
            </li>
          )
        })}
      </ol>
      <MoreButton query={events} />
    </Section>
  )
}
