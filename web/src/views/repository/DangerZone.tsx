import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, ok, type Schema } from "../../api/client.ts"
import { addressOf, type Repository, useRepositoryChange } from "../../api/repositories.ts"
import { Button } from "../../parts/button/Button.tsx"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { figure } from "../../parts/text/counted.ts"
import { say } from "../../parts/toast/toasts.ts"

const openOf = ({ open_observations: { P0, P1, P2, P3 } }: Repository) => figure(P0 + P1 + P2 + P3)

const TypedName = ({
  repository,
  value,
  onChange
}: {
  readonly repository: Repository
  readonly value: string
  readonly onChange: (value: string) => void
}) => (
  <TextField
    label={`Type ${repository.repo_name} to confirm`}
    mono
    autoComplete="off"
    value={value}
    onChange={onChange}
  />
)

const Delete = ({ repository, onClose }: { readonly repository: Repository; readonly onClose: () => void }) => {
  const [typed, setTyped] = useState("")
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const remove = useRepositoryChange(addressOf(repository), () =>
    ok(
      api.DELETE("/api/repos/{github_org}/{github_repo}/{github_base_branch}", {
        params: { path: addressOf(repository) }
      })
    )
  )
  return (
    <FormDialog
      title={`Delete ${repository.repo_name}?`}
      submit={`Delete ${repository.repo_name}`}
      isDanger
      onClose={onClose}
      isDisabled={typed !== repository.repo_name}
      work={remove}
      onSubmit={() =>
        remove.mutate(undefined, {
          onSuccess: async () => {
            say({ text: `${repository.repo_name} is deleted.` })
            await navigate({ to: "/repos" })
            queryClient.removeQueries({ queryKey: ["repository", addressOf(repository)] })
          }
        })
      }
    >
      <p className="prose">
        Delete {repository.repo_name} and its {openOf(repository)} open observations? Type its name to confirm. It
        disappears from every list, and its jobs are cancelled. Registering the same branch again brings its history
        back.
      </p>
      <TypedName repository={repository} value={typed} onChange={setTyped} />
    </FormDialog>
  )
}

type Part = "findings" | "suggestions" | "history" | "wipe"

const parts: ReadonlyArray<readonly [part: Part, label: string]> = [
  ["findings", "Findings and advisories, with their history and fix attempts"],
  ["suggestions", "Suggestions"],
  ["history", "Jobs that have ended, with their events"],
  ["wipe", "All of these, and the output of discovery"]
]

const deletedWords = ({ findings, advisories, suggestions, jobs }: Schema<"ResetRepositoryResponse">["deleted"]) =>
  `Deleted ${figure(findings)} findings, ${figure(advisories)} advisories, ${figure(suggestions)} suggestions and ${figure(jobs)} jobs.`

const Reset = ({ repository, onClose }: { readonly repository: Repository; readonly onClose: () => void }) => {
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState<ReadonlyArray<Part>>([])
  const reset = useRepositoryChange(addressOf(repository), (flags: ReadonlyArray<Part>) =>
    ok(
      api.POST("/api/repos/{github_org}/{github_repo}/{github_base_branch}/reset", {
        params: { path: addressOf(repository) },
        body: Object.fromEntries(flags.map((part) => [part, true]))
      })
    )
  )
  return (
    <FormDialog
      title={`Reset ${repository.repo_name}?`}
      submit={`Reset ${repository.repo_name}`}
      isDanger
      onClose={onClose}
      isDisabled={typed !== repository.repo_name || chosen.length === 0}
      work={reset}
      onSubmit={() =>
        reset.mutate(chosen, {
          onSuccess: ({ deleted }) => {
            say({ text: deletedWords(deleted) })
            onClose()
          }
        })
      }
    >
      <p className="prose">
        What is ticked is deleted for good; the repository stays registered. This cannot be undone.
      </p>
      {parts.map(([part, label]) => (
        <Checkbox
          key={part}
          isSelected={chosen.includes(part)}
          onChange={(on) => setChosen(on ? [...chosen, part] : chosen.filter((one) => one !== part))}
        >
          {label}
        </Checkbox>
      ))}
      <TypedName repository={repository} value={typed} onChange={setTyped} />
    </FormDialog>
  )
}

/** What cannot be taken back, each behind the repository's name. */
export const DangerZone = ({ repository }: { readonly repository: Repository }) => {
  const [asks, setAsks] = useState<"reset" | "delete" | null>(null)
  const close = () => setAsks(null)
  return (
    <div className="line wrap">
      <Button look="danger" onPress={() => setAsks("reset")}>
        Reset…
      </Button>
      <Button look="danger" onPress={() => setAsks("delete")}>
        Delete…
      </Button>
      {asks === "reset" ? <Reset repository={repository} onClose={close} /> : null}
      {asks === "delete" ? <Delete repository={repository} onClose={close} /> : null}
    </div>
  )
}
