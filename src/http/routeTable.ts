import { type HttpRouter, HttpServerError, HttpServerResponse } from "@effect/platform"
import { Chunk, Effect } from "effect"
import { escape as escapeRegExp } from "effect/RegExp"

const expressionOf = (path: string) => new RegExp(`^${escapeRegExp(path).replace(/:\w+/g, "[^/]+")}$`)

/** What a router serves, by the path of an address. */
export interface RouteTable {
  /** The methods: HEAD wherever GET is served, none for unknown paths. */
  readonly methodsOf: (url: string) => ReadonlyArray<string>
  /** The pattern, as the router has it. */
  readonly patternOf: (url: string) => string | null
}

export const routeTable = (router: HttpRouter.HttpRouter<unknown, unknown>): RouteTable => {
  const routes = Chunk.toReadonlyArray(router.routes).map(({ method, path }) => ({
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    path,
    expression: expressionOf(path)
  }))
  const matching = (url: string) => {
    const path = url.split("?")[0] ?? ""
    return routes.filter(({ expression }) => expression.test(path))
  }
  return {
    methodsOf: (url) => [...new Set(matching(url).flatMap(({ methods }) => methods))],
    patternOf: (url) => matching(url)[0]?.path ?? null
  }
}

/** A router of pages: what it does not serve is 405 where other methods are served, and else the page for 404. */
export const withUnknownRoutes = <E, R, E2, R2>(
  router: HttpRouter.HttpRouter<E, R>,
  notFound: Effect.Effect<HttpServerResponse.HttpServerResponse, E2, R2>
) => {
  const { methodsOf } = routeTable(router)
  return Effect.catchIf(
    router,
    (error) => error instanceof HttpServerError.RouteNotFound,
    ({ request: { method, url } }) => {
      const allow = methodsOf(url)
      return allow.length === 0 || allow.includes(method)
        ? notFound
        : Effect.succeed(
            HttpServerResponse.text("Method not allowed\n", { status: 405, headers: { allow: allow.join(", ") } })
          )
    }
  )
}
