import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { workspaceForecastQuery } from "../../api/forecasts.ts"
import { useSubmitJob } from "../../api/jobs.ts"
import { localFoldersQuery, repositoriesQuery, repositoryHref, useRegister } from "../../api/repositories.ts"
import { useMay } from "../../api/session.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { aboutPrice, timeAnywhere } from "../../parts/forecast/forecastWords.ts"
import { Icon } from "../../parts/icon/Icon.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { namesOf } from "./gitUrl.ts"
import styles from "./Register.module.css"

/** How many are listed before the rest is asked for. */
const shownAtFirst = 5

interface LocalFoldersProps {
  /** The first audit was queued. */
  readonly onStarted: (job: { readonly id: string }) => void
}

/** Git folders of the server, each registered and audited by one click; nothing for those who may not, or without any. */
export const LocalFolders = ({ onStarted }: LocalFoldersProps) => {
  const may = [useMay("manage_tenant_settings"), useMay("register_repo"), useMay("submit_audit_jobs")].every(Boolean)
  const folders = useQuery({ ...localFoldersQuery, enabled: may })
  const repositories = useQuery({ ...repositoriesQuery, enabled: may })
  const { data: forecast } = useQuery({ ...workspaceForecastQuery("audit"), enabled: may })
  const [showsAll, setShowsAll] = useState(false)
  const register = useRegister()
  const submit = useSubmitJob()
  if (folders.error !== null) return <Problem error={folders.error} onRetry={() => folders.refetch()} />
  const found = folders.data?.data ?? []
  if (!may || found.length === 0) return null
  const shown = showsAll ? found : found.slice(0, shownAtFirst)
  const error = register.error ?? submit.error
  const isPending = register.isPending || submit.isPending
  const price = forecast === undefined ? "" : ` for ${aboutPrice(forecast.cost_mid)}`

  const audit = (path: string) =>
    register.mutate(
      { clone_url: path, ...namesOf(path) },
      { onSuccess: (repository) => submit.mutate({ repository, workflow: "audit" }, { onSuccess: onStarted }) }
    )

  return (
    <section className="stack" aria-labelledby="local-folders">
      <h2 id="local-folders">Folders on this server</h2>
      <Box padded={false}>
        <ul>
          {shown.map(({ path }) => {
            const known = repositories.data?.find(({ clone_url }) => clone_url === path)
            return (
              <li key={path} className={styles.folder}>
                <Icon name="folder" />
                <span className={styles.path}>
                  <strong>{namesOf(path).github_repo}</strong>
                  <code>{path}</code>
                </span>
                {known === undefined ? (
                  <Button
                    look="primary"
                    isDisabled={isPending}
                    isPending={isPending && register.variables?.clone_url === path}
                    aria-label={`Audit this folder${price}: ${path}`}
                    onPress={() => audit(path)}
                  >
                    Audit this folder{price}
                  </Button>
                ) : (
                  <a href={repositoryHref(known)}>Registered: open it</a>
                )}
              </li>
            )
          })}
        </ul>
      </Box>
      {error === null ? null : <Problem error={error} />}
      <p className="muted">
        One click registers the folder and audits its checked-out branch
        {forecast === undefined ? "." : `, which ${timeAnywhere(forecast)}.`}{" "}
        {folders.data?.truncated === true ? "Not every folder was searched: enter the path of another one below." : ""}
      </p>
      {found.length > shown.length ? (
        <div>
          <Button small onPress={() => setShowsAll(true)}>
            Show all {found.length} folders
          </Button>
        </div>
      ) : null}
    </section>
  )
}
