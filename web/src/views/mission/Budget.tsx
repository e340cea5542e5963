import { Link } from "@tanstack/react-router"
import type { Mission } from "../../api/missions.ts"
import { Facts } from "../../parts/layout/Facts.tsx"
import { Meter } from "../../parts/layout/Meter.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"
import { CopyButton } from "../../parts/text/CopyButton.tsx"
import { dollars, Money } from "../../parts/text/Money.tsx"
import styles from "./mission.module.css"

const expectedOf = ({ steps }: Mission) =>
  steps
    .filter(({ status }) => status === "pending" || status === "running")
    .reduce((sum, { estimate_usd, cost_usd }) => sum + Math.max(0, estimate_usd - cost_usd), 0)

/** What the mission has spent, may spend and is expected to spend; and where its work is. */
export const Budget = ({ mission }: { readonly mission: Mission }) => {
  const expected = expectedOf(mission)
  const { spent_usd, reserved_usd, budget_usd, branch, pr_url } = mission
  return (
    <>
      <section className="stack">
        <h2>Budget</h2>
        <p>
          <span className={styles.figure}>{dollars(spent_usd)}</span>{" "}
          <span className="muted">of {dollars(budget_usd)}</span>
        </p>
        <Meter
          label="Spent of the budget"
          value={spent_usd}
          max={budget_usd}
          expected={expected}
          words={`${dollars(spent_usd)} of ${dollars(budget_usd)}`}
        />
        <Facts
          facts={[
            ["Spent", <Money key="spent" amount={spent_usd} />],
            ["Reserved", <Money key="reserved" amount={reserved_usd} />],
            ["To come", <Money key="expected" amount={expected} />],
            ["Left over", <Money key="left" amount={Math.max(0, budget_usd - spent_usd - expected)} />]
          ]}
        />
        <p className="muted">The mission stops and asks before it passes {dollars(budget_usd)}.</p>
      </section>
      <Facts
        facts={[
          [
            "Repository",
            <Link key="repository" to="/repos">
              {mission.repo_name}
            </Link>
          ],
          [
            "Branch",
            branch === null ? (
              "None yet"
            ) : (
              <span key="branch">
                <code>{branch}</code> <CopyButton text={branch} label="Copy the branch's name" />
              </span>
            )
          ],
          [
            "Pull request",
            pr_url === null ? (
              "None yet"
            ) : (
              <a key="pr" href={pr_url} rel="noopener noreferrer">
                {pr_url}
              </a>
            )
          ],
          ["Asked by", actorWords(mission.created_by)]
        ]}
      />
    </>
  )
}
