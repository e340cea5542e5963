import { useSuspenseQuery } from "@tanstack/react-query"
import { invitationsQuery, useWithdrawInvitation } from "../../api/members.ts"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { roleName } from "./roles.ts"

/** Invitations that were not accepted yet. */
export const Invitations = () => {
  const { data } = useSuspenseQuery(invitationsQuery)
  const withdraw = useWithdrawInvitation()
  if (data.length === 0) return null
  return (
    <Section title="Invitations">
      {withdraw.error === null ? null : <Problem error={withdraw.error} />}
      <Box padded={false}>
        <Table
          label="Invitations"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { name: "Address", cell: ({ email }) => email },
            { name: "Role", cell: ({ role }) => roleName(role) },
            { name: "Expires", cell: ({ expires_at }) => <Time at={expires_at} long /> },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: ({ id, email }) => (
                <Button
                  small
                  aria-label={`Withdraw the invitation of ${email}`}
                  isPending={withdraw.isPending && withdraw.variables === id}
                  onPress={() => withdraw.mutate(id)}
                >
                  Withdraw
                </Button>
              )
            }
          ]}
        />
      </Box>
    </Section>
  )
}
