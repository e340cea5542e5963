import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { missionQuery, useDecision } from "../../api/missions.ts"
import { MissionState } from "../../parts/badges/mission.tsx"
import { Note } from "../../parts/feedback/Note.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Page, Section } from "../../parts/layout/Page.tsx"
import { Markdown } from "../../parts/markdown/Markdown.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Budget } from "./Budget.tsx"
import { Decisions } from "./Decisions.tsx"
import { History } from "./History.tsx"
import { LeftOut } from "./LeftOut.tsx"
import { Plan } from "./Plan.tsx"

const route = getRouteApi("/shell/missions/$ref")

/** A mission: its plan to approve or send back, its steps, its money, and what waits on a person. */
export const Mission = () => {
  const { ref } = route.useParams()
  const { data: mission } = useSuspenseQuery(missionQuery(ref))
  const decision = useDecision(ref)
  return (
    <Page title={ref} crumbs={[{ label: "Missions", href: "/missions" }]} side={<Budget mission={mission} />}>
      <div className="stack">
        <div className="line wrap" role="status">
          <MissionState status={mission.status} />
          <span className="muted">
            Plan version {mission.plan_version} · <Time at={mission.updated_at} long />
          </span>
        </div>
        <h1>{mission.title}</h1>
        <Markdown text={mission.goal_md} />
        {mission.waiting === null ? null : (
          <Note tone="warn">
            <p>{mission.waiting.message}</p>
          </Note>
        )}
        {mission.ended_because === null ? null : (
          <Note tone={mission.status === "completed" ? "good" : "bad"}>
            <p>{mission.ended_because}</p>
          </Note>
        )}
        {mission.sent_back === null ? null : (
          <Note tone="info">
            <p>The plan was sent back: {mission.sent_back.reason}</p>
          </Note>
        )}
        {decision.error === null ? null : <Problem error={decision.error} />}
        <Decisions mission={mission} decision={decision} />
      </div>
      <Plan mission={mission} decision={decision} />
      {mission.limits_md === null ? null : (
        <Section title="Limits for every step">
          <Markdown text={mission.limits_md} />
        </Section>
      )}
      <LeftOut mission={mission} />
      <History missionRef={ref} />
    </Page>
  )
}
