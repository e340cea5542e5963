import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { HttpApiBuilder, HttpMiddleware, HttpRouter, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Deferred, Duration, Effect, Layer } from "effect"
import { AccountHandlers } from "../http/AccountHandlers.ts"
import { type AdminChecks, adminSite } from "../http/AdminSite.ts"
import { Api } from "../http/Api.ts"
import { ApiDocument } from "../http/ApiDocument.ts"
import { AuditLogHandlers } from "../http/AuditLogHandlers.ts"
import { AuthorizationLive } from "../http/admission.ts"
import { BoundedServer } from "../http/BoundedServer.ts"
import { ChangeReviewsHandlers } from "../http/ChangeReviewsHandlers.ts"
import { ContextHandlers, ProjectContextHandlers } from "../http/ContextHandlers.ts"
import { CredentialsHandlers } from "../http/CredentialsHandlers.ts"
import { DocsSite } from "../http/docs/DocsSite.ts"
import { edge } from "../http/edge.ts"
import { FixesHandlers } from "../http/FixesHandlers.ts"
import { ForecastsHandlers } from "../http/ForecastsHandlers.ts"
import { GitHubWebhook } from "../http/GitHubWebhook.ts"
import { IssueClaimsHandlers } from "../http/IssueClaimsHandlers.ts"
import { IssueRelationsHandlers } from "../http/IssueRelationsHandlers.ts"
import { IssuesHandlers } from "../http/IssuesHandlers.ts"
import { JobsHandlers } from "../http/JobsHandlers.ts"
import { KeysHandlers } from "../http/KeysHandlers.ts"
import { leanly, middleware } from "../http/leanContext.ts"
import { MembersHandlers } from "../http/MembersHandlers.ts"
import { MissionsHandlers } from "../http/MissionsHandlers.ts"
import { NoticesHandlers } from "../http/NoticesHandlers.ts"
import { ObservationsHandlers } from "../http/ObservationsHandlers.ts"
import { OutboxHandlers } from "../http/OutboxHandlers.ts"
import { OverviewHandlers } from "../http/OverviewHandlers.ts"
import { noObserver, observedServer, type RequestObserver } from "../http/observedServer.ts"
import { ProjectsHandlers } from "../http/ProjectsHandlers.ts"
import { withProtocolErrors } from "../http/protocolErrors.ts"
import { RepositoriesHandlers } from "../http/RepositoriesHandlers.ts"
import { RulesHandlers } from "../http/RulesHandlers.ts"
import { SessionsHandlers } from "../http/SessionsHandlers.ts"
import { SignInLimitLive } from "../http/SignInLimit.ts"
import { SingleSignOnHandlers } from "../http/SingleSignOnHandlers.ts"
import { TrackersHandlers } from "../http/TrackersHandlers.ts"
import { TrendsHandlers } from "../http/TrendsHandlers.ts"
import { TriageHandlers } from "../http/TriageHandlers.ts"
import { ViewsHandlers } from "../http/ViewsHandlers.ts"
import { WebApp } from "../http/WebApp.ts"
import { WebhooksHandlers } from "../http/WebhooksHandlers.ts"
import { WorkspaceHandlers } from "../http/WorkspaceHandlers.ts"
import { McpServer } from "../mcp/McpServer.ts"
import { TurnScheduler } from "./TurnScheduler.ts"

export interface ListenOptions {
  readonly host: string
  readonly port: number
}

/** Where a server listens, as people type it. */
export const addressOf = (server: Server): string => {
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
}

const HandlersLive = Layer.mergeAll(
  SessionsHandlers,
  AccountHandlers,
  MembersHandlers,
  SingleSignOnHandlers,
  KeysHandlers,
  RepositoriesHandlers,
  OverviewHandlers,
  WorkspaceHandlers,
  TrendsHandlers,
  RulesHandlers,
  ProjectsHandlers,
  IssuesHandlers,
  IssueClaimsHandlers,
  IssueRelationsHandlers,
  ChangeReviewsHandlers,
  JobsHandlers,
  ObservationsHandlers,
  TrackersHandlers,
  ViewsHandlers,
  MissionsHandlers,
  NoticesHandlers,
  TriageHandlers,
  CredentialsHandlers,
  FixesHandlers,
  ForecastsHandlers,
  ContextHandlers,
  ProjectContextHandlers,
  OutboxHandlers,
  WebhooksHandlers,
  AuditLogHandlers
)

// The router's own defaults would serve `//API/jobs/` and refuse long names.
const routerConfig = HttpRouter.setRouterConfig({
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  maxParamLength: 2000
})

