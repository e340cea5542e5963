import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { explorerPage } from "./explorer.ts"
import { guideStyle, guides } from "./guides.ts"
import { openApiDocument } from "./openapi.ts"
import { staticContent, staticFile } from "./static.ts"

const html = "text/html; charset=utf-8"

const asset = (name: string) => staticFile(new URL(`../../web/docs/${name}`, import.meta.url))

/** The public docs site: the OpenAPI document, a page of it to read, the guides. `apiUrl` is called at the first request. */
export const DocsSite = (apiUrl: () => string) =>
  Effect.gen(function* () {
    const document = yield* Effect.cached(Effect.sync(() => openApiDocument(apiUrl())))
    const json = yield* Effect.cached(
      Effect.map(document, (content) => staticContent(JSON.stringify(content), "application/json"))
    )
    const explorer = yield* Effect.cached(Effect.map(document, (content) => staticContent(explorerPage(content), html)))
    const script = yield* asset("explorer.js")
    const style = yield* asset("explorer.css")
    let pages: HttpRouter.HttpRouter = HttpRouter.empty
    for (const { path, html: render } of yield* guides(apiUrl)) {
      const content = yield* Effect.cached(Effect.sync(() => staticContent(render(), html)))
      pages = HttpRouter.get(pages, path, Effect.flatten(content))
    }
    return pages.pipe(
      HttpRouter.get("/guide.css", staticContent(guideStyle, "text/css; charset=utf-8")),
      HttpRouter.get("/", Effect.flatten(explorer)),
      HttpRouter.get("/explorer.js", script),
      HttpRouter.get("/explorer.css", style),
      HttpRouter.get("/openapi.json", Effect.flatten(json)),
      Effect.catchTag("RouteNotFound", () => HttpServerResponse.text("Not found\n", { status: 404 }))
    )
  })
