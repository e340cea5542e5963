import { Effect, type Tracer } from "effect"
import { newRequestId } from "./RequestId.ts"

/** What the log and the metrics report of a request; the edge and the guard fill it in as they learn it. */
export interface RequestFacts {
  readonly requestId: string
  /** When the server saw it, on the clock of `performance.now`. */
  readonly arrivedAt: number
  /** Pattern of the route, never the address: that may hold names, and secrets of careless clients. */
  route: string | null
  /** The API key or the person, as a reader of the log knows them. */
  actor: string | null
  /** The caller's workspace, once the caller is known. */
  workspace: string | null
  /** Whether the response goes on until its client or its job ends. */
  isStream: boolean
  /** Headers of the response, whatever it turns out to be: those of the caller's limits. */
  headers: Readonly<Record<string, string>>
  /** Where requests are traced. */
  span: Tracer.Span | null
}

const known = new WeakMap<object, RequestFacts>()

/** The facts of a request, by Node's own object of it, which the framework calls unknown. */
export const factsOf = (source: unknown): RequestFacts => {
  const request = source as object
  const found = known.get(request)
  if (found !== undefined) return found
  const facts: RequestFacts = {
    requestId: newRequestId(),
    arrivedAt: performance.now(),
    route: null,
    actor: null,
    workspace: null,
    isStream: false,
    headers: {},
    span: null
  }
  known.set(request, facts)
  return facts
}

export const noteHeaders = (facts: RequestFacts, headers: RequestFacts["headers"]) =>
  Effect.sync(() => {
    facts.headers = headers
  })
