import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { closed } from "../schema/closed.ts"
import { InvalidCursor } from "../schema/Errors.ts"
import {
  AlreadyMember,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationNotFound,
  InvitationPath,
  LastOwner,
  Member,
  MemberPath,
  PermissionDenied,
  UpdateMember
} from "../schema/Member.ts"
import { members } from "../schema/operations/index.ts"
import { page, pageQuery } from "../schema/Page.ts"
import { MemberNotFound } from "../schema/Project.ts"
import { Authorization } from "./Authorization.ts"
import { onWire, serves } from "./wire.ts"

export const MembersPage = page("MembersPage", Member)
export const InvitationsPage = page("InvitationsPage", Invitation)

export const MembersApi = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/api/workspace/members")
      .annotateContext(serves(members.listMembers, "Lists the members of the workspace, oldest first."))
      .setUrlParams(closed(pageQuery))
      .addSuccess(MembersPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.patch("update", "/api/workspace/members/:user_id")
      .annotateContext(
        serves(
          members.updateMember,
          "Changes the role of a member. Only an owner makes someone an owner or ends it, and the last owner stays one. To transfer a workspace, make another member an owner, then step down. Sessions, keys and event streams follow within a second."
        )
      )
      .setPath(MemberPath)
      .setPayload(UpdateMember)
      .addSuccess(Member)
      .addError(onWire(MemberNotFound, PermissionDenied, LastOwner))
  )
  .add(
    HttpApiEndpoint.del("remove", "/api/workspace/members/:user_id")
      .annotateContext(
        serves(
          members.removeMember,
          "Removes a member, or lets the caller leave. Their sessions in the workspace end, the API keys they created are revoked and their open invitations withdrawn. The last owner stays."
        )
      )
      .setPath(MemberPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(MemberNotFound, PermissionDenied, LastOwner))
  )
  .add(
    HttpApiEndpoint.post("invite", "/api/workspace/invitations")
      .annotateContext(
        serves(
          members.createInvitation,
          "Invites a person by e-mail address and role. The link is shown once, works once and for 7 days; it is also sent by e-mail where a mail server is set up. A further invitation to an address replaces the open one."
        )
      )
      .setPayload(CreateInvitation)
      .addSuccess(CreatedInvitation, { status: 201 })
      .addError(onWire(PermissionDenied, AlreadyMember))
  )
  .add(
    HttpApiEndpoint.get("invitations", "/api/workspace/invitations")
      .annotateContext(
        serves(members.listInvitations, "Lists the invitations that were not accepted yet, newest first.")
      )
      .setUrlParams(closed(pageQuery))
      .addSuccess(InvitationsPage)
      .addError(onWire(InvalidCursor))
  )
  .add(
    HttpApiEndpoint.del("withdraw", "/api/workspace/invitations/:invitation_id")
      .annotateContext(serves(members.withdrawInvitation))
      .setPath(InvitationPath)
      .addSuccess(HttpApiSchema.NoContent)
      .addError(onWire(InvitationNotFound))
  )
  .annotate(OpenApi.Description, "Members of the workspace and invitations to it.")
  .middleware(Authorization)
