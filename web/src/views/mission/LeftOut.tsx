import type { Mission } from "../../api/missions.ts"
import { Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"

/** What the goal named and the plan does not hold, each with the reason. */
export const LeftOut = ({ mission }: { readonly mission: Mission }) =>
  mission.left_out.length === 0 ? null : (
    <Section title="Left out of the plan">
      <Table
        label="Left out of the plan"
        columns={[
          { name: "Reference", cell: ({ ref }) => ref },
          { name: "Reason", cell: ({ reason }) => reason }
        ]}
        rows={mission.left_out}
        keyOf={({ ref }) => ref}
      />
    </Section>
  )
