import { Effect, Option, Redacted } from "effect"
import type {
  Block,
  PublishedTicket,
  TicketTracker,
  TicketTrackerError,
  TrackerAccount
} from "../../services/ports/TicketTracker.ts"
import type { Fetch } from "../OutboundHttp.ts"
import { adfOf, wikiOf } from "./jiraText.ts"
import { markLine } from "./markdown.ts"
import {
  failed,
  fieldsInWords,
  listOf,
  memberOf,
  outageOf,
  required,
  type TrackerResponse,
  textOf,
  trackerHttp
} from "./trackerHttp.ts"

const name = "Jira"

/** Cloud: version 3 of the API, texts as documents, an account with its token. Data Center: version 2, wiki markup. */
const isCloud = ({ email }: TrackerAccount) => email !== null

const authorizationOf = ({ email, token }: TrackerAccount): string => {
  const value = token === null ? "" : Redacted.value(token)
  return email === null ? `Bearer ${value}` : `Basic ${Buffer.from(`${email}:${value}`).toString("base64")}`
}

interface Call {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly json?: unknown
  /** What is not there when it is not found. */
  readonly of: "project" | "ticket"
}

/** The ticket types that fit best, the first one first. */
const preferredTypes = ["bug", "task", "story"]

export const jira = (fetch: Fetch): TicketTracker => {
  const http = trackerHttp(fetch, name)

  const call = (account: TrackerAccount, { method, path, json, of }: Call) =>
    Effect.gen(function* () {
      const response = yield* http({
        method,
        url: `${account.base_url}/rest/api/${isCloud(account) ? 3 : 2}${path}`,
        headers: { accept: "application/json", authorization: authorizationOf(account) },
        ...(json === undefined ? {} : { json })
      })
      const failure = failureOf(account, of, response)
      return failure === null ? response.json : yield* failure
    })

  const textBody = (account: TrackerAccount, blocks: ReadonlyArray<Block>) =>
    isCloud(account) ? adfOf(blocks) : wikiOf(blocks)

  /** ID of the type that tickets get. Which types there are differs from project to project. */
  const typeOf = Effect.fnUntraced(function* (account: TrackerAccount) {
    const path = `/issue/createmeta/${encodeURIComponent(account.project)}/issuetypes?maxResults=100`
    const page = yield* call(account, { method: "GET", path, of: "project" })
    const types = listOf(page, isCloud(account) ? "issueTypes" : "values").filter(
      (type) => memberOf(type, "subtask") !== true
    )
    const preferred = preferredTypes.flatMap((preferredName) =>
      types.filter((type) => textOf(type, "name")?.toLowerCase() === preferredName)
    )
    const id = textOf(preferred[0] ?? types[0], "id")
    if (id !== null) return id
    return yield* failed(
      "credentials",
      `${name} lets the token create nothing in ${account.project}: give it that permission.`
    )
  })

  const ticketOf = (account: TrackerAccount, issue: unknown): Effect.Effect<PublishedTicket, TicketTrackerError> =>
    Effect.map(required(name, textOf(issue, "key")), (key) => ({
      key,
      url: `${account.base_url}/browse/${encodeURIComponent(key)}`
    }))

  return {
    find: (account, mark) =>
      Effect.gen(function* () {
        const json = {
          jql: `project = "${account.project}" AND description ~ "${mark.id.replaceAll("-", "")}"`,
          fields: ["description"],
          maxResults: 20
        }
        const path = isCloud(account) ? "/search/jql" : "/search"
        const found = listOf(yield* call(account, { method: "POST", path, json, of: "project" }), "issues")
        const issue = found.find((one) =>
          isMarked(memberOf(one, "fields", "description"), markLine("observation", mark))
        )
        return issue === undefined ? Option.none() : Option.some(yield* ticketOf(account, issue))
      }),
    create: (account, { mark, title, body }) =>
      Effect.gen(function* () {
        const fields = {
          project: { key: account.project },
          issuetype: { id: yield* typeOf(account) },
          summary: title,
          description: textBody(account, [...body, markBlock(markLine("observation", mark))])
        }
        return yield* ticketOf(
          account,
          yield* call(account, { method: "POST", path: "/issue", json: { fields }, of: "project" })
        )
      }),
    hasComment: (account, { key }, mark) =>
      Effect.map(
        call(account, {
          method: "GET",
          path: `/issue/${encodeURIComponent(key)}/comment?orderBy=-created&maxResults=100`,
          of: "ticket"
        }),
        (page) => listOf(page, "comments").some((one) => isMarked(memberOf(one, "body"), markLine("comment", mark)))
      ),
    comment: (account, { key }, { mark, body }) =>
      Effect.asVoid(
        call(account, {
          method: "POST",
          path: `/issue/${encodeURIComponent(key)}/comment`,
          json: { body: textBody(account, [...body, markBlock(markLine("comment", mark))]) },
          of: "ticket"
        })
      )
  }
}

const markBlock = (text: string): Block => ({ kind: "code", text })

/** A text of ours, as a document or as markup, ends with its mark. */
const isMarked = (text: unknown, mark: string): boolean => {
  if (typeof text === "string") return text.replaceAll("\r\n", "\n").trimEnd().endsWith(`\n${mark}\n{noformat}`)
  const last = listOf(text, "content").at(-1)
  return textOf(last, "content", 0, "text") === mark
}

const failureOf = (account: TrackerAccount, of: Call["of"], response: TrackerResponse): TicketTrackerError | null => {
  const { status } = response
  const outage = outageOf(name, response)
  return outage !== null || (status >= 200 && status < 300) ? outage : rejectionOf(account, of, response)
}

const rejectionOf = (
  { project, base_url, email }: TrackerAccount,
  of: Call["of"],
  { status, json }: TrackerResponse
): TicketTrackerError => {
  // Jira sends who is not signed in to its sign-in page.
  if (status === 401 || (status >= 300 && status < 400)) {
    const what = email === null ? "personal access token" : "token of the account in email"
    return failed("credentials", `${name} does not accept the ${what}: set one that is valid for base_url.`)
  }
  if (status === 403) {
    return failed("credentials", `${name} does not let the token write issues of ${project}: give it that permission.`)
  }
  const isGone = status === 404
  if (isGone && of === "ticket") return failed("ticket_not_found", `${name} has the issue no longer.`)
  if (isGone || namesProject(json)) {
    return failed(
      "project_not_found",
      `${name} at ${base_url} shows the token no project ${project}: check its key, base_url and the token's access.`
    )
  }
  return failed("rejected", `${name} rejects the ticket (${status})${fieldsInWords(Object.keys(errorsOf(json)))}.`)
}

const errorsOf = (json: unknown): object => {
  const errors = memberOf(json, "errors")
  return typeof errors === "object" && errors !== null ? errors : {}
}

/** A ticket for a project that is not there has an error at the field; a search in one has a message. */
const namesProject = (json: unknown): boolean =>
  "project" in errorsOf(json) ||
  listOf(json, "errorMessages").some((message) => typeof message === "string" && message.includes("'project'"))