/** REST, MCP and the web app, without a server; needs the services. */
export const ApiLive = Layer.mergeAll(McpServer, WebApp, ApiDocument, GitHubWebhook, edge).pipe(
  Layer.provideMerge(HttpApiBuilder.api(Api)),
  Layer.provide(HandlersLive),
  Layer.provide([AuthorizationLive, SignInLimitLive])
)

/** How many requests are being worked on; shutting down waits for them. */
class InFlight extends Context.Tag("InFlight")<
  InFlight,
  { count: number; closing: boolean; readonly idle: Deferred.Deferred<void> }
>() {}

const countInFlight = middleware(
  Effect.map(
    InFlight,
    (state) => (app) =>
      // The framework's handling of a request is not interruptible outside its routes: no request leaves uncounted.
      Effect.suspend(() => {
        state.count++
        return Effect.ensuring(
          Effect.map(app, (response) =>
            state.closing ? HttpServerResponse.setHeader(response, "connection", "close") : response
          ),
          Effect.suspend(() => {
            state.count--
            return state.closing && state.count === 0 ? Deferred.succeed(state.idle, undefined) : Effect.void
          })
        )
      })
  )
)

const drainFor = Duration.seconds(10)

// Outermost, so that it runs first: no new connections, the requests under way finish, then all connections end.
const drain = (server: Server) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const state = yield* InFlight
      yield* Effect.addFinalizer(() =>
        Effect.gen(function* () {
          state.closing = true
          server.close()
          server.closeIdleConnections()
          if (state.count > 0) yield* Deferred.await(state.idle).pipe(Effect.timeoutOption(drainFor))
          server.closeAllConnections()
        })
      )
    })
  )

// The framework attaches its handler only after `listen`: everything else must be built before, hence innermost.
const listener = (server: Server, options: ListenOptions) => NodeHttpServer.layer(() => server, options)

// No upgrade is offered: without the framework's listener, Node serves such a request as if it had not asked for one.
const withoutUpgrades =
  (server: Server) =>
  <E, R>(served: Layer.Layer<never, E, R>) =>
    Layer.tap(served, () => Effect.sync(() => server.removeAllListeners("upgrade")))

/** What makes a span of each request, where requests are traced. */
type RequestSpans = typeof countInFlight extends Layer.Layer<infer _, infer E, unknown> ? Layer.Layer<never, E> : never

/** Fibers of requests leave the event loop the turns in which it accepts connections. */
const turns = (server: Server) =>
  Layer.unwrapEffect(
    Effect.sync(() => {
      const scheduler = new TurnScheduler()
      server.on("connection", () => scheduler.hurry())
      return Layer.setScheduler(scheduler)
    })
  )

/** The API's server; `server` is the caller's, so that its address can be read once the layer is built. */
export const apiServer = (server: Server, options: ListenOptions, spans: RequestSpans | null = null) =>
  drain(server).pipe(
    Layer.provideMerge(
      leanly(HttpApiBuilder.serve()).pipe(
        withoutUpgrades(server),
        // The framework's own span has the whole address and all headers.
        HttpMiddleware.withTracerDisabledWhen(() => true),
        // Without a collector nothing exports spans; logged causes name them without.
        Layer.provide(Layer.setTracerEnabled(spans !== null)),
        Layer.provide(listener(server, options)),
        Layer.provide(countInFlight),
        Layer.provide(spans ?? Layer.empty),
        Layer.provide(ApiLive),
        Layer.provide(routerConfig),
        Layer.provide(turns(server))
      )
    ),
    Layer.provide(
      Layer.effect(
        InFlight,
        Effect.map(Deferred.make<void>(), (idle) => ({ count: 0, closing: false, idle }))
      )
    )
  )

/** `apiUrl` is asked for late: the API's port may be known only once it listens. */
export const docsServer = (server: Server, options: ListenOptions, apiUrl: () => string) =>
  Layer.unwrapEffect(Effect.map(DocsSite(apiUrl), (site) => HttpServer.serve(site))).pipe(
    withoutUpgrades(server),
    Layer.provide(Layer.fresh(listener(server, options)))
  )

export const adminServer = (server: Server, options: ListenOptions, checks: AdminChecks) =>
  HttpServer.serve(adminSite(checks)).pipe(
    withoutUpgrades(server),
    Layer.provide(Layer.fresh(listener(server, options)))
  )

export const newServer = (observer: RequestObserver = noObserver): Server => {
  const server = new BoundedServer(
    {
      // Bodies are bounded in size; this bounds how slowly they may come.
      requestTimeout: 60_000,
      headersTimeout: 20_000,
      keepAliveTimeout: 65_000,
      // Node's own check returns no body: the edge checks the header.
      requireHostHeader: false
    },
    observer
  )
  return withProtocolErrors(observedServer(server, observer), observer)
}
