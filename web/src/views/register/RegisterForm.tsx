import { type FormEvent, useState } from "react"
import { Form } from "react-aria-components/Form"
import { type Repository, type RepositoryToRegister, usePreview, useRegister } from "../../api/repositories.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Checkbox } from "../../parts/fields/Checkbox.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { namesOf, urlProblem } from "./gitUrl.ts"
import { Preview } from "./Preview.tsx"
import styles from "./Register.module.css"

interface Draft {
  readonly url: string
  readonly branch: string
  readonly org: string | null
  readonly repo: string | null
  readonly isPublic: boolean
}

const blank: Draft = { url: "", branch: "", org: null, repo: null, isPublic: false }

const bodyOf = ({ url, branch, org, repo, isPublic }: Draft): RepositoryToRegister => {
  const suggested = namesOf(url)
  return {
    clone_url: url.trim(),
    github_org: org ?? suggested.github_org,
    github_repo: repo ?? suggested.github_repo,
    ...(branch.trim() === "" ? {} : { github_base_branch: branch.trim() }),
    ...(isPublic ? { access_mode: "anonymous" as const } : {})
  }
}

/** An address, then what would be cloned, then the registration. A change of the address takes the preview back. */
export const RegisterForm = ({
  onRegistered,
  verb = "Register"
}: {
  readonly onRegistered: (repository: Repository) => void
  /** What the last button does, where more follows the registration. */
  readonly verb?: string
}) => {
  const [draft, setDraft] = useState(blank)
  const [problem, setProblem] = useState<string | null>(null)
  const preview = usePreview()
  const register = useRegister()
  const body = bodyOf(draft)

  const change = (changed: Partial<Draft>) => {
    setDraft({ ...draft, ...changed })
    setProblem(null)
    preview.reset()
    register.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = urlProblem(draft.url)
    setProblem(found)
    if (found === null) preview.mutate(body)
  }

  return (
    <div className={styles.columns}>
      <Form className="stack" onSubmit={submit}>
        <TextField
          label="Git URL"
          mono
          placeholder="https://git.example.org/team/repo.git"
          hint="https, ssh, or the path of a folder that this server may read."
          value={draft.url}
          onChange={(url) => change({ url })}
          problem={problem ?? undefined}
          autoFocus
        />
        <TextField
          label="Branch (optional)"
          mono
          placeholder="Default branch"
          value={draft.branch}
          onChange={(branch) => change({ branch })}
        />
        <div className={styles.names}>
          <TextField label="Owner" mono value={body.github_org} onChange={(org) => change({ org })} />
          <TextField label="Name" mono value={body.github_repo} onChange={(repo) => change({ repo })} />
        </div>
        <Checkbox isSelected={draft.isPublic} onChange={(isPublic) => change({ isPublic })}>
          Public: clone without credentials
        </Checkbox>
        {preview.error === null ? null : <Problem error={preview.error} />}
        <div>
          <Button type="submit" look={preview.data === undefined ? "primary" : "plain"} isPending={preview.isPending}>
            Preview
          </Button>
        </div>
        <p className="muted">
          Private? Store a token or a deploy key under <a href="/settings/code-hosts">Settings, Code hosts</a>. Nothing
          is cloned before you have seen the preview.
        </p>
      </Form>
      {preview.data === undefined ? null : (
        <Preview
          preview={preview.data}
          verb={verb}
          isPending={register.isPending}
          error={register.error}
          onBranch={(branch) => {
            setDraft({ ...draft, branch })
            preview.mutate({ ...body, github_base_branch: branch })
          }}
          onRegister={() =>
            register.mutate(
              { ...body, github_base_branch: preview.data.github_base_branch },
              { onSuccess: onRegistered }
            )
          }
        />
      )}
    </div>
  )
}
