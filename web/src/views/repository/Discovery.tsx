import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { addressOf, discoveryQuery, placeOf, type Repository } from "../../api/repositories.ts"
import { Empty } from "../../parts/feedback/Empty.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { AuditButton } from "../../parts/forecast/AuditButton.tsx"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { documentsOf, type RepositoryDocument } from "./documents.ts"
import styles from "./Repository.module.css"

const route = getRouteApi("/shell/repos/$org/$repo/$branch/$tab")

const DocumentList = ({
  documents,
  open,
  repository
}: {
  readonly documents: ReadonlyArray<RepositoryDocument>
  readonly open: RepositoryDocument
  readonly repository: Repository
}) => (
  <nav aria-label="Documents" className={styles.documentList}>
    {documents.map(({ id, title }) => (
      <Link
        key={id}
        to="/repos/$org/$repo/$branch/$tab"
        params={{ ...placeOf(repository), tab: "discovery" }}
        search={{ document: id }}
        activeOptions={{ includeSearch: true }}
        aria-current={id === open.id ? "page" : undefined}
      >
        <span className="clip">{title}</span>
      </Link>
    ))}
  </nav>
)

/** What Assay has learned about the repository: agents receive these documents before they write code here. */
export const Discovery = ({ repository }: { readonly repository: Repository }) => {
  const { data: discovery } = useSuspenseQuery(discoveryQuery(addressOf(repository)))
  const { document } = route.useSearch()
  const documents = documentsOf(discovery)
  const open = documents.find(({ id }) => id === document) ?? documents[0]
  const failure = discovery.last_failure
  if (open === undefined)
    return (
      <Empty
        icon="repo"
        why="No discovery ran yet."
        next="It reads the code for its profile, principles, patterns and guides, and changes nothing."
        action={<AuditButton repository={repository} workflow="discover" />}
      />
    )
  return (
    <div className={styles.documents}>
      <DocumentList documents={documents} open={open} repository={repository} />
      <article className="stack" aria-labelledby="document">
        <h2 id="document">{open.title}</h2>
        <Markdown text={open.text} />
      </article>
      <aside className="stack">
        <Facts
          facts={[
            [
              "Last run",
              discovery.last_discovery_at === null ? "Never" : <Time key="at" at={discovery.last_discovery_at} long />
            ],
            ["Documents", String(documents.length)]
          ]}
        />
        {failure === null ? null : (
          <Note tone="warn">
            <p>
              The last discovery {failure.status}. {failure.error}{" "}
              <Link to="/jobs/$id" params={{ id: failure.job_id }}>
                Open the job
              </Link>
            </p>
          </Note>
        )}
        <AuditButton repository={repository} workflow="discover" look="plain" />
      </aside>
    </div>
  )
}
