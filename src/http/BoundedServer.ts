import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import { ServerBusy } from "../schema/Errors.ts"
import { factsOf, type RequestFacts } from "../services/support/RequestFacts.ts"
import { type RequestObserver, unhandled } from "./observedServer.ts"
import { errorResponse } from "./wire.ts"

/** Requests that are worked on at once: at some hundred a second, the last of these waits for a quarter of a second. */
export const mostInFlight = 128

/**
 * A server that rejects what it would only let wait. A rejection costs some hundredths of a request, as it comes before
 * anything else of the request is looked at: so a process keeps its pace when several times as many come. Event streams,
 * which have a limit of their own, do not count.
 */
export class BoundedServer extends Server {
  private readonly inFlight = new Set<RequestFacts>()

  private readonly observer: RequestObserver

  constructor(options: ServerOptions, observer: RequestObserver) {
    super(options)
    this.observer = observer
  }

  // A listener could not keep the request from the listeners after it.
  override emit(event: string | symbol, ...args: ReadonlyArray<unknown>): boolean {
    if (event !== "request") return super.emit(event as never, ...(args as []))
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const facts = factsOf(request)
    if (this.isFull()) {
      this.reject(request, response, facts)
      return true
    }
    this.inFlight.add(facts)
    response.once("close", () => this.inFlight.delete(facts))
    return super.emit(event, request, response)
  }

  private isFull(): boolean {
    const { inFlight } = this
    if (inFlight.size < mostInFlight) return false
    return [...inFlight].reduce((count, { isStream }) => count + (isStream ? 0 : 1), 0) >= mostInFlight
  }

  private reject(request: IncomingMessage, response: ServerResponse, { requestId }: RequestFacts): void {
    const error = new ServerBusy({ message: "The server is busy; try again in a second.", retryAfterSeconds: 1 })
    const { status, headers, text } = errorResponse(error, requestId)
    response.writeHead(status, headers).end(text)
    this.observer.ended(unhandled(request, { status, requestId }))
  }
}
