import { Link, useNavigate } from "@tanstack/react-router"
import { placeOf } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { Note } from "../../parts/feedback/Note.tsx"
import { Page } from "../../parts/layout/Page.tsx"
import { LocalFolders } from "./LocalFolders.tsx"
import { RegisterForm } from "./RegisterForm.tsx"

/** Registers a repository, after showing what will be cloned. */
export const Register = () => {
  const navigate = useNavigate()
  const may = useMay("register_repo")
  return (
    <Page title="Register a repository" crumbs={[{ label: "Repositories", href: "/repos" }]}>
      <div className="stack">
        <h1>Register a repository</h1>
        <p className="prose">
          Assay clones one branch to this server and audits it there. An audit reads the code and writes nothing back.
        </p>
        {may ? (
          <>
            <LocalFolders onStarted={({ id }) => navigate({ to: "/jobs/$id", params: { id } })} />
            <RegisterForm
              onRegistered={(repository) => navigate({ to: "/repos/$org/$repo/$branch", params: placeOf(repository) })}
            />
          </>
        ) : (
          <Note tone="info">
            <p>
              Your role may not register repositories. An admin may, or gives you the role:{" "}
              <Link to="/repos">back to the repositories</Link>.
            </p>
          </Note>
        )}
      </div>
    </Page>
  )
}
