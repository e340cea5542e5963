import { useQuery } from "@tanstack/react-query"
import { missionEventsQuery } from "../../api/missions.ts"
import { missionStatusWords } from "../../parts/badges/mission.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { actorWords } from "../../parts/text/Actor.tsx"
import { Time } from "../../parts/text/Time.tsx"

/** Every change of the mission, newest first. */
export const History = ({ missionRef }: { readonly missionRef: string }) => {
  const events = useQuery(missionEventsQuery(missionRef))
  return (
    <Section title="History">
      {events.error === null ? null : <Problem error={events.error} onRetry={() => events.refetch()} />}
      <Table
        label="History"
        columns={[
          { name: "When", cell: ({ at }) => <Time at={at} /> },
          { name: "What", cell: ({ event }) => event.replaceAll("_", " ") },
          { name: "State", cell: ({ to_status }) => missionStatusWords(to_status) },
          { name: "Who", cell: ({ actor }) => actorWords(actor) },
          { name: "Note", cell: ({ note }) => note ?? "" }
        ]}
        rows={events.data?.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Section>
  )
}
