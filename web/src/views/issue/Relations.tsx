import { Link } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { type Issue, issueRequests, useIssueChange } from "../../api/issues.ts"
import { Button, IconButton } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Section } from "../../parts/layout/Page.tsx"

type Kind = Issue["relations"][number]["kind"]

const words: Readonly<Record<Kind, { readonly out: string; readonly in: string }>> = {
  blocks: { out: "blocks", in: "is blocked by" },
  relates_to: { out: "relates to", in: "relates to" },
  duplicates: { out: "duplicates", in: "is duplicated by" },
  parent_of: { out: "is parent of", in: "is part of" },
  discovered_from: { out: "was discovered from", in: "led to" }
}
const kinds = Object.keys(words) as ReadonlyArray<Kind>

/** How the issue stands to others. */
export const Relations = ({ issue, mayChange }: { readonly issue: Issue; readonly mayChange: boolean }) => {
  const requests = issueRequests(issue.ref)
  const relate = useIssueChange(issue.ref, requests.relate)
  const unrelate = useIssueChange(issue.ref, requests.unrelate)
  const [kind, setKind] = useState<Kind>("blocks")
  const [other, setOther] = useState("")
  return (
    <Section title="Relations">
      {issue.relations.length === 0 ? <p className="muted">None.</p> : null}
      <ul className="stack">
        {issue.relations.map((relation) => (
          <li key={`${relation.kind} ${relation.direction} ${relation.ref}`} className="line">
            <p>
              This issue {words[relation.kind][relation.direction]}{" "}
              <Link to="/issues/$ref" params={{ ref: relation.ref }}>
                {relation.ref}
              </Link>
            </p>
            {mayChange && relation.direction === "out" ? (
              <IconButton
                small
                icon="x"
                label={`Remove the relation to ${relation.ref}`}
                onPress={() => unrelate.mutate({ kind: relation.kind, other: relation.ref })}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange ? (
        <Form
          className="line wrap"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            relate.mutate({ kind, other: other.trim() }, { onSuccess: () => setOther("") })
          }}
        >
          <Select
            label="Kind of relation"
            labelHidden
            value={kind}
            onChange={setKind}
            options={kinds.map((value) => ({ value, label: `This issue ${words[value].out}` }))}
          />
          <TextField label="Other issue" labelHidden placeholder="ISS-12" value={other} onChange={setOther} />
          <Button type="submit" isPending={relate.isPending} isDisabled={other.trim() === ""}>
            Relate
          </Button>
        </Form>
      ) : null}
      {relate.error === null ? null : <Problem error={relate.error} />}
      {unrelate.error === null ? null : <Problem error={unrelate.error} />}
    </Section>
  )
}
