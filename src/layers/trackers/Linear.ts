import { Effect, Option, Redacted } from "effect"
import type {
  Mark,
  PublishedTicket,
  TicketTracker,
  TicketTrackerError,
  TrackerAccount
} from "../../services/ports/TicketTracker.ts"
import type { Fetch } from "../OutboundHttp.ts"
import { markdownOf } from "./markdown.ts"
import {
  defaultRetrySeconds,
  failed,
  linkOf,
  listOf,
  memberOf,
  outageOf,
  required,
  type TrackerResponse,
  textOf,
  trackerHttp,
  unreadable
} from "./trackerHttp.ts"

const name = "Linear"

/** Everything that Linear is asked. */
export const linearDocuments = {
  team: "query Team($key: String!) { teams(filter: { key: { eq: $key } }, first: 1) { nodes { id } } }",
  issue:
    "query Issue($id: ID!) { issues(filter: { id: { eq: $id } }, first: 1, includeArchived: true) { nodes { id url } } }",
  createIssue:
    "mutation CreateIssue($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id url } } }",
  comment: "query Comment($id: ID!) { comments(filter: { id: { eq: $id } }, first: 1) { nodes { id } } }",
  createComment: "mutation CreateComment($input: CommentCreateInput!) { commentCreate(input: $input) { success } }"
} as const

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Linear takes the ID of what is created, as a UUID of version 4: nothing is ever created twice under one. */
const idOf = ({ id }: Mark): string => `${id.slice(0, 14)}4${id.slice(15)}`

export const linear = (fetch: Fetch): TicketTracker => {
  const http = trackerHttp(fetch, name)

  const query = (
    account: TrackerAccount,
    document: keyof typeof linearDocuments,
    variables: Readonly<Record<string, unknown>>
  ) =>
    Effect.gen(function* () {
      const response = yield* http({
        method: "POST",
        url: `${account.base_url}/graphql`,
        headers: { accept: "application/json", authorization: authorizationOf(account) },
        json: { query: linearDocuments[document], variables }
      })
      const failure = failureOf(account, response)
      return failure === null ? memberOf(response.json, "data") : yield* failure
    })

  const teamOf = Effect.fnUntraced(function* (account: TrackerAccount) {
    if (uuid.test(account.project)) return account.project
    const data = yield* query(account, "team", { key: account.project })
    const id = textOf(data, "teams", "nodes", 0, "id")
    if (id !== null) return id
    return yield* failed(
      "project_not_found",
      `${name} shows the token no team with the key ${account.project}: check the key and the token's access.`
    )
  })

  return {
    find: (account, mark) =>
      Effect.flatMap(query(account, "issue", { id: idOf(mark) }), (data) => {
        const [issue] = listOf(data, "issues", "nodes")
        return issue === undefined ? Effect.succeedNone : Effect.map(ticketOf(issue), Option.some)
      }),
    create: (account, { mark, title, body }) =>
      Effect.gen(function* () {
        const input = { id: idOf(mark), teamId: yield* teamOf(account), title, description: markdownOf(body) }
        const data = yield* query(account, "createIssue", { input })
        return yield* ticketOf(memberOf(data, "issueCreate", "issue"))
      }),
    hasComment: (account, _, mark) =>
      Effect.map(query(account, "comment", { id: idOf(mark) }), (data) => listOf(data, "comments", "nodes").length > 0),
    comment: (account, { key }, { mark, body }) =>
      Effect.asVoid(
        query(account, "createComment", { input: { id: idOf(mark), issueId: key, body: markdownOf(body) } })
      )
  }
}

/** API keys are sent as they are, tokens of OAuth applications as bearers. */
const authorizationOf = ({ token }: TrackerAccount): string => {
  const value = token === null ? "" : Redacted.value(token)
  return value.startsWith("lin_oauth_") ? `Bearer ${value}` : value
}

const ticketOf = (issue: unknown): Effect.Effect<PublishedTicket, TicketTrackerError> =>
  Effect.all({ key: required(name, textOf(issue, "id")), url: required(name, linkOf(issue, "url")) })

/** Errors come with a status of their own, or with 200. */
const failureOf = ({ project }: TrackerAccount, response: TrackerResponse): TicketTrackerError | null => {
  const { status, json } = response
  const outage = outageOf(name, response)
  if (outage !== null) return outage
  const codes = listOf(json, "errors").map((error) => textOf(error, "extensions", "code") ?? "UNKNOWN")
  if (codes.includes("RATELIMITED")) {
    return failed("unavailable", `${name} accepts no more calls for now.`, resetOf(response.headers))
  }
  if (status === 401 || codes.includes("AUTHENTICATION_ERROR")) {
    return failed("credentials", `${name} does not accept the token: set one that is valid.`)
  }
  if (status === 403 || codes.includes("FORBIDDEN")) {
    return failed(
      "credentials",
      `${name} does not let the token write issues of the team ${project}: give it that permission.`
    )
  }
  if (status >= 300 && status < 400) {
    return failed("rejected", `${name} redirects elsewhere: set base_url to the address of the API itself.`)
  }
  if (codes.length > 0) return failed("rejected", `${name} rejects the request (${codes.filter(isCode).join(", ")}).`)
  return status === 200 && memberOf(json, "data") != null ? null : unreadable(name)
}

const isCode = (code: string) => /^[A-Z_]{1,40}$/.test(code)

/** Seconds until a limit is reset, which Linear gives in milliseconds since 1970. */
const resetOf = (headers: Headers): number => {
  const resets = ["x-ratelimit-requests-reset", "x-ratelimit-complexity-reset"].flatMap((header) => {
    const value = headers.get(header)
    return value !== null && /^\d{1,15}$/.test(value) ? [Math.ceil((Number(value) - Date.now()) / 1000)] : []
  })
  return Math.min(3600, Math.max(1, ...(resets.length === 0 ? [defaultRetrySeconds] : resets)))
}
