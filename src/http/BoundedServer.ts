import { type IncomingMessage, Server, type ServerOptions, type ServerResponse } from "node:http"
import { ServerBusy } from "../schema/Errors.ts"
import { factsOf, type RequestFacts } from "../services/support/RequestFacts.ts"
import { CredentialWorkspaces, credentialOf } from "./CredentialWorkspaces.ts"
import { type AdmissionLimits, FairAdmission, type Verdicts } from "./FairAdmission.ts"
import { type RequestObserver, unhandled } from "./observedServer.ts"
import { errorResponse } from "./wire.ts"

/**
 * Four requests at once keep a core busy, and each is quick; more of them only take longer. At some hundred requests a
 * second, the last of those that wait does so for a quarter of a second. Where requests take longer than that, fewer wait,
 * so that each starts within a second.
 */
export const defaultLimits: AdmissionLimits = {
  slots: 6,
  slotMillis: 200,
  started: 128,
  waiting: 112,
  burstMillis: 1000,
  waitMillis: 1000
}

/** How often time alone may start or reject requests, while some wait. */
const advanceMillis = 50

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/**
 * A server that starts as many requests at once as it can work on, those of different workspaces in turn, and rejects what
 * would wait for too long. A rejection costs some hundredths of a request, as it comes before anything else of the request
 * is looked at: so a process keeps its pace when several times as many come.
 */
export class BoundedServer extends Server {
  private readonly admission: FairAdmission<RequestFacts>
  private readonly exchanges = new Map<RequestFacts, Exchange>()
  private readonly workspaces = new CredentialWorkspaces()
  private readonly observer: RequestObserver
  private timer: NodeJS.Timeout | null = null

  constructor(options: ServerOptions, observer: RequestObserver, limits: AdmissionLimits = defaultLimits) {
    super(options)
    this.observer = observer
    this.admission = new FairAdmission(limits)
  }

  // A listener could not keep the request from the listeners after it.
  override emit(event: string | symbol, ...args: ReadonlyArray<unknown>): boolean {
    if (event !== "request") return super.emit(event as never, ...(args as []))
    const [request, response] = args as [IncomingMessage, ServerResponse]
    const facts = factsOf(request)
    const credential = credentialOf(request)
    const flow = this.workspaces.of(credential)
    this.exchanges.set(facts, { request, response })
    response.once("close", () => {
      this.exchanges.delete(facts)
      if (facts.workspace !== null) this.workspaces.learn(credential, facts.workspace)
      this.apply(this.admission.end(facts, flow, performance.now()))
    })
    this.apply(this.admission.arrive(facts, flow, facts.arrivedAt))
    return true
  }

  private apply({ started, rejected }: Verdicts<RequestFacts>): void {
    for (const facts of rejected) this.reject(facts)
    for (const facts of started) {
      const { request, response } = this.exchanges.get(facts)!
      super.emit("request", request, response)
    }
    if (this.admission.isWaiting && this.timer === null) {
      this.timer = setTimeout(() => {
        this.timer = null
        this.apply(this.admission.advance(performance.now()))
      }, advanceMillis)
    }
  }

  private reject(facts: RequestFacts): void {
    const { request, response } = this.exchanges.get(facts)!
    const { requestId } = facts
    const error = new ServerBusy({ message: "The server is busy; try again in a second.", retryAfterSeconds: 1 })
    const { status, headers, text } = errorResponse(error, requestId)
    response.writeHead(status, headers).end(text)
    this.observer.ended({ ...unhandled(request, { status, requestId }), millis: performance.now() - facts.arrivedAt })
  }
}
