import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { Context, Effect, Layer, Redacted } from "effect"
import { layerFromUrl } from "../../src/layers/Sql.ts"
import { Database, TestDatabase } from "./Database.ts"

/** A line to the database that a test can cut. */
export class Line extends Context.Tag("test/Line")<
  Line,
  {
    readonly port: number
    readonly cut: Effect.Effect<void>
    readonly restore: Effect.Effect<void>
    /** While it runs, connections stay open, and new ones open, but nothing passes. */
    readonly silenced: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>() {}

const target = (url: string) => {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get("host")
  return folder === null
    ? { host: hostname, port: Number(port || 5432) }
    : { path: `${folder}/.s.PGSQL.${port || 5432}` }
}

const line = Layer.scoped(
  Line,
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const sockets = new Set<Socket>()
    let isSilent = false
    const to = target(Redacted.value(url))
    const server = createServer((near) => {
      const far = connect(to)
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.on("error", () => undefined)
        socket.on("close", () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      // What comes in a silence is lost.
      near.on("data", (part) => isSilent || far.write(part))
      far.on("data", (part) => isSilent || near.write(part))
    })
    const listen = (port: number) =>
      Effect.async<number>((resume) => {
        server.listen(port, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
      })
    const cut = Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
      for (const socket of sockets) socket.destroy()
    })
    const port = yield* Effect.acquireRelease(listen(0), () => cut)
    const silent = (value: boolean) =>
      Effect.sync(() => {
        isSilent = value
      })
    const silenced = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(
        silent(true),
        () => effect,
        () => silent(false)
      )
    return { port, silenced, cut, restore: Effect.asVoid(listen(port)) }
  })
)

const throughLine = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const { port } = yield* Line
    const changed = new URL(Redacted.value(url))
    changed.searchParams.delete("host")
    changed.hostname = "127.0.0.1"
    changed.port = String(port)
    return layerFromUrl(Redacted.make(changed.href), { maxConnections: 5 })
  })
)

/** A database of its own, reached over a line that can be cut. */
export const DatabaseOverLine = throughLine.pipe(Layer.provideMerge(line), Layer.provideMerge(Database))
