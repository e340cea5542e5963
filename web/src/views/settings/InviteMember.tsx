import { useState } from "react"
import { ApiError } from "../../api/client.ts"
import { type Role, useInvite } from "../../api/members.ts"
import { useSession } from "../../api/session.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { Choices } from "../../parts/fields/Choices.tsx"
import { TextField } from "../../parts/fields/TextField.tsx"
import { SecretOnce } from "../../parts/secret_once/SecretOnce.tsx"
import { roleName, roles } from "./roles.ts"

/** Invites a person by a link that is shown once, and by mail where a mail server is set up. */
export const InviteMember = ({ onClose }: { readonly onClose: () => void }) => {
  const { role: own } = useSession()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("member")
  const invite = useInvite()
  if (invite.data !== undefined)
    return (
      <SecretOnce
        title={`${invite.data.email} is invited`}
        name="Link"
        secret={invite.data.url}
        lost="It works once, for 7 days and this address. If it is lost, invite again."
        facts={`As ${roleName(invite.data.role).toLowerCase()}. Send the link; where a mail server is set up, it is also on its way by mail.`}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title="Invite a member"
      onClose={onClose}
      submit="Invite member"
      work={invite}
      isDisabled={!email.includes("@")}
      onSubmit={() => invite.mutate({ email: email.trim(), role })}
    >
      <TextField
        label="E-mail"
        type="email"
        autoComplete="off"
        autoFocus
        value={email}
        onChange={setEmail}
        problem={invite.error instanceof ApiError ? invite.error.fields.email : undefined}
      />
      <Choices
        label="Role"
        value={role}
        onChange={setRole}
        choices={roles.filter(({ value }) => own === "owner" || value !== "owner")}
      />
    </FormDialog>
  )
}
