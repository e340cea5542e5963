import { useSuspenseQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { type Member, membersQuery, type Role, useChangeRole } from "../../api/members.ts"
import { useMay, useSession } from "../../api/session.ts"
import { Badge } from "../../parts/badges/Badge.tsx"
import { Button } from "../../parts/button/Button.tsx"
import { Problem } from "../../parts/feedback/Problem.tsx"
import { Select } from "../../parts/fields/Select.tsx"
import { Box, Section } from "../../parts/layout/Page.tsx"
import { Table } from "../../parts/layout/Table.tsx"
import { Time } from "../../parts/text/Time.tsx"
import { Invitations } from "./Invitations.tsx"
import { InviteMember } from "./InviteMember.tsx"
import { RemoveMember } from "./RemoveMember.tsx"
import { roleName, roles } from "./roles.ts"
import styles from "./Settings.module.css"

const route = getRouteApi("/shell/settings/$section")

/** The role of a member; a choice where the caller may change it. */
const RoleOf = ({ member, change }: { readonly member: Member; readonly change: ReturnType<typeof useChangeRole> }) => {
  const { role: own } = useSession()
  const mayManage = useMay("manage_tenant_settings")
  const may = mayManage && (own === "owner" || member.role !== "owner")
  const shown = change.isPending && change.variables.user_id === member.user_id ? change.variables.role : member.role
  if (!may) return roleName(shown)
  return (
    <Select<Role>
      label={`Role of ${member.email}`}
      labelHidden
      options={roles.filter(({ value }) => own === "owner" || value !== "owner")}
      value={shown}
      onChange={(role) => (role === member.role ? undefined : change.mutate({ user_id: member.user_id, role }))}
    />
  )
}

const RoleWords = () => (
  <Section title="What a role may do">
    <Table
      label="What a role may do"
      rows={roles}
      keyOf={({ value }) => value}
      columns={[
        { name: "Role", cell: ({ label }) => <strong>{label}</strong> },
        { name: "May", cell: ({ hint }) => hint }
      ]}
    />
  </Section>
)

/** Who belongs to the workspace, with which role. */
export const Members = () => {
  const { data } = useSuspenseQuery(membersQuery)
  const { user } = useSession()
  const mayManage = useMay("manage_tenant_settings")
  const { dialog, id } = route.useSearch()
  const navigate = route.useNavigate()
  const change = useChangeRole()
  const open = (next: string, of?: string) => navigate({ search: { dialog: next, id: of } })
  const close = () => navigate({ search: {}, replace: true })
  const chosen = data.find(({ user_id }) => user_id === id)
  return (
    <>
      <div className="spread wrap">
        <p className="soft">
          {data.length} {data.length === 1 ? "member" : "members"}
          {mayManage ? "" : ". Owners and admins invite people and change roles."}
        </p>
        {mayManage ? (
          <Button look="primary" icon="plus" onPress={() => open("invite")}>
            Invite member…
          </Button>
        ) : null}
      </div>
      {change.error === null ? null : <Problem error={change.error} />}
      <Box padded={false}>
        <Table
          label="Members"
          rows={data}
          keyOf={({ user_id }) => user_id}
          columns={[
            {
              name: "Person",
              cell: ({ email, name, user_id, disabled_at }) => (
                <>
                  <strong>{name ?? email}</strong> {user_id === user.id ? <span className="muted">you</span> : null}
                  {name === null ? null : <span className={styles.hint}>{email}</span>}
                  {disabled_at === null ? null : (
                    <Badge icon="dismiss" pill>
                      Account disabled
                    </Badge>
                  )}
                </>
              )
            },
            { name: "Role", cell: (member) => <RoleOf member={member} change={change} /> },
            {
              name: "Last seen",
              cell: ({ last_seen_at }) => (last_seen_at === null ? "Never" : <Time at={last_seen_at} long />)
            },
            { name: "Since", cell: ({ created_at }) => <Time at={created_at} long /> },
            {
              name: "Actions",
              nameHidden: true,
              figure: true,
              cell: ({ user_id, email }) =>
                user_id === user.id || mayManage ? (
                  <Button
                    look="danger"
                    small
                    aria-label={user_id === user.id ? "Leave the workspace" : `Remove ${email}`}
                    onPress={() => open("remove", user_id)}
                  >
                    {user_id === user.id ? "Leave…" : "Remove…"}
                  </Button>
                ) : null
            }
          ]}
        />
      </Box>
      {mayManage ? <Invitations /> : null}
      <RoleWords />
      {dialog === "invite" && mayManage ? <InviteMember onClose={close} /> : null}
      {dialog === "remove" && chosen !== undefined ? <RemoveMember member={chosen} onClose={close} /> : null}
    </>
  )
}
