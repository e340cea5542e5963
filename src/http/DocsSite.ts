import { createRequire } from "node:module"
import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { guideStyle, guides } from "./guides.ts"
import { openApiDocument } from "./openapi.ts"
import { staticContent, staticFile } from "./static.ts"

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title>
<meta name="description" content="Every operation of the Assay REST API, with its bodies, answers and errors.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/swagger-ui.css">
<link rel="stylesheet" href="/explorer.css">
</head>
<body>
<nav><a href="/docs/agents/">Agents</a> <a href="/docs/">Guides</a></nav>
<noscript>The explorer needs JavaScript; the document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<div id="explorer"></div>
<script src="/swagger-ui-bundle.js"></script>
<script src="/explorer.js"></script>
</body>
</html>
`

// Calls are not sent from here: the API is another origin, and it lets no foreign page in.
const explorer = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#explorer",
  deepLinking: true,
  filter: true,
  docExpansion: "list",
  defaultModelRendering: "example",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: false,
  validatorUrl: null,
  supportedSubmitMethods: []
})
`

// Nothing can be sent, so there is nothing to authorise or to choose a server for.
const style = `body { margin: 0; background: #fafafa; }
nav { max-width: 72rem; margin: 0 auto; padding: 1rem 1.25rem 0; font: 1rem system-ui, sans-serif; }
nav a { margin-right: 1rem; color: #24527a; }
.swagger-ui .wrapper { max-width: 72rem; }
.swagger-ui .info { margin: 2rem 0 1rem; }
.swagger-ui .info .title { font-size: 2.2rem; }
.swagger-ui .info .main > .link, .swagger-ui .info .main > a { font-size: 0.9rem; }
.swagger-ui .info__contact { display: none; }
.swagger-ui .scheme-container .auth-wrapper, .swagger-ui .authorization__btn { display: none; }
.swagger-ui .scheme-container { padding: 0.5rem 0; box-shadow: none; background: none; }
`

/** The public docs site: the OpenAPI document, an explorer of it, the guides. The API's address is asked for when it is needed. */
export const DocsSite = (apiUrl: () => string) =>
  Effect.gen(function* () {
    const { resolve } = createRequire(import.meta.url)
    const document = yield* Effect.cached(
      Effect.sync(() => staticContent(JSON.stringify(openApiDocument(apiUrl())), "application/json"))
    )
    const bundle = yield* staticFile(resolve("swagger-ui-dist/swagger-ui-bundle.js"))
    const theirStyle = yield* staticFile(resolve("swagger-ui-dist/swagger-ui.css"))
    let pages: HttpRouter.HttpRouter = HttpRouter.empty
    for (const { path, html } of yield* guides(apiUrl)) {
      const content = yield* Effect.cached(Effect.sync(() => staticContent(html(), "text/html; charset=utf-8")))
      pages = HttpRouter.get(pages, path, Effect.flatten(content))
    }
    return pages.pipe(
      HttpRouter.get("/guide.css", staticContent(guideStyle, "text/css; charset=utf-8")),
      HttpRouter.get("/", staticContent(page, "text/html; charset=utf-8")),
      HttpRouter.get("/explorer.js", staticContent(explorer, "text/javascript; charset=utf-8")),
      HttpRouter.get("/explorer.css", staticContent(style, "text/css; charset=utf-8")),
      HttpRouter.get("/swagger-ui-bundle.js", bundle),
      HttpRouter.get("/swagger-ui.css", theirStyle),
      HttpRouter.get("/openapi.json", Effect.flatten(document)),
      Effect.catchTag("RouteNotFound", () => HttpServerResponse.text("Not found\n", { status: 404 }))
    )
  })
