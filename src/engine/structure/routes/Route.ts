export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | "ANY"

export type Framework =
  | "express"
  | "koa"
  | "fastify"
  | "hono"
  | "Effect HttpRouter"
  | "nest"
  | "next"
  | "fastapi"
  | "flask"
  | "django"
  | "spring"
  | "jax-rs"
  | "rails"
  | "sinatra"
  | "laravel"
  | "symfony"
  | "aspnet"
  | "gin"
  | "echo"
  | "chi"
  | "net/http"

/** A route as it is declared. Plain data: it may travel as a fact. Node numbers mean something in its own file only. */
export interface Route {
  readonly framework: Framework
  readonly method: Method
  /** With a leading slash, parameters as `{name}`, prefixes that the same file declares in front. */
  readonly path: string
  readonly params: ReadonlyArray<string>
  /** Router variable or controller class: routes of one group in one file are siblings. */
  readonly group: string
  /** Name of what answers, as far as it has one: `createOrder`, `OrdersController.create`, `orders#create`. */
  readonly handler: string | null
  /**
   * What runs before the handler, by name and without arguments: middleware, decorators, annotations, dependencies,
   * filters; those of the router or class included.
   */
  readonly guards: ReadonlyArray<string>
  /** Said to be open to everyone: `[AllowAnonymous]`, `@Public()`, `skip_before_action`, `except:`. */
  readonly isOpen: boolean
  /** Where it is declared. */
  readonly start: number
  readonly end: number
  /** The function that answers; -1 when this file does not hold it. */
  readonly handlerNode: number
  readonly handlerStart: number
  readonly handlerEnd: number
}

/** Routes of another file, put under a prefix: `app.use("/api", orders)`, `include_router(orders.router)`. */
export interface Mount {
  readonly prefix: string
  /** Import specifier or dotted module of what is mounted, as written; its local name where it is not imported. */
  readonly target: string
  readonly guards: ReadonlyArray<string>
}

/** A function that routes of another file lead to: an action of a controller, a view. */
export interface Action {
  readonly framework: Framework
  /** `orders#create`, `views.order_detail`, `OrderView.post`: what the routes file calls it. */
  readonly name: string
  readonly group: string
  readonly guards: ReadonlyArray<string>
  readonly isOpen: boolean
  /** Methods it is known to answer; empty when unknown. */
  readonly methods: ReadonlyArray<Method>
  readonly start: number
  readonly end: number
  readonly node: number
}

export interface RouteTable {
  readonly routes: ReadonlyArray<Route>
  readonly mounts: ReadonlyArray<Mount>
  readonly actions: ReadonlyArray<Action>
}

export const emptyTable: RouteTable = { routes: [], mounts: [], actions: [] }

/** Beyond this many routes a file is a generated client or an attack. */
export const MAX_ROUTES = 2_000

export const methodOf = (word: string): Method | null => {
  const upper = word.toUpperCase()
  if (/^(?:ANY|ALL|ROUTE|API_ROUTE|MATCH|HANDLE|HANDLEFUNC)$/.test(upper)) return "ANY"
  return /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(upper)
    ? (upper as Method)
    : upper === "DEL"
      ? "DELETE"
      : null
}

export const isMutating = (method: Method): boolean =>
  method === "POST" || method === "PUT" || method === "PATCH" || method === "DELETE"

const MAX_PATH = 400

/** `:id`, `<int:id>`, `{id:int}`, `[id]`, `(?P<id>\d+)` and `*` are all `{…}`. */
export const pathPattern = (...parts: ReadonlyArray<string>): string => {
  const joined = parts
    .map((part) => part.slice(0, MAX_PATH).replace(/^\^|\\Z$|\$$/g, ""))
    .map((part) => part.replace(/^\/+|\/+$/g, ""))
    .filter((part) => part !== "")
    .join("/")
  const plain = joined
    .replace(/\(\?P<(\w+)>[^)]*\)/g, "{$1}")
    .replace(/<(?:[^<>:]*:)?(\w+)>/g, "{$1}")
    .replace(/\[\[?(?:\.\.\.)?([\w-]+)\]\]?/g, "{$1}")
    .replace(/\{\*{0,2}(\w+)[^{}]*\}/g, "{$1}")
    .replace(/(^|[/.-]):(\w+)(?:\([^()]*\))?\??/g, "$1{$2}")
    .replace(/(^|\/)\*(\w*)/g, (_all, slash: string, name: string) => `${slash}{${name || "rest"}}`)
  return `/${plain}`
}

export const paramsOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

/** `requireAuth("admin")` -> `requireAuth`; `AuthGuard("jwt")` -> `AuthGuard`; anything longer is cut. */
export const guardName = (written: string): string =>
  written
    .slice(0, 120)
    .replace(/^(?:await|new)\s+/, "")
    .replace(/\([\s\S]*$/, "")
    .replace(/^[:@'"]|['"]$/g, "")
    .trim()

const identity =
  /auth(?!or(?:s|_?id|_?name)?$)|log_?in|signed_?in|logged|session|jwt|token|permission|role|admin|protect|guard|secured?$|acl$|policy|polic(?:y|ies)|rbac|owner|access|current_?user|user_?required|get_?user|require_?user|active_?user|principal|scope|ability|can_|^can[A-Z]|restrict|privilege|api_?key|verify|passport|member|superuser|staff|^Roles$|IsGranted|PreAuthorize/i
const otherwise =
  /^(?:csrf|xsrf|verify_authenticity|verify_?same|protect_from_forgery|rate|throttle|limit|parse|validate|cache|log(?:ger|ging)?$|logRequest|body|upload|cors|helmet|compression|skip|set_locale)|csrf|forgery|rate_?limit|throttl|captcha|author(?:s|_id)?$|session\(?$|cookie_?session|honeypot|oauth2_?callback|log_?in_?(?:page|form)|pagination|db_?session|get_?session|async_?session|session_?(?:dep|maker|local|factory)|SessionDep|get_db|unit_of_work/i

/** Whether a guard, by its name, asks who the caller is or what they may do. */
export const asksWho = (guard: string): boolean => {
  const name = guard.split(/[.:]/).at(-1) ?? guard
  return identity.test(name) && !otherwise.test(name)
}

/** What a file leaves for `joinRoutes`: nothing when it has no routes. */
export const routeFacts = (table: RouteTable): RouteTable | undefined =>
  table.routes.length + table.mounts.length + table.actions.length === 0 ? undefined : table
