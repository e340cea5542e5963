import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { api, ok, type Schema } from "../../api/client.ts"
import { addressOf, type Repository, useRepositoryChange } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { say } from "../../parts/toast/toasts.ts"
import { DangerZone } from "./DangerZone.tsx"
import styles from "./Repository.module.css"

type Changes = Schema<"UpdateRepositoryRequest">

const visibilities = [
  { value: "workspace", label: "Every member of the workspace" },
  { value: "restricted", label: "Owners, admins, and people with a role on its projects" }
] as const
const accessModes = [
  { value: "installed", label: "With the stored credentials or the GitHub App" },
  { value: "anonymous", label: "Without credentials: it is public" }
] as const

const recordOf = (repository: Repository): Required<Changes> => ({
  display_name: repository.display_name ?? "",
  description: repository.description ?? "",
  clone_url: repository.clone_url,
  access_mode: repository.access_mode,
  visibility: repository.visibility,
  auto_review: repository.auto_review
})

/** Only what differs is sent: a changed URL is checked against the remote first. */
const changesOf = (draft: Required<Changes>, repository: Repository): Changes => {
  const before = recordOf(repository)
  return Object.fromEntries(Object.entries(draft).filter(([name, value]) => before[name as keyof Changes] !== value))
}

const RecordForm = ({ repository }: { readonly repository: Repository }) => {
  const [draft, setDraft] = useState(() => recordOf(repository))
  const change = useRepositoryChange(addressOf(repository), (body: Changes) =>
    ok(
      api.PATCH("/api/repos/{github_org}/{github_repo}/{github_base_branch}", {
        params: { path: addressOf(repository) },
        body
      })
    )
  )
  const changes = changesOf(draft, repository)
  const set = (part: Changes) => setDraft({ ...draft, ...part })
  return (
    <Form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        change.mutate(changes, { onSuccess: () => say({ text: "The repository's settings are saved." }) })
      }}
    >
      <TextField label="Name to show" value={draft.display_name} onChange={(display_name) => set({ display_name })} />
      <TextField
        label="Description"
        rows={3}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <TextField label="Git URL" mono value={draft.clone_url} onChange={(clone_url) => set({ clone_url })} />
      <Select
        label="Cloned"
        options={accessModes}
        value={draft.access_mode}
        onChange={(access_mode) => set({ access_mode })}
      />
      <Select
        label="Visible to"
        options={visibilities}
        value={draft.visibility}
        onChange={(visibility) => set({ visibility })}
      />
      <Checkbox isSelected={draft.auto_review === "on"} onChange={(on) => set({ auto_review: on ? "on" : "off" })}>
        Review pull requests on GitHub when they are opened or pushed to
      </Checkbox>
      {change.error === null ? null : <Problem error={change.error} />}
      <div>
        <Button
          type="submit"
          look="primary"
          isPending={change.isPending}
          isDisabled={Object.keys(changes).length === 0}
        >
          Save settings
        </Button>
      </div>
    </Form>
  )
}

/** The repository's record, and how to reset or delete it. */
export const Settings = ({ repository }: { readonly repository: Repository }) => {
  const mayManage = useMay("manage_repos")
  const mayDelete = useMay("delete_repo")
  if (!mayManage && !mayDelete)
    return (
      <div className={styles.page}>
        <Note tone="info">
          <p>Your role may not change this repository. An admin may.</p>
        </Note>
      </div>
    )
  return (
    <div className={styles.page}>
      {mayManage ? <RecordForm key={repository.id} repository={repository} /> : null}
      {mayDelete ? (
        <Section title="Reset and delete">
          <DangerZone repository={repository} />
        </Section>
      ) : null}
    </div>
  )
}
