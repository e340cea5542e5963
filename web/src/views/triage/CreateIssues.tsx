import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import {
  type FiledIssues,
  type FindingsGrouping,
  type IssuesRequest,
  issuesPreviewQuery,
  mostFindings,
  projectsQuery,
  useFileFromFindings
} from "../../api/issues.ts"
import type { TriageTarget } from "../../api/triage.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Dialog, FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { counted } from "../../parts/text/counted.ts"
import { Title } from "../../parts/text/Title.tsx"
import { observations } from "../../parts/triage/words.ts"
import { FiledTable } from "./FiledTable.tsx"

interface CreateIssuesProps {
  readonly target: TriageTarget
  readonly count: number
  readonly onClose: () => void
}

const groupings = [
  { value: "none", label: "One for each observation" },
  { value: "rule", label: "One for each rule" },
  { value: "file", label: "One for each file" }
] as const

/** What would be filed, as the server says: before the click, the number of issues and what they would be called. */
const Preview = ({ request }: { readonly request: IssuesRequest }) => {
  const { data, error, refetch } = useQuery(issuesPreviewQuery(request))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones rows={2} what="what would be filed" />
  const { count, titles, existing, skipped } = data
  const more = count - titles.length
  return (
    <div className="stack" aria-live="polite">
      <p>
        <strong>{counted(count, "issue")} will be created.</strong>{" "}
        {existing.length === 0
          ? ""
          : `${observations(existing.length)} ${existing.length === 1 ? "has" : "have"} an open issue already. `}
        {skipped.length === 0 ? "" : `${observations(skipped.length)} ${skipped.length === 1 ? "is" : "are"} closed.`}
      </p>
      <ul className="soft">
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two issues may have the same title
          <li key={index} className="clip" title={title}>
            <Title text={title} />
          </li>
        ))}
        {more > 0 ? <li>and {more.toLocaleString("en-US")} more</li> : null}
      </ul>
    </div>
  )
}

const Results = ({ filed, onClose }: { readonly filed: FiledIssues; readonly onClose: () => void }) => (
  <Dialog
    title={`${counted(filed.created.length, "issue")} created`}
    isOpen
    onClose={onClose}
    actions={
      <Button look="primary" onPress={onClose}>
        Close
      </Button>
    }
  >
    <FiledTable filed={filed} />
  </Dialog>
)

/** Files issues from what is ticked: says how many there will be, then what became of each observation. */
export const CreateIssues = ({ target, count, onClose }: CreateIssuesProps) => {
  const projects = useQuery(projectsQuery)
  const [project, setProject] = useState<string | null>(null)
  const [group_by, setGrouping] = useState<FindingsGrouping>("none")
  const isTooMany = count > mostFindings
  const request: IssuesRequest | null = project === null || isTooMany ? null : { project, group_by, ...target }
  const preview = useQuery({
    ...issuesPreviewQuery(request ?? { project: "", group_by, refs: [] }),
    enabled: request !== null
  })
  const file = useFileFromFindings()
  if (file.data !== undefined) return <Results filed={file.data} onClose={onClose} />
  const known = request === null ? undefined : preview.data?.count
  return (
    <FormDialog
      title={`Create issues from ${observations(count)}`}
      onClose={onClose}
      submit={known === undefined ? "Create issues" : `Create ${counted(known, "issue")}`}
      isDisabled={!known}
      work={file}
      onSubmit={() => {
        if (request !== null) file.mutate(request)
      }}
    >
      {isTooMany ? (
        <Note tone="warn">
          <p>Issues are created from at most {mostFindings} observations at once. Narrow the list, or tick fewer.</p>
        </Note>
      ) : null}
      {projects.error === null ? null : <Problem error={projects.error} onRetry={() => projects.refetch()} />}
      <Select
        label="Project"
        value={project}
        onChange={setProject}
        options={(projects.data?.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
        hint={
          projects.data?.data.length === 0 ? "Issues belong to a project: create one in Settings first." : undefined
        }
      />
      {count === 1 ? null : <Choices label="Issues" choices={groupings} value={group_by} onChange={setGrouping} />}
      {request === null ? null : <Preview request={request} />}
    </FormDialog>
  )
}
