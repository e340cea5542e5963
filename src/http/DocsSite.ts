import { createRequire } from "node:module"
import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { openApiDocument } from "./openapi.ts"
import { staticContent, staticFile } from "./static.ts"

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assay API</title>
<link rel="stylesheet" href="/swagger-ui.css">
</head>
<body>
<div id="explorer"></div>
<script src="/swagger-ui-bundle.js"></script>
<script src="/explorer.js"></script>
</body>
</html>
`

const explorer = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#explorer",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: []
})
`

/** The public docs site: the OpenAPI document and an explorer of it. */
export const DocsSite = Effect.gen(function* () {
  const { resolve } = createRequire(import.meta.url)
  const document = staticContent(JSON.stringify(openApiDocument()), "application/json")
  const bundle = yield* staticFile(resolve("swagger-ui-dist/swagger-ui-bundle.js"))
  const style = yield* staticFile(resolve("swagger-ui-dist/swagger-ui.css"))
  return HttpRouter.empty.pipe(
    HttpRouter.get("/", staticContent(page, "text/html; charset=utf-8")),
    HttpRouter.get("/explorer.js", staticContent(explorer, "text/javascript; charset=utf-8")),
    HttpRouter.get("/swagger-ui-bundle.js", bundle),
    HttpRouter.get("/swagger-ui.css", style),
    HttpRouter.get("/openapi.json", document),
    Effect.catchTag("RouteNotFound", () => HttpServerResponse.text("Not found\n", { status: 404 }))
  )
})
