import { createServer } from "node:http"
import { connect } from "node:net"
import { Effect, type Scope } from "effect"
import { listening } from "./gitServer.ts"

export interface ConnectProxy {
  readonly url: string
  /** What clients asked for: `host:port`, and what they said to be allowed to. */
  readonly requests: Array<{ readonly target: string; readonly authorization: string | undefined }>
}

/** A proxy that leads every tunnel to this machine, whatever name it is for: the tests' names exist nowhere else. */
export const aConnectProxy = (login?: string): Effect.Effect<ConnectProxy, never, Scope.Scope> =>
  Effect.suspend(() => {
    const requests: ConnectProxy["requests"] = []
    const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`
    const server = createServer((_, response) => response.writeHead(405).end())
    server.on("connect", (request, socket, head) => {
      const authorization = request.headers["proxy-authorization"]
      requests.push({ target: request.url ?? "", authorization })
      if (expected !== undefined && authorization !== expected) {
        socket.end('HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n')
        return
      }
      const port = Number(request.url?.split(":").at(-1))
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
        onward.write(head)
        onward.pipe(socket).pipe(onward)
      })
      onward.on("error", () => socket.destroy())
      socket.on("error", () => onward.destroy())
    })
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    return Effect.map(listening(server, close), (port) => ({ url: `http://127.0.0.1:${port}`, requests }))
  })
