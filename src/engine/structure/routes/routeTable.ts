import type { Language } from "../../core/files/Language.ts"
import type { SourceFile } from "../../core/files/SourceFile.ts"
import { annotatedRoutes } from "./annotated.ts"
import { goRoutes, minimalRoutes } from "./compiled.ts"
import { laravelRoutes } from "./php.ts"
import { pythonRoutes } from "./python.ts"
import { emptyTable, MAX_ROUTES, type RouteTable } from "./Route.ts"
import { rubyRoutes } from "./ruby.ts"
import { scriptRoutes } from "./scripts.ts"

/** Whether a text can declare routes at all: without one of these words its tree is not touched. */
export const mentionsRoutes =
  /\b(?:express|fastify|hono|koa|polka|restify|nestjs|fastapi|flask|django|rest_framework|quart|springframework|sinatra|Sinatra)\b|[rR]outer\b|\bapp\.(?:get|post|put|patch|delete|route)\(|\bserver\.(?:get|post|put|patch|delete|del)\(\s*[{"'`]|ws\.rs\b|Controller\b|\broutes\.draw\b|\bRoute::|#\[Route|\.Map(?:Get|Post|Put|Patch|Delete)\(|gin-gonic|labstack\/echo|go-chi|net\/http|gorilla\/mux|export (?:async )?(?:function|const) (?:GET|POST|PUT|PATCH|DELETE)\b|NextApiRequest|\burlpatterns\b/

const readers: Partial<Record<Language, (file: SourceFile) => RouteTable>> = {
  typescript: scriptRoutes,
  tsx: scriptRoutes,
  javascript: scriptRoutes,
  python: pythonRoutes,
  java: (file) => ({ ...emptyTable, routes: annotatedRoutes(file) }),
  csharp: (file) => ({ ...emptyTable, routes: [...annotatedRoutes(file), ...minimalRoutes(file)] }),
  ruby: rubyRoutes,
  php: (file) => ({ ...emptyTable, routes: [...laravelRoutes(file), ...annotatedRoutes(file)] }),
  go: (file) => ({ ...emptyTable, routes: goRoutes(file) })
}

export const routeLanguages: ReadonlySet<Language> = new Set(Object.keys(readers) as ReadonlyArray<Language>)

const read = (file: SourceFile): RouteTable => {
  const reader = readers[file.language]
  if (reader === undefined || !mentionsRoutes.test(file.text) || file.tree === null) return emptyTable
  const { routes, mounts, actions } = reader(file)
  return {
    routes: routes.slice(0, MAX_ROUTES),
    mounts: mounts.slice(0, MAX_ROUTES),
    actions: actions.slice(0, MAX_ROUTES)
  }
}

/**
 * HTTP routes that a file declares, in document order per kind, read once per file.
 *
 * - `routes`: method, path pattern, handler and guards of each; `asksWho(guard)` is true for those about identity.
 * - `mounts`: routers of other files put under a prefix.
 * - `actions`: controller actions and views that routes of other files lead to (Rails, Django).
 *
 * All of it is plain data. Return `routeFacts(table)` from `inspect`, and `finish` gets it back; there
 * `joinRoutes` puts prefixes, actions and guards of several files together. Node numbers are only good in `inspect`.
 */
export const routeTable = (file: SourceFile): RouteTable => file.memo(read, read)
