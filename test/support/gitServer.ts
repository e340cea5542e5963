import { Buffer } from "node:buffer"
import { execFileSync, spawn } from "node:child_process"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

/** A server on a loopback port for the time of the scope; gives its port. */
export const listening = (server: Server, close: () => void): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      () => Effect.sync(close)
    ),
    () => (server.address() as AddressInfo).port
  )

/** An HTTP server on a loopback port for the time of the scope; gives its port. */
export const aServer = (answer: RequestListener): Effect.Effect<number, never, Scope.Scope> =>
  Effect.suspend(() => {
    const server = createServer(answer)
    return listening(server, () => {
      server.closeAllConnections()
      server.close()
    })
  })

/** The same over TLS. */
export const aSecureServer = (
  certificate: { readonly key: string; readonly cert: string },
  answer: RequestListener
): Effect.Effect<number, never, Scope.Scope> =>
  Effect.suspend(() => {
    const server = createSecureServer({ ...certificate }, answer)
    return listening(server, () => {
      server.closeAllConnections()
      server.close()
    })
  })

/** A TCP server on a loopback port for the time of the scope; gives its port. */
export const aListener = (accept: (socket: Socket) => void): Effect.Effect<number, never, Scope.Scope> =>
  Effect.suspend(() => {
    const server = createTcpServer(accept)
    return listening(server, () => server.close())
  })

/** Serves the repositories under a folder the way a code host does: git's own program behind HTTP. */
export const servesGit = (folder: string, environment: Readonly<Record<string, string>> = {}): RequestListener => {
  const program = join(execFileSync("git", ["--exec-path"]).toString().trim(), "git-http-backend")
  return (request, response) => {
    const url = new URL(request.url ?? "/", "http://local")
    const child = spawn(program, [], {
      env: {
        PATH: process.env.PATH ?? "",
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "safe.directory",
        GIT_CONFIG_VALUE_0: "*",
        GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
        REQUEST_METHOD: request.method ?? "GET",
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers["content-type"] ?? "",
        HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
        REMOTE_ADDR: "127.0.0.1",
        ...environment
      },
      stdio: ["pipe", "pipe", "ignore"]
    })
    // Clients close early; that is theirs to do.
    child.stdin.on("error", () => {})
    pipe(request, response, child)
  }
}

const pipe = (request: IncomingMessage, response: ServerResponse, child: ReturnType<typeof spawn>): void => {
  if (child.stdin === null || child.stdout === null) throw new Error("no pipes")
  request.pipe(child.stdin)
  let head: Buffer = Buffer.alloc(0)
  let started = false
  child.stdout.on("data", (chunk: Buffer) => {
    if (started) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf("\r\n\r\n")
    if (end === -1) return
    started = true
    for (const line of head.toString("latin1", 0, end).split("\r\n")) {
      const [name = "", value = ""] = line.split(": ")
      if (name === "Status") response.statusCode = Number(value.slice(0, 3))
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
  })
  child.stdout.on("end", () => response.end())
}
