import { Effect } from "effect"
import { aVendor, type Exchange, type Reply, type TicketServer, tokenOfTests } from "./vendor.ts"

interface Issue {
  readonly key: string
  readonly title: string
  readonly description: unknown
}

const inlineNodes = ["text", "hardBreak"]
const marks = ["code", "link", "strong", "em"]

/** What makes a value no Atlassian document, of the nodes that are documented for descriptions and comments. */
const documentProblem = (value: unknown): string | null => {
  const problems: Array<string> = []
  const fieldOf = (node: unknown, name: string): unknown =>
    typeof node === "object" && node !== null ? Reflect.get(node, name) : undefined
  const childrenOf = (node: unknown): ReadonlyArray<unknown> => {
    const content = fieldOf(node, "content")
    return Array.isArray(content) ? content : []
  }
  const inline = (node: unknown, allowsMarks: boolean) => {
    const type = fieldOf(node, "type")
    if (!inlineNodes.includes(String(type))) problems.push(`${type} is not inline`)
    const text = fieldOf(node, "text")
    if (type === "text" && (typeof text !== "string" || text === "")) problems.push("an empty text")
    const applied = fieldOf(node, "marks")
    for (const mark of Array.isArray(applied) ? applied : []) {
      if (!allowsMarks || !marks.includes(String(fieldOf(mark, "type")))) problems.push("a mark that is not allowed")
      if (fieldOf(mark, "type") === "link" && typeof fieldOf(fieldOf(mark, "attrs"), "href") !== "string") {
        problems.push("a link without href")
      }
    }
  }
  const block = (node: unknown) => {
    switch (fieldOf(node, "type")) {
      case "paragraph":
        for (const child of childrenOf(node)) inline(child, true)
        return
      case "codeBlock":
        for (const child of childrenOf(node)) inline(child, false)
        return
      case "bulletList":
        if (childrenOf(node).length === 0) problems.push("an empty list")
        for (const item of childrenOf(node)) {
          if (fieldOf(item, "type") !== "listItem") problems.push("no item of a list")
          for (const child of childrenOf(item)) block(child)
        }
        return
      default:
        problems.push(`${fieldOf(node, "type")} is no block`)
    }
  }
  if (fieldOf(value, "type") !== "doc" || fieldOf(value, "version") !== 1) problems.push("no document")
  for (const child of childrenOf(value)) block(child)
  return problems.length === 0 ? null : problems.join(", ")
}

const email = "assay@acme.example"

