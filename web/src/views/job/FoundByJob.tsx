import { useQuery } from "@tanstack/react-query"
import { api, ok } from "../../api/client.ts"
import type { Job } from "../../api/jobs.ts"
import { Priority } from "../../parts/badges/observation.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Title } from "../../parts/text/Title.tsx"
import { listText } from "../triage/address.ts"
import { auditOutcomeOf } from "./jobResult.ts"

const shown = 8

/** The first of what an audit found new, most severe first, and the way to all of it. */
export const FoundByJob = ({ job }: { readonly job: Job }) => {
  const created = auditOutcomeOf(job)?.created ?? 0
  const filter = { repo: job.repo_name, first_seen_since: job.started_at ?? job.created_at }
  const { data, error } = useQuery({
    queryKey: ["observations", "found", job.id],
    queryFn: () =>
      ok(
        api.GET("/api/observations", {
          params: { query: { ...filter, order: "display_rank", include: "locations", limit: shown } }
        })
      ),
    enabled: created > 0
  })
  if (created === 0) return null
  const list = listText({ ...filter, kind: "finding,advisory,suggestion", status: "any" })
  return (
    <section className="stack" aria-labelledby="job-found">
      <h2 id="job-found">Found first by this audit</h2>
      {error === null ? null : <Problem error={error} />}
      <ul className="stack">
        {data?.data.map(({ ref, title, priority, locations }) => (
          <li key={ref}>
            <a href={`/observations/${ref}?list=${encodeURIComponent(list)}`} className="line">
              <Priority priority={priority} short />
              <span className="clip">
                <Title text={title} />
              </span>
            </a>
            <code className="muted">
              {locations?.[0]?.file_path}:{locations?.[0]?.line_start}
            </code>
          </li>
        ))}
      </ul>
      <a href={`/triage?repo=${encodeURIComponent(job.repo_name)}`}>All open observations of {job.repo_name}</a>
    </section>
  )
}
