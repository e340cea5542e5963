import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, ok, type Schema } from "./client.ts"
import { everyRow, pageSize } from "./paging.ts"

export type Member = Schema<"Member">
export type Role = Member["role"]
export type Invitation = Schema<"Invitation">
export type NewInvitation = Schema<"CreateInvitationRequest">

export const membersQuery = queryOptions({
  queryKey: ["members"],
  queryFn: () =>
    everyRow((cursor) => ok(api.GET("/api/workspace/members", { params: { query: { limit: pageSize, cursor } } })))
})

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: () =>
    everyRow((cursor) => ok(api.GET("/api/workspace/invitations", { params: { query: { limit: pageSize, cursor } } })))
})

/** A change of who belongs to the workspace, after which both lists are read again. */
const useMemberChange = <Input, Output>(mutationFn: (input: Input) => Promise<Output>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey })
      ])
  })
}

export const useInvite = () =>
  useMemberChange((body: NewInvitation) => ok(api.POST("/api/workspace/invitations", { body })))

export const useWithdrawInvitation = () =>
  useMemberChange((invitation_id: string) =>
    ok(api.DELETE("/api/workspace/invitations/{invitation_id}", { params: { path: { invitation_id } } }))
  )

export const useChangeRole = () =>
  useMemberChange(({ user_id, role }: { readonly user_id: string; readonly role: Role }) =>
    ok(api.PATCH("/api/workspace/members/{user_id}", { params: { path: { user_id } }, body: { role } }))
  )

export const useRemoveMember = () =>
  useMemberChange((user_id: string) =>
    ok(api.DELETE("/api/workspace/members/{user_id}", { params: { path: { user_id } } }))
  )
