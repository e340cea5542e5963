import { readdir, readFile } from "node:fs/promises"
import { extname } from "node:path"
import { HttpRouter, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { openApiDocument } from "../openapi.ts"
import type { Json } from "../openapiSchemas.ts"
import { withUnknownRoutes } from "../routeTable.ts"
import { asset, mediaTypeOf, staticContent } from "../static.ts"
import { apiPages, apiSection } from "./apiPages.ts"
import { guides } from "./guides.ts"
import { layout } from "./layout.ts"
import type { DocsPage } from "./Page.ts"
import { searchEntries } from "./searchIndex.ts"
import { guideSections } from "./sections.ts"

const htmlType = "text/html; charset=utf-8"

const docsAsset = (name: string) => asset(new URL(`../../../web/docs/${name}`, import.meta.url))

const missing: DocsPage = {
  path: "/not-found",
  title: "Page not found",
  html: () => `<h1>Page not found</h1>
<p>There is no page at this address. Search above, or start from <a href="/">the first guide</a>,
<a href="/docs/">all guides</a> or <a href="/api/">the API reference</a>.</p>`
}

const docsFolder = new URL("../../../docs/", import.meta.url)

/** Pictures that guides show, under the paths they have in the project; read when the first reader asks for them. */
const pictures = Effect.promise(() => readdir(docsFolder, { recursive: true })).pipe(
  Effect.map((names) =>
    names.flatMap((name) => {
      if (extname(name) !== ".webp") return []
      const path = name.replaceAll("\\", "/")
      const file = new URL(path, docsFolder)
      const content = Effect.map(
        Effect.promise(() => readFile(file)),
        (bytes) => staticContent(bytes, mediaTypeOf(extname(name)))
      )
      return [{ path: `/docs/${path}` as const, content: Effect.map(Effect.cached(content), Effect.flatten) }]
    })
  )
)

/** The value of a page is made when the first reader asks for it, and kept. */
const lazily = (content: () => ReturnType<typeof staticContent>) =>
  Effect.map(Effect.cached(Effect.sync(content)), Effect.flatten)

// The contents of a folder are found under its README.
const isSearched = ({ path }: DocsPage) => path !== "/" && !path.endsWith("/README.md")

/** The public docs site: the guides, the reference of the REST API, its OpenAPI document. `apiUrl` is called at the first request. */
export const DocsSite = (apiUrl: () => string) =>
  Effect.gen(function* () {
    const script = yield* docsAsset("site.js")
    const style = yield* docsAsset("site.css")
    const written = yield* guides(apiUrl)
    let built: Json | undefined
    const document = () => {
      built ??= openApiDocument(apiUrl())
      return built
    }
    const reference = apiPages(document)
    const start = written.filter(({ path }) => path === "/README.md").map((page) => ({ ...page, path: "/" as const }))
    const pages: ReadonlyArray<DocsPage> = [...start, ...written, ...reference]
    const render = (page: DocsPage, options?: { readonly status: number }) => {
      const sections = [...guideSections(written, page.path), apiSection(reference)]
      return staticContent(layout(page, sections, { script: script.path, style: style.path }), htmlType, options)
    }
    const json = (value: () => unknown) => lazily(() => staticContent(JSON.stringify(value()), "application/json"))
    let router = HttpRouter.empty.pipe(
      HttpRouter.get(script.path, script.content),
      HttpRouter.get(style.path, style.content),
      HttpRouter.get("/openapi.json", yield* json(document)),
      HttpRouter.get("/search.json", yield* json(() => pages.filter(isSearched).flatMap(searchEntries)))
    )
    for (const { path, content } of yield* pictures) {
      router = HttpRouter.get(router, path, yield* content)
    }
    for (const page of pages) {
      router = HttpRouter.get(router, page.path, yield* lazily(() => render(page)))
      if (!/^\/.+\/$/.test(page.path)) continue
      const bare = page.path.slice(0, -1) as typeof page.path
      router = HttpRouter.get(router, bare, HttpServerResponse.redirect(page.path, { status: 308 }))
    }
    const site = withUnknownRoutes(router, yield* lazily(() => render(missing, { status: 404 })))
    // Links of a folder's page are relative to its slash.
    return HttpRouter.withRouterConfig(site, { ignoreTrailingSlash: false })
  })
