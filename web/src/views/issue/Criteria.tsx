import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { type Issue, issueRequests, useIssueChange } from "../../api/issues.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"

/** When the issue is done: a list to tick off. */
export const Criteria = ({ issue, mayChange }: { readonly issue: Issue; readonly mayChange: boolean }) => {
  const requests = issueRequests(issue.ref)
  const setMet = useIssueChange(issue.ref, requests.setMet)
  const add = useIssueChange(issue.ref, requests.addCriterion)
  const [text, setText] = useState("")
  const met = issue.acceptance_criteria.filter((criterion) => criterion.met).length
  return (
    <Section
      title="Acceptance criteria"
      actions={
        <span className="muted">
          {met} of {issue.acceptance_criteria.length} met
        </span>
      }
    >
      <ul>
        {issue.acceptance_criteria.map((criterion) => (
          <li key={criterion.id}>
            <Checkbox
              isSelected={criterion.met}
              isDisabled={!mayChange || setMet.isPending}
              onChange={(isMet) => setMet.mutate({ id: criterion.id, met: isMet })}
            >
              <span>
                {criterion.text}
                {criterion.met_by === null ? null : <span className="muted"> · {actorWords(criterion.met_by)}</span>}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {setMet.error === null ? null : <Problem error={setMet.error} />}
      {mayChange ? (
        <Form
          className="line"
          onSubmit={(event: FormEvent) => {
            event.preventDefault()
            if (text.trim() !== "") add.mutate(text, { onSuccess: () => setText("") })
          }}
        >
          <TextField
            label="New criterion"
            labelHidden
            placeholder="A further criterion"
            value={text}
            onChange={setText}
          />
          <Button type="submit" isPending={add.isPending}>
            Add the criterion
          </Button>
        </Form>
      ) : null}
      {add.error === null ? null : <Problem error={add.error} />}
    </Section>
  )
}
