import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Tracer } from "effect"
import { factsOf, type RequestFacts } from "../services/support/RequestFacts.ts"

/** A request after its end. */
export interface EndedRequest {
  readonly method: string
  /** `unmatched` where no route is served, `unreadable` where there was no request to match. */
  readonly route: string
  /** 499, as proxies have it, when the client was gone before there was a response. */
  readonly status: number
  readonly millis: number
  readonly requestId: string
  readonly actor: string | null
  readonly isStream: boolean
  readonly span: Tracer.Span | null
}

/** One that ended before any handler saw it. */
export const unhandled = (
  { method = "" }: Pick<IncomingMessage, "method">,
  { status, requestId }: Pick<EndedRequest, "status" | "requestId">
): EndedRequest => ({
  method,
  route: "unmatched",
  status,
  millis: 0,
  requestId,
  actor: null,
  isStream: false,
  span: null
})

/** Receives the requests of a server. */
export interface RequestObserver {
  /** Those that are being worked on. */
  readonly underWay: Set<RequestFacts>
  readonly ended: (request: EndedRequest) => void
}

export const noObserver: RequestObserver = { underWay: new Set(), ended: () => undefined }

const gone = 499

/** Reports every request that reaches a handler, once, when its response has been sent or its client is gone. */
export const observedServer = (server: Server, { underWay, ended }: RequestObserver): Server =>
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const facts = factsOf(request)
    underWay.add(facts)
    response.once("close", () => {
      underWay.delete(facts)
      ended({
        method: request.method ?? "",
        route: facts.route ?? "unmatched",
        status: response.headersSent ? response.statusCode : gone,
        millis: performance.now() - facts.arrivedAt,
        requestId: facts.requestId,
        actor: facts.actor,
        isStream: facts.isStream,
        span: facts.span
      })
    })
  })
