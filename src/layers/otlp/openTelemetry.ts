import type { IncomingMessage } from "node:http"
import { hostname } from "node:os"
import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { Clock, Context, Duration, Effect, Exit, Option, type Scope, type Tracer } from "effect"
import type { Registry } from "prom-client"
import { Trace } from "../../engine/index.ts"
import type { EndedRequest } from "../../http/observedServer.ts"
import { factsOf } from "../../services/support/RequestFacts.ts"
import type { AppConfig } from "../Config.ts"
import { extraAuthorities } from "../certificates.ts"
import { version } from "../version.ts"
import { batches, collectorOf } from "./collector.ts"
import { metricDocument } from "./metricDocument.ts"
import { type RecordedSpan, spanTracer } from "./SpanTracer.ts"
import { keyValues, type Resource, spanDocument } from "./spanDocument.ts"
import { headersOf } from "./telemetrySettings.ts"

export interface OpenTelemetry {
  /** Null where no traces are sent. */
  readonly traces: {
    readonly tracer: Tracer.Tracer
    readonly requests: typeof requestSpans
    readonly ended: (request: EndedRequest) => void
  } | null
  /** Sends the numbers of the registry now and then, for ever. */
  readonly sendMetrics: (registry: Registry, refresh: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
}

/** Where a signal goes; null where it is not sent. */
const addressOf = (exporter: "otlp" | "none", base: string | null, own: string | null, path: string) =>
  exporter === "none" ? null : (own ?? (base === null ? null : `${base}/v1/${path}`))

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** A span for each request, below the one that its `traceparent` names. */
const requestSpans = HttpApiBuilder.middleware(
  Effect.succeed((app) =>
    Effect.gen(function* () {
      const { method, source } = yield* HttpServerRequest.HttpServerRequest
      const { traceparent } = (source as IncomingMessage).headers
      const parent = Option.fromNullable(Trace.parentOf(Array.isArray(traceparent) ? null : traceparent))
      const facts = factsOf(source)
      const tracer = yield* Effect.tracer
      const span = tracer.span(
        methods.has(method) ? method : "HTTP",
        parent,
        Context.empty(),
        [],
        yield* Clock.currentTimeNanos,
        "server"
      )
      facts.span = span
      return yield* Effect.withParentSpan(app, span)
    })
  )
)

/** Ends the request's span once its response has been sent. */
const endRequestSpan = ({ span, method, route, status, requestId, millis }: EndedRequest): void => {
  if (span === null) return
  span.attribute("http.request.method", methods.has(method) ? method : "_OTHER")
  span.attribute("http.response.status_code", status)
  span.attribute("assay.request.id", requestId)
  if (route !== "unmatched") span.attribute("http.route", route)
  const end = span.status.startTime + BigInt(Math.round(millis * 1e6))
  span.end(end, status >= 500 ? Exit.fail({ _tag: `${status}` }) : Exit.void)
}

/** What the service sends to the collector that `OTEL_…` variables name. */
export const openTelemetry = Effect.fnUntraced(function* (config: AppConfig, role: string) {
  const named = [
    ["host.name", hostname()],
    ["process.pid", process.pid],
    ["service.version", version],
    ["assay.role", role],
    ...config.otelResourceAttributes.filter(([name]) => name !== "service.name"),
    ["service.name", config.otelServiceName]
  ] as const
  const resource: Resource = { attributes: keyValues(named) }
  const exporter = {
    headers: headersOf(config.otelHeaders),
    timeoutMillis: config.otelTimeoutMillis,
    extraAuthorities: yield* extraAuthorities(config.extraAuthorities)
  }
  const traces = addressOf(config.otelTracesExporter, config.otelEndpoint, config.otelTracesEndpoint, "traces")
  const metrics = addressOf(config.otelMetricsExporter, config.otelEndpoint, config.otelMetricsEndpoint, "metrics")

  const push =
    traces === null
      ? null
      : yield* batches<RecordedSpan>({
          ...exporter,
          url: traces,
          everyMillis: config.otelSpanMillis,
          queueSize: config.otelQueueSize,
          documentOf: (spans) => spanDocument(resource, spans)
        })

  const sendMetrics: OpenTelemetry["sendMetrics"] = Effect.fnUntraced(function* (registry, refresh) {
    if (metrics === null) return
    const collector = yield* Effect.acquireRelease(
      Effect.sync(() => collectorOf({ ...exporter, url: metrics })),
      ({ close }) => close
    )
    const start = `${yield* Clock.currentTimeNanos}`
    const send = Effect.gen(function* () {
      yield* refresh
      const values = yield* Effect.promise(() => registry.getMetricsAsJSON())
      const end = `${yield* Clock.currentTimeNanos}`
      yield* collector.post(metricDocument(resource, values, { start, end }))
    }).pipe(
      // The next one has newer numbers.
      Effect.catchAllCause((cause) => Effect.logDebug("Metrics could not be sent.", cause))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(send, Duration.millis(config.otelMetricMillis))))
  })

  const { otelSampler: sampler, otelSamplerRatio: ratio } = config
  return {
    traces:
      push === null
        ? null
        : { tracer: spanTracer({ sampler, ratio }, push), requests: requestSpans, ended: endRequestSpan },
    sendMetrics
  } satisfies OpenTelemetry
})
