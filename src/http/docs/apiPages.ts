import { isObject, type Json } from "../openapiSchemas.ts"
import { fieldTable, schemaAnchor, schemaHtml } from "./apiSchemas.ts"
import { escaped, renderInlineMarkdown, renderMarkdown } from "./html.ts"
import type { DocsPage, Path, Section } from "./Page.ts"

interface Operation {
  readonly method: string
  readonly path: string
  readonly described: Json
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

const entries = (value: unknown): ReadonlyArray<readonly [string, Json]> =>
  Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) => (isObject(one) ? [[name, one] as const] : []))

/** The part of the document that a reference names; anything else is itself. */
const resolved = (document: Json, part: Json): Json => {
  if (typeof part.$ref !== "string") return part
  let found: unknown = document
  for (const step of part.$ref.replace(/^#\//, "").split("/")) found = isObject(found) ? found[step] : undefined
  return isObject(found) ? found : {}
}

const operationsOf = (document: Json): ReadonlyArray<Operation> =>
  entries(document.paths).flatMap(([path, methods]) =>
    entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described }))
  )

const exampleHtml = (example: unknown): string => {
  if (example === undefined) return ""
  const shown = typeof example === "string" ? example : JSON.stringify(example, null, 2)
  return `<details class="example"><summary>Example</summary><pre><code>${escaped(shown)}</code></pre></details>`
}

const contentHtml = (content: unknown): string =>
  entries(content)
    .map(
      ([mediaType, { schema, example }]) =>
        `<p><code>${escaped(mediaType)}</code></p>\n${isObject(schema) ? schemaHtml(schema) : ""}${exampleHtml(example)}`
    )
    .join("\n")

const parametersHtml = (document: Json, described: Json): string => {
  const parameters = objects(described.parameters).map((parameter) => resolved(document, parameter))
  if (parameters.length === 0) return ""
  const sections = ["path", "query", "header"].map((kind) => {
    const fields = parameters
      .filter((parameter) => parameter.in === kind)
      .map(({ name, schema, required, description }) => ({
        path: text(name),
        schema: { ...(isObject(schema) ? schema : {}), description },
        isRequired: required === true
      }))
    return fields.length === 0 ? "" : `<h3>Parameters: ${kind}</h3>\n${fieldTable(fields)}`
  })
  return sections.join("\n")
}

const bodyHtml = (described: Json): string =>
  isObject(described.requestBody) ? `<h3>Request body</h3>\n${contentHtml(described.requestBody.content)}` : ""

const isError = (status: string) => Number(status) >= 400

// Errors share one body, so that their list needs no more than the status and the codes.
const responsesHtml = (document: Json, described: Json): string => {
  const responses = entries(described.responses).map(
    ([status, response]) => [status, resolved(document, response)] as const
  )
  const successes = responses
    .filter(([status]) => !isError(status))
    .map(([status, response]) => {
      const headers = entries(response.headers).map(([name]) => `<code>${escaped(name)}</code>`)
      const named = headers.length === 0 ? "" : `<p>Headers: ${headers.join(", ")}</p>\n`
      return `<h3>${status} ${renderInlineMarkdown(text(response.description))}</h3>\n${named}${contentHtml(response.content)}`
    })
  const errors = responses
    .filter(([status]) => isError(status))
    .map(([status, { description }]) => `<li><b>${status}</b> ${renderInlineMarkdown(text(description))}</li>`)
  return `${successes.join("\n")}\n<h3>Errors</h3>\n<ul>\n${errors.join("\n")}\n</ul>`
}

const accessHtml = (described: Json): string => {
  const ways = objects(described.security).map((way) => Object.keys(way).join(" with "))
  const limit = isObject(described["x-rate-limit"]) ? described["x-rate-limit"].rpm : undefined
  const security = ways.length === 0 ? "no credentials" : ways.join(", or ")
  const perMinute = limit === undefined ? "" : ` At most ${escaped(String(limit))} calls per minute.`
  return `<p class="access">Access: ${escaped(security)}.${perMinute}</p>`
}

const operationHtml = (document: Json, { method, path, described }: Operation): string => {
  const id = escaped(text(described.operationId))
  return `<details class="operation" id="${id}">
<summary><b class="method ${method.toLowerCase()}">${method}</b> <code>${escaped(path)}</code>
<span>${renderInlineMarkdown(text(described.summary))}</span></summary>
<p><a href="#${id}">${id}</a></p>
${renderMarkdown(text(described.description))}
${accessHtml(described)}
${parametersHtml(document, described)}
${bodyHtml(described)}
${responsesHtml(document, described)}
</details>`
}

const operationsWith = (document: Json, tag: string) =>
  operationsOf(document).filter(({ described }) => Array.isArray(described.tags) && described.tags.includes(tag))

const tagsOf = (document: Json, { tags }: Task): ReadonlyArray<Json> =>
  tags.flatMap((name) => objects(document.tags).filter((tag) => tag.name === name))

