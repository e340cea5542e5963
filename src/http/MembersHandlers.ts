import { Effect } from "effect"
import { Invitations } from "../services/people/Invitations.ts"
import { Members } from "../services/people/Members.ts"
import { Api } from "./Api.ts"
import { group } from "./group.ts"

export const MembersHandlers = group(
  Api,
  "members",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const invitations = yield* Invitations
    return handlers
      .handle("list", ({ urlParams }) => members.list(urlParams))
      .handle("update", ({ path, payload }) => members.change(path.user_id, payload))
      .handle("remove", ({ path }) => members.remove(path.user_id))
      .handle("invite", ({ payload }) => invitations.create(payload))
      .handle("invitations", ({ urlParams }) => invitations.list(urlParams))
      .handle("withdraw", ({ path }) => invitations.withdraw(path.invitation_id))
  })
)
