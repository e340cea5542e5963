import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
  readonly status?: { readonly code: number }
}

export interface Collected {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly text: string
}

/** How the collector answers its next requests; `null` never answers. */
export type CollectorAnswer = { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null

const textOf = async (request: IncomingMessage) => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** An OpenTelemetry collector that keeps what it gets. */
export const aCollector = Effect.acquireRelease(
  Effect.promise(async () => {
    const collected: Array<Collected> = []
    const state: { answer: CollectorAnswer } = { answer: { status: 200 } }
    const server = createServer((request, response) => {
      void textOf(request).then((text) => {
        collected.push({ path: request.url ?? "", headers: request.headers, text })
        if (state.answer !== null) response.writeHead(state.answer.status, state.answer.headers).end("{}")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const spans = (): ReadonlyArray<CollectedSpan> =>
      collected
        .filter(({ path }) => path === "/v1/traces")
        .flatMap(({ text }) => JSON.parse(text).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap((scoped) => scoped.spans)
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { url, collected, spans, state, server }
  }),
  ({ server }) =>
    Effect.promise(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
)

/** Attributes of a span as plain values. */
export const attributesOf = ({ attributes }: CollectedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
