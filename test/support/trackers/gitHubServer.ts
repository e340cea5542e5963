import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { Ajv, type ValidateFunction } from "ajv"
import addFormats from "ajv-formats"
import { Effect } from "effect"
import { aVendor, type Exchange, type Reply, type TicketServer, tokenOfTests } from "./vendor.ts"

// GitHub's own description of its API checks every request and every answer.

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: object
}
interface Operation {
  readonly parameters?: ReadonlyArray<Parameter | { readonly $ref: string }>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>>
  }
  readonly responses: Readonly<Record<string, object>>
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly examples: Readonly<Record<string, { readonly value: object }>>
  }
}

const file = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json")
const description = JSON.parse(readFileSync(file, "utf8")) as Description
const ajv = new Ajv({ strict: false, validateSchema: false, coerceTypes: false, logger: false })
addFormats.default(ajv)
ajv.addSchema(description, "github")

const pointer = (...path: ReadonlyArray<string>) =>
  `github#/${path.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`

const compiled = new Map<string, ValidateFunction>()
const mismatch = (ref: string, value: unknown): string | null => {
  const validate = compiled.get(ref) ?? ajv.compile({ $ref: ref })
  compiled.set(ref, validate)
  return validate(value) ? null : ajv.errorsText(validate.errors)
}

const issuesPath = "/repos/{owner}/{repo}/issues"
const commentsPath = "/repos/{owner}/{repo}/issues/{issue_number}/comments"

const template = (path: string): string | null =>
  /^\/repos\/[^/]+\/[^/]+\/issues$/.test(path)
    ? issuesPath
    : /^\/repos\/[^/]+\/[^/]+\/issues\/\d+\/comments$/.test(path)
      ? commentsPath
      : null

const parameterOf = (parameter: Parameter | { readonly $ref: string }): Parameter =>
  "$ref" in parameter ? description.components.parameters[parameter.$ref.split("/").at(-1) ?? ""]! : parameter

/** Query parameters that the operation does not have, or whose value it does not take. */
const queryProblems = ({ parameters = [] }: Operation, query: URLSearchParams): ReadonlyArray<string> =>
  [...query].flatMap(([name, value]) => {
    const parameter = parameters.map(parameterOf).find((one) => one.in === "query" && one.name === name)
    if (parameter === undefined) return [`has no query parameter ${name}`]
    const typed: unknown = "type" in parameter.schema && parameter.schema.type === "integer" ? Number(value) : value
    return ajv.validate(parameter.schema, typed) ? [] : [`${name}: ${ajv.errorsText()}`]
  })

const bodyProblems = (route: string, { requestBody }: Operation, text: string): ReadonlyArray<string> => {
  if (requestBody === undefined) return text === "" ? [] : ["takes no body"]
  const body: unknown = JSON.parse(text)
  const known = Object.keys(requestBody.content["application/json"]?.schema.properties ?? {})
  const unknown = Object.keys(body as object).filter((name) => !known.includes(name))
  const path = ["paths", route, "post", "requestBody", "content", "application/json", "schema"]
  return [...unknown.map((name) => `knows no ${name}`), mismatch(pointer(...path), body)].filter((one) => one !== null)
}

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

const example = (name: string) => description.components.examples[name]?.value ?? {}

/** GitHub with one repository, `acme/tickets`. */
export const aGitHubServer = Effect.gen(function* () {
  const issues: Array<Text> = []
  const comments: Array<Text> = []
  const at = () => new Date().toISOString().replace(/\.\d+Z$/, "Z")
  const add = (title: string, body: string) => {
    issues.push({ number: issues.length + 1, title, body, at: at() })
    return issues.at(-1)!
  }
  const issueOf = ({ number, title, body, at }: Text) => ({
    ...example("issue"),
    number,
    title,
    body,
    html_url: `https://github.com/acme/tickets/issues/${number}`,
    created_at: at,
    updated_at: at
  })
  const commentOf = ({ number, body, at }: Text) => ({
    ...example("issue-comment"),
    id: number,
    body,
    created_at: at,
    updated_at: at
  })
  const pageOf = (items: ReadonlyArray<Text>, query: URLSearchParams) => {
    const [size, page] = [Number(query.get("per_page") ?? 30), Number(query.get("page") ?? 1)]
    const since = Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z")
    return items.filter(({ at }) => Date.parse(at) >= since).slice((page - 1) * size, page * size)
  }
  const stateful = (route: string, exchange: Exchange): Reply => {
    if (exchange.method === "GET" && route === issuesPath) {
      return { status: 200, json: pageOf([...issues].reverse(), exchange.query).map(issueOf) }
    }
    if (exchange.method === "GET") return { status: 200, json: pageOf(comments, exchange.query).map(commentOf) }
    const { title, body } = JSON.parse(exchange.text)
    if (route === issuesPath) return { status: 201, json: issueOf(add(title, body)) }
    comments.push({ number: comments.length + 1, title: "", body, at: at() })
    return { status: 201, json: commentOf(comments.at(-1)!) }
  }
  const vendor = yield* aVendor((exchange, problem): Reply => {
    const route = template(exchange.path)
    const operation = description.paths[route ?? ""]?.[exchange.method.toLowerCase()]
    if (route === null || operation === undefined) {
      problem("is no route")
      return { status: 404 }
    }
    const problems = [
      ...headerProblems(exchange.headers),
      ...queryProblems(operation, exchange.query),
      ...bodyProblems(route, operation, exchange.text)
    ]
    problems.forEach(problem)
    if (exchange.headers.authorization !== `Bearer ${tokenOfTests}`) {
      return { status: 401, json: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" } }
    }
    if (!exchange.path.startsWith("/repos/acme/tickets/")) {
      return { status: 404, json: { message: "Not Found", documentation_url: "https://docs.github.com/rest" } }
    }
    const reply = stateful(route, exchange)
    const path = ["paths", route, exchange.method.toLowerCase(), "responses", String(reply.status), "content"]
    const wrong = mismatch(pointer(...path, "application/json", "schema"), reply.json)
    if (wrong !== null) problem(`the test's own answer: ${wrong}`)
    return reply
  })
  return {
    ...vendor,
    tickets: () => issues.map(({ number, title, body }) => ({ key: String(number), title, body })),
    comments: () => comments.map(({ body }) => body),
    plant: (title, body) => void add(title, body)
  } satisfies TicketServer
})
