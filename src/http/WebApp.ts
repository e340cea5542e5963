import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { staticFile } from "./static.ts"

const folder = new URL("../../web/", import.meta.url)

/** The web app: a page and its parts, which call `/api` as any client does. */
export const WebApp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const page = yield* staticFile(new URL("index.html", folder))
    yield* router.get("/", page)
    yield* router.get("/sign-in", page)
    for (const name of ["app.js", "style.css"] as const) {
      yield* router.get(`/${name}`, yield* staticFile(new URL(name, folder)))
    }
  })
)
