import { useSuspenseQuery } from "@tanstack/react-query"
import { sessionsQuery, useEndSession, useSignOutElsewhere } from "../../api/settings.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Box } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"

/** Where the user is signed in. */
export const Sessions = () => {
  const { data } = useSuspenseQuery(sessionsQuery)
  const end = useEndSession()
  const endOthers = useSignOutElsewhere()
  const error = end.error ?? endOthers.error
  return (
    <>
      <p className="prose">
        Each browser that is signed in to your account. A session that ends is signed out at once.
      </p>
      {error === null ? null : <Problem error={error} />}
      <Box padded={false}>
        <Table
          label="Sessions"
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            { name: "Address", cell: ({ address }) => <code>{address ?? "unknown"}</code> },
            { name: "Signed in", cell: ({ created_at }) => <Time at={created_at} long /> },
            {
              name: "Last used",
              cell: ({ last_seen_at }) => (last_seen_at === null ? "Unknown" : <Time at={last_seen_at} long />)
            },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: ({ id, current }) =>
                current ? (
                  <Badge icon="done" tone="good" pill>
                    This browser
                  </Badge>
                ) : (
                  <Button small isPending={end.isPending && end.variables === id} onPress={() => end.mutate(id)}>
                    End session
                  </Button>
                )
            }
          ]}
        />
      </Box>
      {data.length < 2 ? null : (
        <div>
          <Button isPending={endOthers.isPending} onPress={() => endOthers.mutate(undefined)}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </>
  )
}
