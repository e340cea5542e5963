import { Effect } from "effect"
import { send } from "../../support/people.ts"
import { ownerPassword, type World } from "./world.ts"

/** Someone who has accepted an invitation and has the password of these tests. */
export const invited = ({ server, owner }: World["Type"], email: string, role: "admin" | "member" | "viewer") =>
  Effect.gen(function* () {
    const { json } = yield* send(server, "POST", "/api/workspace/invitations", owner, { email, role })
    const token = String(json.url).split("#invitation=")[1]
    yield* send(server, "POST", "/api/session/invitation", {}, { token, password: ownerPassword })
  })
