import { getRouteApi, useNavigate } from "@tanstack/react-router"
import { useSubmitJob } from "../../api/jobs.ts"
import type { Repository } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { Bones } from "../../parts/feedback/Bones.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { LocalFolders } from "../register/LocalFolders.tsx"
import { RegisterForm } from "../register/RegisterForm.tsx"
import { FirstAudit } from "./FirstAudit.tsx"
import { Steps } from "./Steps.tsx"

const route = getRouteApi("/shell/welcome")

const Choice = () => {
  const navigate = useNavigate()
  const submit = useSubmitJob()
  const follow = ({ id }: { readonly id: string }) => navigate({ to: "/welcome", search: { job: id }, replace: true })
  const audit = (repository: Repository) => submit.mutate({ repository, workflow: "audit" }, { onSuccess: follow })
  if (submit.isPending) return <Bones what="the first audit" />
  return (
    <>
      {submit.error === null ? null : <Problem error={submit.error} />}
      <LocalFolders onStarted={follow} />
      <RegisterForm verb="Register and audit" onRegistered={audit} />
    </>
  )
}

/** From the sign-in link to the first findings. */
export const Welcome = () => {
  const { job } = route.useSearch()
  const may = useMay("register_repo")
  return (
    <Page title="Welcome">
      <div className="stack">
        <Steps at={job === undefined ? 1 : 2} />
        {job !== undefined ? (
          <FirstAudit id={job} />
        ) : (
          <>
            <h2>What should Assay audit first?</h2>
            <p className="prose">
              The built-in engine runs on this server. An audit reads the code and writes nothing back.
            </p>
            {may ? (
              <Choice />
            ) : (
              <Note tone="info">
                <p>Your role may not register repositories. An admin of the workspace may.</p>
              </Note>
            )}
          </>
        )}
      </div>
    </Page>
  )
}
