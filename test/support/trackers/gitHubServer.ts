import { Effect } from "effect"
import { type Described, describedAt, type Json } from "../github/description.ts"
import { aVendor, type Exchange, type Reply, type TicketServer, tokenOfTests } from "./vendor.ts"

const headerProblems = (headers: Exchange["headers"]): ReadonlyArray<string> => [
  ...(headers.accept === "application/vnd.github+json" ? [] : ["accept"]),
  ...(headers["x-github-api-version"] === "2022-11-28" ? [] : ["x-github-api-version"]),
  ...(headers["user-agent"] === undefined ? ["user-agent"] : [])
]

interface Text {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly at: string
}

const errorBody = (message: string): Json => ({ message, documentation_url: "https://docs.github.com/rest" })

const issueOf = ({ number, title, body, at }: Text): Json => ({
  number,
  title,
  body,
  html_url: `https://github.com/acme/tickets/issues/${number}`,
  created_at: at,
  updated_at: at
})

const commentOf = ({ number, body, at }: Text): Json => ({ id: number, body, created_at: at, updated_at: at })

/** GitHub with one repository, `acme/tickets`; its own description checks every request and every answer. */
export const aGitHubServer = Effect.gen(function* () {
  const issues: Array<Text> = []
  const comments: Array<Text> = []
  const add = (to: Array<Text>, title: string, body: string) => {
    const at = new Date().toISOString().replace(/\.\d+Z$/, "Z")
    const text = { number: to.length + 1, title, body, at }
    to.push(text)
    return text
  }
  const pageOf = (items: ReadonlyArray<Text>, query: URLSearchParams) => {
    const [size, page] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)]
    const since = Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z")
    return items.filter(({ at }) => Date.parse(at) >= since).slice((page - 1) * size, page * size)
  }
  const stateful = (operation: Described, { query, text }: Exchange): Reply => {
    switch (operation.name) {
      case "GET /repos/{owner}/{repo}/issues": {
        const found = pageOf([...issues].reverse(), query)
        return { status: 200, json: found.map((issue) => operation.element(200, issueOf(issue))) }
      }
      case "POST /repos/{owner}/{repo}/issues": {
        const { title, body } = JSON.parse(text)
        return { status: 201, json: operation.response(201, issueOf(add(issues, title, body))) }
      }
      case "GET /repos/{owner}/{repo}/issues/{issue_number}/comments": {
        const found = pageOf(comments, query)
        return { status: 200, json: found.map((comment) => operation.element(200, commentOf(comment))) }
      }
      case "POST /repos/{owner}/{repo}/issues/{issue_number}/comments": {
        const comment = add(comments, "", JSON.parse(text).body)
        return { status: 201, json: operation.response(201, commentOf(comment)) }
      }
      default:
        return { status: 500, json: errorBody(`${operation.name} is not served here`) }
    }
  }
  const vendor = yield* aVendor((exchange, problem): Reply => {
    const operation = describedAt(exchange.method, exchange.path)
    if (operation === undefined) {
      problem("is no operation of GitHub")
      return { status: 404, json: errorBody("Not Found") }
    }
    const body: unknown = exchange.text === "" ? undefined : JSON.parse(exchange.text)
    headerProblems(exchange.headers).forEach(problem)
    operation.checkRequest(exchange.query, body).forEach(problem)
    if (exchange.headers.authorization !== `Bearer ${tokenOfTests}`) {
      return { status: 401, json: errorBody("Bad credentials") }
    }
    if (!exchange.path.startsWith("/repos/acme/tickets/")) return { status: 404, json: errorBody("Not Found") }
    const reply = stateful(operation, exchange)
    for (const wrong of operation.checkResponse(reply.status, reply.json)) problem(`the test's own answer: ${wrong}`)
    return reply
  })
  return {
    ...vendor,
    tickets: () => issues.map(({ number, title, body }) => ({ key: String(number), title, body })),
    comments: () => comments.map(({ body }) => body),
    plant: (title, body) => void add(issues, title, body)
  } satisfies TicketServer
})