/** Jira with one project, `SEC`: Cloud with version 3 of the API, or Data Center below a path, with version 2. */
export const aJiraServer = (edition: "cloud" | "data_center") =>
  Effect.gen(function* () {
    const isCloud = edition === "cloud"
    const site = isCloud ? "" : "/jira"
    const root = `${site}/rest/api/${isCloud ? 3 : 2}`
    const authorization = isCloud
      ? `Basic ${Buffer.from(`${email}:${tokenOfTests}`).toString("base64")}`
      : `Bearer ${tokenOfTests}`
    const issues: Array<Issue> = []
    const comments: Array<{ readonly key: string; readonly body: unknown }> = []
    const add = (title: string, description: unknown) => {
      issues.push({ key: `SEC-${issues.length + 1}`, title, description })
      return issues.at(-1)!
    }
    const rejected = (errorMessages: ReadonlyArray<string>, errors: object = {}): Reply => ({
      status: 400,
      json: { errorMessages, errors }
    })
    const textProblem = (text: unknown) =>
      isCloud ? documentProblem(text) : typeof text === "string" ? null : "is no text"

    const created = (exchange: Exchange, problem: (text: string) => void): Reply => {
      const { fields, ...others } = JSON.parse(exchange.text)
      const { project, issuetype, summary, description, ...more } = fields
      for (const name of Object.keys({ ...others, ...more })) problem(`knows no ${name}`)
      const wrong = textProblem(description)
      if (wrong !== null) problem(`description: ${wrong}`)
      if (typeof summary !== "string" || summary.length > 255 || /[\r\n]/.test(summary)) problem("summary")
      if (project.key !== "SEC") return rejected([], { project: "valid project is required" })
      if (issuetype.id !== "10004") return rejected([], { issuetype: "Specify a valid issue type" })
      const { key } = add(summary, description)
      return { status: 201, json: { id: `1000${issues.length}`, key, self: `http://jira/${key}` } }
    }
    const types = (): Reply => {
      const list = [
        { id: "10002", name: "Sub-task", subtask: true },
        { id: "10003", name: "Epic", subtask: false },
        { id: "10004", name: "Task", subtask: false }
      ]
      const page = { startAt: 0, maxResults: 50, total: list.length }
      return { status: 200, json: { ...page, [isCloud ? "issueTypes" : "values"]: list } }
    }
    const searched = (exchange: Exchange, problem: (text: string) => void): Reply => {
      const { jql, fields, maxResults, ...others } = JSON.parse(exchange.text)
      if (Object.keys(others).length > 0 || !Array.isArray(fields) || typeof maxResults !== "number") problem("body")
      const [, project, words = ""] = /^project = "(\w+)" AND description ~ "(\w+)"$/.exec(jql) ?? []
      if (project !== "SEC") return rejected([`The value '${project}' does not exist for the field 'project'.`])
      const found = issues
        .filter(({ description }) => JSON.stringify(description).includes(words))
        .map(({ key, description }) => ({ id: key, key, fields: { description } }))
      const page = isCloud ? { isLast: true } : { startAt: 0, maxResults, total: found.length }
      return { status: 200, json: { ...page, issues: found } }
    }
    const commented = (key: string, exchange: Exchange, problem: (text: string) => void): Reply => {
      if (!issues.some((issue) => issue.key === key)) {
        return {
          status: 404,
          json: { errorMessages: ["Issue does not exist or you do not have permission to see it."] }
        }
      }
      if (exchange.method === "GET") {
        for (const name of exchange.query.keys())
          if (!["orderBy", "maxResults"].includes(name)) problem(`query ${name}`)
        const list = comments.filter((comment) => comment.key === key)
        return { status: 200, json: { startAt: 0, maxResults: 100, total: list.length, comments: list } }
      }
      const { body, ...others } = JSON.parse(exchange.text)
      const wrong = textProblem(body)
      if (wrong !== null || Object.keys(others).length > 0) problem(`body: ${wrong}`)
      comments.push({ key, body })
      return { status: 201, json: { id: String(comments.length), body } }
    }
    const routed = (exchange: Exchange, problem: (text: string) => void): Reply => {
      const route = `${exchange.method} ${exchange.path}`
      if (route === `POST ${root}/issue`) return created(exchange, problem)
      if (route === `GET ${root}/issue/createmeta/SEC/issuetypes`) return types()
      if (route.startsWith(`GET ${root}/issue/createmeta/`)) {
        return { status: 404, json: { errorMessages: ["No project could be found with key."], errors: {} } }
      }
      if (route === `POST ${root}/search${isCloud ? "/jql" : ""}`) return searched(exchange, problem)
      const [, key] = new RegExp(`^${root}/issue/([A-Z]+-\\d+)/comment$`).exec(exchange.path) ?? []
      if (key !== undefined) return commented(key, exchange, problem)
      problem("is no route")
      return { status: 404 }
    }
    const vendor = yield* aVendor((exchange, problem): Reply => {
      if (exchange.headers.accept !== "application/json") problem("accept")
      if (exchange.method === "POST" && exchange.headers["content-type"] !== "application/json") problem("content-type")
      return exchange.headers.authorization === authorization
        ? routed(exchange, problem)
        : { status: 401, json: { errorMessages: ["Client must be authenticated to access this resource."] } }
    })
    const bodyText = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))
    return {
      ...vendor,
      url: `${vendor.url}${site}`,
      email: isCloud ? email : null,
      tickets: () => issues.map(({ key, title, description }) => ({ key, title, body: bodyText(description) })),
      comments: () => comments.map(({ body }) => bodyText(body)),
      plant: (title: string, body: string) =>
        void add(
          title,
          isCloud
            ? { type: "doc", version: 1, content: [{ type: "paragraph", content: [{ type: "text", text: body }] }] }
            : body
        )
    } satisfies TicketServer & { readonly email: string | null }
  })
