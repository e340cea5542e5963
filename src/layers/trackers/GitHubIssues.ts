import { Effect, Option, Redacted } from "effect"
import type { GitHubApp } from "../../services/ports/GitHubApp.ts"
import type { CodeHostError } from "../../services/ports/Remote.ts"
import type {
  Mark,
  PublishedTicket,
  TicketTracker,
  TicketTrackerError,
  TrackerAccount
} from "../../services/ports/TicketTracker.ts"
import type { Fetch } from "../OutboundHttp.ts"
import { endsWithMark, hiddenMark, markdownOf } from "./markdown.ts"
import {
  defaultRetrySeconds,
  failed,
  fieldsInWords,
  linkOf,
  listOf,
  memberOf,
  outageOf,
  required,
  type TrackerRequest,
  type TrackerResponse,
  textOf,
  trackerHttp
} from "./trackerHttp.ts"

const name = "GitHub"
const perPage = 100
/** What is created after a ticket was claimed is far less: a limit for trackers that never end. */
const maxPages = 50
/** How far the clocks may be apart. */
const skewMillis = 5 * 60 * 1000

interface Call extends Pick<TrackerRequest, "method" | "json"> {
  readonly path: string
  /** What is not there when it is not found. */
  readonly of: "project" | "ticket"
}

export const gitHubIssues = (fetch: Fetch, app: GitHubApp | null): TicketTracker => {
  const http = trackerHttp(fetch, name)

  const tokenOf = ({
    base_url,
    project,
    token
  }: TrackerAccount): Effect.Effect<Redacted.Redacted, TicketTrackerError> => {
    if (token !== null) return Effect.succeed(token)
    if (app === null || app.apiUrl !== base_url) {
      const message = `No GitHub App is set up for ${base_url}: set a token that may create issues in ${project}.`
      return Effect.fail(failed("credentials", message))
    }
    return Effect.mapError(app.token(repositoryIn(project), { issues: "write" }), appFailure)
  }

  const call = (account: TrackerAccount, { method, path, json, of }: Call) =>
    Effect.gen(function* () {
      const token = yield* tokenOf(account)
      const response = yield* http({
        method,
        url: `${account.base_url}/repos/${account.project}${path}`,
        headers: {
          accept: "application/vnd.github+json",
          "x-github-api-version": "2022-11-28",
          authorization: `Bearer ${Redacted.value(token)}`
        },
        ...(json === undefined ? {} : { json })
      })
      const failure = failureOf(account, of, response)
      if (failure === null) return response.json
      if (failure.reason === "credentials" && account.token === null && app !== null) {
        yield* app.forget(repositoryIn(account.project))
      }
      return yield* failure
    })

  /** The first item with the mark, among those that are no older than it. */
  const search = Effect.fnUntraced(function* (
    account: TrackerAccount,
    {
      path,
      of,
      mark,
      kind
    }: Pick<Call, "path" | "of"> & { readonly mark: Mark; readonly kind: "observation" | "comment" }
  ) {
    const since = new Date(Date.parse(mark.since) - skewMillis).toISOString()
    const text = hiddenMark(kind, mark)
    for (let page = 1; page <= maxPages; page++) {
      const query = `since=${since}&per_page=${perPage}&page=${page}`
      const separator = path.includes("?") ? "&" : "?"
      const found = listOf(yield* call(account, { method: "GET", path: `${path}${separator}${query}`, of }))
      const ours = found.find((item) => endsWithMark(textOf(item, "body") ?? "", text))
      if (ours !== undefined) return ours
      if (found.length < perPage) return null
    }
    return yield* failed(
      "unavailable",
      `${name} lists too many issues to look for the one that was created before.`,
      3600
    )
  })

  return {
    find: (account, mark) =>
      Effect.flatMap(
        search(account, { path: "/issues?state=all", of: "project", mark, kind: "observation" }),
        (issue) => (issue === null ? Effect.succeedNone : Effect.map(ticketOf(issue), Option.some))
      ),
    create: (account, { mark, title, body }) =>
      Effect.flatMap(
        call(account, {
          method: "POST",
          path: "/issues",
          json: { title, body: `${markdownOf(body)}\n\n${hiddenMark("observation", mark)}` },
          of: "project"
        }),
        ticketOf
      ),
    hasComment: (account, { key }, mark) =>
      Effect.map(
        search(account, { path: `/issues/${key}/comments`, of: "ticket", mark, kind: "comment" }),
        (comment) => comment !== null
      ),
    comment: (account, { key }, { mark, body }) =>
      Effect.asVoid(
        call(account, {
          method: "POST",
          path: `/issues/${key}/comments`,
          json: { body: `${markdownOf(body)}\n\n${hiddenMark("comment", mark)}` },
          of: "ticket"
        })
      )
  }
}

const repositoryIn = (project: string) => {
  const [owner = "", repo = ""] = project.split("/")
  return { owner, repo }
}

const lasting: ReadonlyArray<CodeHostError["reason"]> = ["not_found", "authentication"]

const appFailure = ({ reason, message }: CodeHostError) =>
  lasting.includes(reason) ? failed("credentials", message) : failed("unavailable", message, defaultRetrySeconds)

const ticketOf = (issue: unknown): Effect.Effect<PublishedTicket, TicketTrackerError> =>
  Effect.all({ key: required(name, textOf(issue, "number")), url: required(name, linkOf(issue, "html_url")) })

const failureOf = (
  { project }: TrackerAccount,
  of: Call["of"],
  response: TrackerResponse
): TicketTrackerError | null => {
  const { status, json } = response
  const outage = outageOf(name, response)
  if (outage !== null || (status >= 200 && status < 300)) return outage
  if (status === 401) return failed("credentials", `${name} does not accept the token: set one that is valid.`)
  if (status === 403) {
    return failed("credentials", `${name} does not let the token write issues of ${project}: give it that permission.`)
  }
  if (of === "ticket" && [301, 404, 410].includes(status)) {
    return failed("ticket_not_found", `${name} has the issue no longer in ${project}.`)
  }
  if (status === 410) return failed("rejected", `${project} has its issues switched off on ${name}.`)
  if (status === 404 || (status >= 300 && status < 400)) {
    return failed(
      "project_not_found",
      `${name} shows the token no repository ${project}: check the name, which may have changed, and the token's access.`
    )
  }
  const fields = listOf(json, "errors").flatMap((error) => textOf(memberOf(error, "field")) ?? [])
  return failed("rejected", `${name} rejects the text (${status})${fieldsInWords(fields)}.`)
}
