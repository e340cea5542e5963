import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, ok, type Schema } from "../../api/client.ts"
import { projectsQuery } from "../../api/issues.ts"
import { priorityWords } from "../../parts/badges/observation.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { linesOf } from "../../parts/text/linesOf.ts"

type Priority = NonNullable<Schema<"FileIssueRequest">["priority"]>
const priorities = Object.keys(priorityWords) as ReadonlyArray<Priority>

export const FileIssue = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const projects = useQuery({ ...projectsQuery, enabled: isOpen })
  const [project, setProject] = useState<string | null>(null)
  const [title, setTitle] = useState("")
  const [body, setBody] = useState("")
  const [priority, setPriority] = useState<Priority>("P2")
  const [criteria, setCriteria] = useState("")
  const file = useMutation({
    mutationFn: () =>
      ok(
        api.POST("/api/issues", {
          body: {
            project: project ?? "",
            title,
            priority,
            ...(body === "" ? {} : { body_md: body }),
            ...(criteria === "" ? {} : { acceptance_criteria: linesOf(criteria) })
          }
        })
      ),
    onSuccess: async ({ ref }) => {
      await queryClient.invalidateQueries({ queryKey: ["issues"] })
      await navigate({ to: "/issues/$ref", params: { ref } })
    }
  })
  return (
    <FormDialog
      title="File an issue"
      submit="File the issue"
      isOpen={isOpen}
      onClose={onClose}
      onSubmit={() => file.mutate()}
      work={file}
      isDisabled={project === null || title.trim() === ""}
    >
      <Select
        label="Project"
        value={project}
        onChange={setProject}
        options={(projects.data?.data ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
        hint={projects.data?.data.length === 0 ? "Issues belong to a project: make one in Settings first." : undefined}
      />
      <TextField label="Title" value={title} onChange={setTitle} maxLength={200} isRequired />
      <TextField label="Text, in Markdown" value={body} onChange={setBody} rows={5} />
      <Select
        label="Priority"
        value={priority}
        onChange={setPriority}
        options={priorities.map((value) => ({ value, label: `${value} ${priorityWords[value]}` }))}
      />
      <TextField label="Acceptance criteria" hint="One a line." value={criteria} onChange={setCriteria} rows={3} />
    </FormDialog>
  )
}
