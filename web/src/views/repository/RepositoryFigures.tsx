import type { Schema } from "../../api/client.ts"
import { Priority } from "../../parts/badges/observation.tsx"
import { type Figure, Figures } from "../../parts/layout/Figures.tsx"
import { figure } from "../../parts/text/counted.ts"
import { relative } from "../../parts/text/relative.ts"

const priorities = ["P0", "P1", "P2", "P3"] as const

const lastAudit = (at: string | null, freshness: Schema<"AuditFreshness"> | undefined): Figure => {
  const { short = "Never" } = at === null ? {} : relative(new Date(at), new Date())
  return {
    label: "Last audit",
    figure: short,
    ...(at === null || short === "now" ? {} : { of: "ago" }),
    children: <span className="soft">{freshness?.advice}</span>
  }
}

/** How much is open, by priority; how fresh that is. */
export const RepositoryFigures = ({
  overview,
  freshness
}: {
  readonly overview: Schema<"RepositoryOverview">
  readonly freshness: Schema<"AuditFreshness"> | undefined
}) => {
  const { open, repo_name, last_audit_at, lines, open_fix_pr_count } = overview
  const list = `/triage?repo=${encodeURIComponent(repo_name)}`
  return (
    <Figures
      figures={[
        {
          label: "Open",
          figure: <a href={list}>{figure(open.total)}</a>,
          children: (
            <span className="line wrap">
              {priorities.map((priority) => (
                <a key={priority} href={`${list}&priority=${priority}`} className="line">
                  <Priority priority={priority} short /> {figure(open.by_priority[priority])}
                </a>
              ))}
            </span>
          )
        },
        lastAudit(last_audit_at, freshness),
        {
          label: "Open fix pull requests",
          figure: figure(open_fix_pr_count),
          ...(lines === null ? {} : { children: <span className="soft">{figure(lines)} lines of code</span> })
        }
      ]}
    />
  )
}