const tagHtml = (document: Json, tag: Json): string => {
  const name = text(tag.name)
  return `<section>
<h2 id="${escaped(name)}">${escaped(name.replaceAll("_", " "))}</h2>
${renderMarkdown(text(tag.description))}
${operationsWith(document, name)
  .map((operation) => operationHtml(document, operation))
  .join("\n")}
</section>`
}

const schemasHtml = (document: Json): string => {
  const schemas = entries(isObject(document.components) ? document.components.schemas : {})
  const items = schemas.map(
    ([name, schema]) => `<details class="operation" id="${escaped(schemaAnchor(name))}">
<summary><code>${escaped(name)}</code></summary>
${renderMarkdown(text(schema.description))}
${schemaHtml(schema)}
</details>`
  )
  return `<h1>Schemas</h1>\n<p>Objects that several operations take or return.</p>\n${items.join("\n")}`
}

const credentialsHtml = (document: Json): string => {
  const schemes = entries(isObject(document.components) ? document.components.securitySchemes : {})
  const items = schemes.map(
    ([name, { description }]) => `<li><code>${escaped(name)}</code>: ${renderInlineMarkdown(text(description))}</li>`
  )
  return `<ul>\n${items.join("\n")}\n</ul>`
}

/** What people do with the API: a page of the reference, and the groups of the contract that serve it. */
export interface Task {
  readonly name: string
  readonly title: string
  readonly tags: ReadonlyArray<string>
}

export const tasks: ReadonlyArray<Task> = [
  { name: "repositories", title: "Register repositories", tags: ["repositories", "repository_overview"] },
  { name: "jobs", title: "Run audits and other jobs", tags: ["jobs", "forecasts"] },
  { name: "observations", title: "Triage observations", tags: ["observations", "triage", "views", "rules"] },
  { name: "fixes", title: "Fix findings and publish tickets", tags: ["fixes", "trackers"] },
  { name: "knowledge", title: "Share knowledge", tags: ["context", "project_context"] },
  { name: "projects", title: "Organise projects", tags: ["projects"] },
  { name: "issues", title: "Work on issues", tags: ["issues", "issueClaims", "issueRelations"] },
  { name: "missions", title: "Fix many findings by a mission", tags: ["missions"] },
  { name: "change_reviews", title: "Review changes by criteria", tags: ["changeReviews"] },
  { name: "webhooks", title: "Receive events", tags: ["webhooks"] },
  {
    name: "workspace",
    title: "Run the workspace",
    tags: ["workspace", "members", "trends", "notices", "outbox", "auditLog"]
  },
  {
    name: "access",
    title: "Sign in and manage keys",
    tags: ["sessions", "account", "single-sign-on", "keys", "credentials"]
  }
]

const pathOf = ({ name }: Task): Path => `/api/${name}/`

const taskHtml = (document: Json, task: Task): string => `<h1>${escaped(task.title)}</h1>
${tagsOf(document, task)
  .map((tag) => tagHtml(document, tag))
  .join("\n")}`

const operationLink = (task: Task, { method, path, described }: Operation): string =>
  `<li><a href="${pathOf(task)}#${escaped(text(described.operationId))}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${escaped(path)}</code></a> ${renderInlineMarkdown(text(described.summary))}</li>`

const taskSummary = (document: Json, task: Task): string => {
  const operations = tagsOf(document, task).flatMap((tag) => operationsWith(document, text(tag.name)))
  return `<h2 id="${task.name}"><a href="${pathOf(task)}">${escaped(task.title)}</a></h2>
<ul class="operations">
${operations.map((operation) => operationLink(task, operation)).join("\n")}
</ul>`
}

const indexHtml = (document: Json): string => {
  const info = isObject(document.info) ? document.info : {}
  const servers = objects(document.servers).map(({ url }) => `<code>${escaped(text(url))}</code>`)
  return `<h1>${escaped(text(info.title))} API</h1>
<p>Server: ${servers.join(", ")}. The same as an <a href="/openapi.json">OpenAPI document</a>.</p>
${renderMarkdown(text(info.description))}
<h2 id="credentials">Credentials</h2>
${credentialsHtml(document)}
${tasks.map((task) => taskSummary(document, task)).join("\n")}`
}

/**
 * The OpenAPI document as pages to read, one for each thing that people do: they send no calls, since the API has another
 * origin and admits no foreign page. They read without scripts.
 */
export const apiPages = (document: () => Json): ReadonlyArray<DocsPage> => [
  { path: "/api/", title: "API reference", html: () => indexHtml(document()) },
  ...tasks.map((task) => ({ path: pathOf(task), title: task.title, html: () => taskHtml(document(), task) })),
  { path: "/api/schemas/", title: "Schemas", html: () => schemasHtml(document()) }
]

export const apiSection = (pages: ReadonlyArray<DocsPage>): Section => ({ title: "API reference", links: pages })
