import { useQueryClient } from "@tanstack/react-query"
import { type Member, useRemoveMember } from "../../api/members.ts"
import { sessionQuery, useSession } from "../../api/session.ts"
import { FormDialog } from "../../parts/dialog/Dialog.tsx"
import { say } from "../../parts/toast/toasts.ts"

export const RemoveMember = ({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) => {
  const { user, workspace } = useSession()
  const queryClient = useQueryClient()
  const remove = useRemoveMember()
  const isSelf = member.user_id === user.id
  return (
    <FormDialog
      title={isSelf ? `Leave ${workspace.name}?` : `Remove ${member.email}?`}
      onClose={onClose}
      submit={isSelf ? "Leave workspace" : "Remove member"}
      isDanger
      work={remove}
      onSubmit={() =>
        remove.mutate(member.user_id, {
          onSuccess: async () => {
            if (isSelf) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
            say({ text: isSelf ? `You left ${workspace.name}.` : `${member.email} is removed.` })
            onClose()
          }
        })
      }
    >
      <p>
        {isSelf ? "Your" : "Their"} sessions in this workspace end within a second, and API keys that{" "}
        {isSelf ? "you" : "they"} created are revoked for good. What {isSelf ? "you" : "they"} wrote and decided stays.
        An invitation brings {isSelf ? "you" : "them"} back.
      </p>
    </FormDialog>
  )
}
