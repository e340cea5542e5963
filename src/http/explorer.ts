import { fieldTable, schemaAnchor, schemaHtml } from "./explorerSchemas.ts"
import { escaped, renderInlineMarkdown, renderMarkdown } from "./html.ts"
import { isObject, type Json } from "./openapiSchemas.ts"

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
    return fields.length === 0 ? "" : `<h4>Parameters: ${kind}</h4>\n${fieldTable(fields)}`
  })
  return sections.join("\n")
}

const bodyHtml = (described: Json): string =>
  isObject(described.requestBody) ? `<h4>Request body</h4>\n${contentHtml(described.requestBody.content)}` : ""

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
      return `<h4>${status} ${renderInlineMarkdown(text(response.description))}</h4>\n${named}${contentHtml(response.content)}`
    })
  const errors = responses
    .filter(([status]) => isError(status))
    .map(([status, { description }]) => `<li><b>${status}</b> ${renderInlineMarkdown(text(description))}</li>`)
  return `${successes.join("\n")}\n<h4>Errors</h4>\n<ul>\n${errors.join("\n")}\n</ul>`
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

const groupHtml = (document: Json, tag: Json, operations: ReadonlyArray<Operation>): string => {
  const name = text(tag.name)
  const own = operations.filter(({ described }) => Array.isArray(described.tags) && described.tags.includes(name))
  return `<section id="${escaped(name)}">
<h2>${escaped(name.replaceAll("_", " "))}</h2>
${renderMarkdown(text(tag.description))}
${own.map((operation) => operationHtml(document, operation)).join("\n")}
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
  return `<section id="schemas">\n<h2>Schemas</h2>\n${items.join("\n")}\n</section>`
}

const credentialsHtml = (document: Json): string => {
  const schemes = entries(isObject(document.components) ? document.components.securitySchemes : {})
  const items = schemes.map(
    ([name, { description }]) => `<li><code>${escaped(name)}</code>: ${renderInlineMarkdown(text(description))}</li>`
  )
  return `<ul>\n${items.join("\n")}\n</ul>`
}

/**
 * The OpenAPI document as one page to read: it sends no calls, since the API has another origin and admits no foreign
 * page. It reads without JavaScript; the script adds the filter and opens what a link names.
 */
export const explorerPage = (document: Json): string => {
  const info = isObject(document.info) ? document.info : {}
  const servers = objects(document.servers).map(({ url }) => `<code>${escaped(text(url))}</code>`)
  const operations = operationsOf(document)
  const groups = objects(document.tags)
  const links = groups.map(({ name }) => `<a href="#${escaped(text(name))}">${escaped(text(name))}</a>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title>
<meta name="description" content="Every operation of the Assay REST API, with its bodies, responses and errors.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/guide.css">
<link rel="stylesheet" href="/explorer.css">
</head>
<body>
<nav><a href="/README.md">Assay</a> <a href="/docs/agents/">Agents</a> <a href="/docs/">Guides</a>
<a href="/openapi.json">OpenAPI document</a></nav>
<main>
<h1>${escaped(text(info.title))} API</h1>
<p>Server: ${servers.join(", ")}</p>
${renderMarkdown(text(info.description))}
${credentialsHtml(document)}
<p class="groups">${links.join(" ")} <a href="#schemas">schemas</a></p>
<p id="filter-row" hidden><label for="filter">Filter operations</label> <input id="filter" type="search"></p>
${groups.map((tag) => groupHtml(document, tag, operations)).join("\n")}
${schemasHtml(document)}
</main>
<script type="module" src="/explorer.js"></script>
</body>
</html>
`
}
