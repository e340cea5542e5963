import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { ApiError } from "../schema/ApiError.ts"
import {
  BadRequest,
  ExpectationFailed,
  HeadersTooLarge,
  MethodNotAllowed,
  PayloadTooLarge,
  RequestTimeout
} from "../schema/Errors.ts"
import { factsOf } from "../services/support/RequestFacts.ts"
import { newRequestId } from "../services/support/RequestId.ts"
import { type RequestObserver, unhandled } from "./observedServer.ts"
import { type ErrorResponse, errorResponse } from "./wire.ts"

/** Node's code of what it cannot read, as an error of ours. */
const errorOf = (code: string | undefined): ApiError => {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new HeadersTooLarge({
        message: `The address and the headers of a request may have at most ${maxHeaderSize} bytes together.`,
        details: { limit: maxHeaderSize, unit: "bytes" }
      })
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new PayloadTooLarge({ message: "The extensions of a chunk are too long; send the body without them." })
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new RequestTimeout({ message: "The request took too long to arrive; send it again." })
    default:
      return new BadRequest({ message: "The request is not valid HTTP/1.1." })
  }
}

const closing = (error: ApiError, requestId: string): ErrorResponse => {
  const response = errorResponse(error, requestId)
  return { ...response, headers: { ...response.headers, connection: "close" } }
}

const lingerMillis = 1000

/** Writes a whole response and closes the connection. */
const endSocket = (socket: Duplex, { status, headers, text }: ErrorResponse) => {
  const fields = Object.entries({ ...headers, date: new Date().toUTCString() })
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${text}`)
  // Closing at once would reset the connection under a client that is still sending, and discard the response.
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}

const endResponse = (response: ServerResponse, { status, headers, text }: ErrorResponse) =>
  response.writeHead(status, headers).end(text)

/**
 * What Node rejects before any handler sees it gets the envelope, too: unreadable, late and oversized requests, unknown
 * expectations, and tunnels. A response under way is never written into: the error follows it.
 */
export const withProtocolErrors = (server: Server, { ended }: Pick<RequestObserver, "ended">): Server => {
  const underWay = new WeakMap<Duplex, Set<ServerResponse>>()
  const rejected = new WeakSet<Duplex>()

  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = underWay.get(socket) ?? new Set()
    underWay.set(socket, responses.add(response))
    response.once("close", () => responses.delete(response))
  })

  const rejectUnreadable = (socket: Duplex, error: ApiError) => {
    const requestId = newRequestId()
    const { status } = error.spec
    ended({ method: "", route: "unreadable", status, millis: 0, requestId, actor: null, isStream: false, span: null })
    endSocket(socket, closing(error, requestId))
  }

  const reject = (socket: Duplex, error: ApiError) => {
    const last = [...(underWay.get(socket) ?? [])].at(-1)
    if (last === undefined) return rejectUnreadable(socket, error)
    // The rest of the last request's body cannot be read: this error is its response, unless that has begun.
    if (!last.req.complete && !last.headersSent) {
      // A handler that reads the rest of the body would wait for ever.
      last.once("close", () => last.req.destroy())
      return endResponse(last, closing(error, factsOf(last.req).requestId))
    }
    last.once("close", () => {
      if (last.req.complete && socket.writable) rejectUnreadable(socket, error)
      else socket.destroy()
    })
  }

  server.on("clientError", ({ code }: NodeJS.ErrnoException, socket: Duplex) => {
    // Each further piece of an unreadable request is an error again.
    if (rejected.has(socket)) return
    rejected.add(socket)
    if (socket.writable && code !== "ECONNRESET") reject(socket, errorOf(code))
    else socket.destroy()
  })

  // A request like any other, but for its end: observers see it, handlers do not.
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    const error = new ExpectationFailed({ message: "Only the expectation 100-continue is known." })
    const { requestId } = factsOf(request)
    const { status } = error.spec
    ended(unhandled(request, { status, requestId }))
    endResponse(response, closing(error, requestId))
  })

  server.on("connect", (_: IncomingMessage, socket: Duplex) => {
    socket.on("error", () => socket.destroy())
    reject(socket, new MethodNotAllowed({ message: "CONNECT is not served: this is no proxy.", allow: [] }))
  })

  return server
}
