import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { aServer } from "../gitServer.ts"

/** A request as a vendor gets it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** Instead of JSON. */
  readonly text?: string
}

/** What goes wrong once: another reply, or a connection that ends before or after the vendor did what it was asked for. */
export type Fault = {
  readonly when: (exchange: Exchange) => boolean
} & ({ readonly reply: Reply } | { readonly cut: "before" | "after" })

export interface Vendor {
  readonly url: string
  /** Everything that a real vendor would not have taken. */
  readonly problems: Array<string>
  readonly exchanges: Array<Exchange>
  readonly faults: Array<Fault>
}

export const isPost = ({ method }: Exchange) => method === "POST"
export const always = () => true

const received = (incoming: IncomingMessage): Promise<string> =>
  new Promise((resolve) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk) => chunks.push(chunk))
    incoming.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")))
  })

/** A server of the vendor for the time of the scope. */
export const aVendor = (answer: (exchange: Exchange, problem: (text: string) => void) => Reply | Promise<Reply>) =>
  Effect.gen(function* () {
    const problems: Array<string> = []
    const exchanges: Array<Exchange> = []
    const faults: Array<Fault> = []
    const port = yield* aServer(async (incoming, outgoing) => {
      const { pathname: path, searchParams: query } = new URL(incoming.url ?? "/", "http://vendor")
      const exchange: Exchange = {
        method: incoming.method ?? "",
        path,
        query,
        headers: incoming.headers,
        text: await received(incoming)
      }
      exchanges.push(exchange)
      const at = faults.findIndex(({ when }) => when(exchange))
      const [fault] = at < 0 ? [] : faults.splice(at, 1)
      if (fault !== undefined && "cut" in fault && fault.cut === "before") return void incoming.socket.destroy()
      const problem = (text: string) => void problems.push(`${exchange.method} ${exchange.path}: ${text}`)
      const own = async () => answer(exchange, problem)
      const reply =
        fault !== undefined && "reply" in fault
          ? fault.reply
          : await own().catch((error): Reply => {
              problem(String(error))
              return { status: 500 }
            })
      if (fault !== undefined && "cut" in fault) return void incoming.socket.destroy()
      const body = reply.text ?? (reply.json === undefined ? "" : JSON.stringify(reply.json))
      outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(body)
    })
    return { url: `http://127.0.0.1:${port}`, problems, exchanges, faults } satisfies Vendor
  })

/** A vendor and what it holds. */
export interface TicketServer extends Vendor {
  readonly tickets: () => ReadonlyArray<{ readonly key: string; readonly title: string; readonly body: string }>
  readonly comments: () => ReadonlyArray<string>
  /** Puts something there by another hand. */
  readonly plant: (title: string, body: string) => void
}

export const tokenOfTests = "lin_api_0123456789-secret-of-tests"
