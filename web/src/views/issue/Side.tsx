import type { Issue } from "../../api/issues.ts"
import { Facts } from "../../parts/layout/Facts.tsx"
import { OutsideLink } from "../../parts/markdown/OutsideLink.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { assigneeWords, Claim } from "../issues/columns.tsx"

/** The facts beside an issue. */
export const Side = ({ issue }: { readonly issue: Issue }) => (
  <>
    <Facts
      facts={[
        ["Project", issue.project],
        ["Repositories", issue.repos.length === 0 ? "None" : issue.repos.join(", ")],
        ["Assignee", assigneeWords(issue)],
        ["Claim", <Claim key="claim" claim={issue.claim} />],
        ["Labels", issue.labels.length === 0 ? "None" : issue.labels.join(", ")],
        ["Filed by", actorWords(issue.created_by)],
        ["Filed", <Time key="filed" at={issue.created_at} long />]
      ]}
    />
    <section className="stack">
      <h2>Observations</h2>
      {issue.observations.length === 0 ? <p className="muted">None.</p> : null}
      <ul className="line wrap">
        {issue.observations.map((ref) => (
          <li key={ref}>
            <a href={`/observations/${ref}`}>{ref}</a>
          </li>
        ))}
      </ul>
    </section>
    <section className="stack">
      <h2>Pull requests</h2>
      {issue.pull_requests.length === 0 ? <p className="muted">None.</p> : null}
      <ul className="stack">
        {issue.pull_requests.map(({ url, state }) => (
          <li key={url}>
            <OutsideLink url={url}>{url}</OutsideLink> <span className="muted">({state})</span>
          </li>
        ))}
      </ul>
    </section>
  </>
)
