import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { explanationQuery, type ObservationDetail } from "../../../api/observation.ts"
import { Priority, stateOf } from "../../../parts/badges/observation.tsx"
import { Facts } from "../../../parts/layout/Facts.tsx"
import { OutsideLink } from "../../../parts/markdown/OutsideLink.tsx"
import { Time } from "../../../parts/text/Time.tsx"
import { Title } from "../../../parts/text/Title.tsx"
import styles from "./sections.module.css"

const words = (id: string): string => {
  const text = id.replaceAll("_", " ")
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const cweLinks = (cwe: ReadonlyArray<number>) =>
  cwe.length === 0
    ? "None"
    : cwe.map((number, index) => (
        <span key={number}>
          {index === 0 ? "" : ", "}
          <OutsideLink url={`https://cwe.mitre.org/data/definitions/${number}.html`}>CWE-{number}</OutsideLink>
        </span>
      ))

const closedFacts = (observation: ObservationDetail) => {
  const { dismissal_category, completion_url } = observation
  return [
    ...(dismissal_category === null ? [] : ([["Dismissed as", words(dismissal_category)]] as const)),
    ...(completion_url === null || completion_url === ""
      ? []
      : ([
          [
            "Proof",
            <OutsideLink key="proof" url={completion_url}>
              {completion_url}
            </OutsideLink>
          ]
        ] as const))
  ]
}

export const SideFacts = ({ observation }: { readonly observation: ObservationDetail }) => {
  const { category, domain, rule_id, confidence, repo_name, cwe, effort, risk, ticket_url } = observation
  return (
    <Facts
      facts={[
        ["Status", stateOf(observation).words],
        ...closedFacts(observation),
        ["Category", words(category)],
        ["Domain", words(domain)],
        ["Rule", <code key="rule">{rule_id}</code>],
        ["CWE", cweLinks(cwe)],
        ["Confidence", `${Math.round(confidence * 100)} % of such findings are right`],
        ["Repository", repo_name],
        ["First seen", <Time key="first" at={observation.first_seen_at} long />],
        ["Last seen", <Time key="last" at={observation.last_seen_at} long />],
        ["Seen", `${observation.times_seen} ${observation.times_seen === 1 ? "time" : "times"}`],
        ["Effort, risk", `${words(effort)}, ${risk}`],
        [
          "Ticket",
          ticket_url === null ? (
            "None"
          ) : (
            <OutsideLink key="ticket" url={ticket_url}>
              {ticket_url}
            </OutsideLink>
          )
        ]
      ]}
    />
  )
}

/** Other observations of the same rule in the repository. */
export const Related = ({ observation }: { readonly observation: string }) => {
  const { data } = useQuery(explanationQuery(observation))
  if (data === undefined || data.similar.length === 0) return null
  return (
    <section>
      <h2 className={styles.sideHead}>Related</h2>
      <ul className={styles.related}>
        {data.similar.map(({ ref, title, priority, status, file_path }) => (
          <li key={ref}>
            <Link to="/observations/$ref" params={{ ref }}>
              <Priority priority={priority} short />
              <span>
                <Title text={title} />
                <span className={`${styles.where} ${styles.detail}`}>
                  {ref} {file_path}
                  {status === "closed" ? ", closed" : ""}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
