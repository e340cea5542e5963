import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname } from "node:path"
import { HttpApiBuilder, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { mediaTypeOf, pageHeaders, staticContent } from "./static.ts"

const folder = new URL("../../dist/web/", import.meta.url)
const assets = new URL("assets/", folder)

/** What is no page: the interfaces, and files, of which an unknown one is no view. */
const isOther = (path: string) => /^\/(?:api|mcp|assets|\.well-known)(?:\/|$)/.test(path)

/** Whether a browser asks for a view; its address is the app's to understand, also an unknown one. */
const asksForView = ({ url, headers }: HttpServerRequest.HttpServerRequest) =>
  headers.accept?.includes("text/html") === true && !isOther(url.split("?")[0] ?? "")

const read = (name: string) => readFileSync(new URL(name, folder))

/**
 * Hashed files, each with the compressed forms that the build made. They are some four hundred, read before the server
 * listens: for each, asking the thread pool four times takes many times as long as reading it.
 */
const readAssets = () => {
  const names = readdirSync(assets)
  const all = new Set(names)
  return names
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .map((name) => {
      const forms = { br: `${name}.br`, gzip: `${name}.gz` } as const
      const made = all.has(forms.br) ? { br: read(`assets/${forms.br}`), gzip: read(`assets/${forms.gzip}`) } : {}
      const content = staticContent(read(`assets/${name}`), mediaTypeOf(extname(name)), {
        cacheControl: "public, max-age=31536000, immutable",
        made
      })
      return { path: `/assets/${name}` as const, content }
    })
}

const notBuilt = HttpServerResponse.text("The web app is not built. Run `npm run build`, then start again.", {
  status: 503,
  headers: pageHeaders
})

/** The web app: one page for every view, and its parts, which call `/api` as any client does. */
export const WebApp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const isBuilt = existsSync(new URL("index.html", folder))
    const page = isBuilt ? staticContent(read("index.html"), "text/html; charset=utf-8") : Effect.succeed(notBuilt)
    for (const { path, content } of isBuilt ? readAssets() : []) yield* router.get(path, content)
    yield* router.get("/", page)
    yield* router.get(
      "*",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        asksForView(request) ? page : Effect.fail(new HttpServerError.RouteNotFound({ request }))
      )
    )
  })
)
