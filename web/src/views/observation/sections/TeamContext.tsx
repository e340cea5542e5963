import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { repositoryDigestQuery } from "../../../api/context.ts"
import { addressOf, type Repository, repositoriesQuery } from "../../../api/repositories.ts"
import { useMay } from "../../../api/session.ts"
import { Badge } from "../../../parts/badges/Badge.tsx"
import { Bones } from "../../../parts/feedback/Bones.tsx"
import { Problem } from "../../../parts/feedback/Problem.tsx"
import { Box, Section } from "../../../parts/layout/Page.tsx"
import { EntryKind } from "../../context/kinds.tsx"
import styles from "./sections.module.css"

type Row = Awaited<ReturnType<NonNullable<ReturnType<typeof repositoryDigestQuery>["queryFn"]>>>["entries"][number]

const sourceOf = ({ level, source_hidden, source_project_slug }: Row): string => {
  if (source_hidden) return "from a hidden level"
  return level === "workspace" || source_project_slug === null ? "of the workspace" : `of ${source_project_slug}`
}

const Entry = ({ row, project }: { readonly row: Row; readonly project: string | null }) => (
  <li className={styles.contextRow}>
    <div className="line wrap">
      <EntryKind kind={row.kind} />
      <Link to="/context" search={{ project: project ?? undefined, entry: row.key }}>
        {row.key}
      </Link>
      <span className="muted">{sourceOf(row)}</span>
      {row.status === "proposed" ? (
        <Badge icon="issue" tone="info" pill>
          Proposed
        </Badge>
      ) : null}
    </div>
    <p className={styles.quote}>{row.summary}</p>
  </li>
)

const Entries = ({ repository }: { readonly repository: Repository }) => {
  const { data, error, refetch } = useQuery(repositoryDigestQuery(addressOf(repository)))
  if (error !== null) return <Problem error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Bones rows={2} what="the team context" />
  const { entries, project, truncated, resolved_from } = data
  return (
    <div className="stack">
      {resolved_from?.ambiguous === true ? (
        <p className="muted">
          Several levels hold {repository.repo_name}: {resolved_from.candidates.join(", ")}. What applies everywhere is
          shown.
        </p>
      ) : null}
      {entries.length === 0 ? (
        <p className="soft">No entry applies to {repository.repo_name} yet.</p>
      ) : (
        <Box padded={false}>
          <ul aria-label={`Team context of ${repository.repo_name}`}>
            {entries.map((row) => (
              <Entry key={row.etag} row={row} project={project} />
            ))}
          </ul>
        </Box>
      )}
      <p className="muted">
        <Link to="/context" search={{ project: project ?? undefined }}>
          {truncated ? "All entries" : "Team context"} of {project ?? "the workspace"}
        </Link>
      </p>
    </div>
  )
}

/** What the team has written down that applies where the observation is: decisions, conventions, warnings. */
export const TeamContext = ({ repo_name }: { readonly repo_name: string }) => {
  const may = useMay("view_context")
  const { data, error, refetch } = useQuery({ ...repositoriesQuery, enabled: may })
  if (!may) return null
  const repository = data?.find((one) => one.repo_name === repo_name)
  if (data !== undefined && repository === undefined) return null
  return (
    <Section title="Team context">
      {error !== null ? (
        <Problem error={error} onRetry={() => refetch()} />
      ) : repository === undefined ? (
        <Bones rows={2} what="the team context" />
      ) : (
        <Entries repository={repository} />
      )}
    </Section>
  )
}
