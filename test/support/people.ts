import { Effect } from "effect"
import type { RunningServer } from "./server.ts"

export type Headers = Readonly<Record<string, string>>

/** A call that has to succeed, with headers such as those of a session. */
export const send = (server: RunningServer, method: string, path: string, headers: Headers, body: unknown) =>
  Effect.promise(async () => {
    const response = await fetch(`${server.api}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return { response, json: JSON.parse(text) as Readonly<Record<string, unknown>> }
  })

const password = "a password for tests"

/** Someone with a session of their own. */
export interface SignedIn {
  readonly user_id: string
  readonly headers: Headers
}

/** A member of the workspace with the role of an editor on a project, signed in. */
export const anEditor = (server: RunningServer, owner: Headers, project: string, email: string) =>
  Effect.gen(function* () {
    const invited = yield* send(server, "POST", "/api/workspace/invitations", owner, { email, role: "member" })
    const token = String(invited.json.url).split("#invitation=")[1]
    const joined = yield* send(server, "POST", "/api/session/invitation", {}, { token, password })
    yield* send(server, "PUT", `/api/projects/${project}/roles`, owner, { email, role: "editor" })
    const cookie = joined.response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const { id } = joined.json.user as { readonly id: string }
    const headers = { cookie, "x-assay-csrf": String(joined.json.csrf_token) }
    return { user_id: id, headers } satisfies SignedIn
  })
