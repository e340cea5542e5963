import { readFile } from "node:fs/promises"
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { asset, staticContent } from "./static.ts"

const folder = new URL("../../web/", import.meta.url)

/** The web app: a page and its parts, which call `/api` as any client does. */
export const WebApp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    let html = yield* Effect.promise(() => readFile(new URL("index.html", folder), "utf8"))
    for (const name of ["app.js", "style.css"]) {
      const { path, content } = yield* asset(new URL(name, folder))
      html = html.replaceAll(`"/${name}"`, `"${path}"`)
      yield* router.get(path, content)
    }
    const page = staticContent(html, "text/html; charset=utf-8")
    yield* router.get("/", page)
    yield* router.get("/sign-in", page)
  })
)
