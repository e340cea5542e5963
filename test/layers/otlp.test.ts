import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Option, Tracer } from "effect"
import { Trace } from "../../src/engine/index.ts"
import { batches } from "../../src/layers/otlp/collector.ts"
import { metricDocument } from "../../src/layers/otlp/metricDocument.ts"
import { type RecordedSpan, type SamplerOptions, spanTracer } from "../../src/layers/otlp/SpanTracer.ts"
import { spanDocument } from "../../src/layers/otlp/spanDocument.ts"
import { aCollector } from "../support/collector.ts"

const sampledParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

const recording = (options: Partial<SamplerOptions> = {}) => {
  const ended: Array<RecordedSpan> = []
  const tracer = spanTracer({ sampler: "parentbased_always_on", ratio: 1, ...options }, (span) => ended.push(span))
  return { tracer, ended }
}

const root = (tracer: Tracer.Tracer, parent: Tracer.AnySpan | null = null, kind: Tracer.SpanKind = "server") =>
  tracer.span("GET", Option.fromNullable(parent), Context.empty(), [], 0n, kind)

describe("a traceparent", () => {
  it("is read as W3C writes it, and nothing else is", () => {
    const parent = Trace.parentOf(sampledParent)
    assert.deepInclude(parent, {
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
      spanId: "00f067aa0ba902b7",
      sampled: true
    })
    assert.isFalse(Trace.parentOf(sampledParent.replace(/01$/, "00"))?.sampled)
    // A later version may append fields.
    assert.isNotNull(Trace.parentOf(`01${sampledParent.slice(2)}-more`))
    for (const text of [null, "", "00-1-2-01", sampledParent.toUpperCase(), `ff${sampledParent.slice(2)}`]) {
      assert.isNull(Trace.parentOf(text))
    }
    assert.isNull(Trace.parentOf(`00-${"0".repeat(32)}-00f067aa0ba902b7-01`))
  })
})

describe("the sampler", () => {
  it("follows the parent, and chooses where there is none", () => {
    const sampled = Trace.parentOf(sampledParent)!
    const unsampled = Trace.parentOf(sampledParent.replace(/01$/, "00"))!
    const choices = (options: Partial<SamplerOptions>) =>
      [null, sampled, unsampled].map((parent) => root(recording(options).tracer, parent).sampled)
    assert.deepStrictEqual(choices({}), [true, true, false])
    assert.deepStrictEqual(choices({ sampler: "parentbased_always_off" }), [false, true, false])
    assert.deepStrictEqual(choices({ sampler: "always_on" }), [true, true, true])
    assert.deepStrictEqual(choices({ sampler: "always_off" }), [false, false, false])
    assert.deepStrictEqual(choices({ sampler: "parentbased_traceidratio", ratio: 0 }), [false, true, false])
  })

  it("chooses a share of the traces by their IDs, the same in every process", () => {
    const { tracer } = recording({ sampler: "traceidratio", ratio: 0.25 })
    const spans = Array.from({ length: 4000 }, () => root(tracer))
    const share = spans.filter(({ sampled }) => sampled).length / spans.length
    assert.isTrue(share > 0.2 && share < 0.3, `${share}`)
    const again = recording({ sampler: "traceidratio", ratio: 0.25 }).tracer
    for (const span of spans.slice(0, 100)) {
      const parent = Tracer.externalSpan({ traceId: span.traceId, spanId: span.spanId })
      assert.strictEqual(root(again, parent).sampled, span.sampled)
    }
  })

  it("lets only requests and jobs begin a trace", () => {
    const { tracer } = recording()
    assert.isFalse(root(tracer, null, "internal").sampled)
    assert.isFalse(root(tracer, null, "client").sampled)
    assert.isTrue(root(tracer, null, "consumer").sampled)
  })
})

describe("a span document", () => {
  it("names statements by what they do and has no attribute beyond the list, and no text of an error", () => {
    const { tracer, ended } = recording()
    const parent = root(tracer)
    const statement = tracer.span("sql.execute", Option.some(parent), Context.empty(), [], 1n, "client")
    statement.attribute("db.query.text", "/* assay request 123 */\n/* prepared */ SELECT a FROM jobs j WHERE id = $1")
    statement.attribute("code.stacktrace", "/home/hunter2")
    statement.end(2n, Exit.fail(new Error("hunter2")))
    parent.attribute("http.route", "/api/jobs/:job_id")
    parent.attribute("http.request.header.authorization", "hunter2")
    parent.end(3n, Exit.void)
    const document = spanDocument({ attributes: [] }, ended)
    assert.notInclude(JSON.stringify(document), "hunter2")
    const [first, second] = document.resourceSpans[0]!.scopeSpans[0]!.spans
    assert.deepInclude(first, { name: "SELECT jobs", kind: 3, parentSpanId: parent.spanId, status: { code: 2 } })
    assert.deepInclude(first!.attributes, {
      key: "db.query.text",
      value: { stringValue: "SELECT a FROM jobs j WHERE id = $1" }
    })
    assert.deepInclude(first!.attributes, { key: "error.type", value: { stringValue: "Error" } })
    assert.deepInclude(second, { name: "GET /api/jobs/:job_id", kind: 2 })
  })
})

describe("a metric document", () => {
  it("has the numbers of Prometheus under the names of the conventions, buckets without those below", () => {
    const labels = { method: "GET", route: "/api/jobs", status: "200" }
    const bucket = (le: number | string, value: number) => ({
      labels: { ...labels, le },
      value,
      metricName: "http_request_duration_seconds_bucket"
    })
    const document = metricDocument(
      { attributes: [] },
      [
        {
          name: "http_request_duration_seconds",
          help: "",
          type: "histogram",
          aggregator: "sum",
          values: [
            bucket(0.1, 2),
            bucket(1, 5),
            bucket("+Inf", 6),
            { labels, value: 9, metricName: "http_request_duration_seconds_sum" },
            { labels, value: 6, metricName: "http_request_duration_seconds_count" }
          ]
        },
        {
          name: "assay_queue_age_seconds",
          help: "",
          type: "gauge",
          aggregator: "sum",
          values: [{ labels: {}, value: 7 }]
        },
        { name: "nodejs_version_info", help: "", type: "gauge", aggregator: "sum", values: [{ labels: {}, value: 1 }] }
      ] as unknown as Parameters<typeof metricDocument>[1], // its types number what the library names at run time
      { start: "1", end: "2" }
    )
    // As a collector reads it.
    const [histogram, gauge, ...more] = JSON.parse(JSON.stringify(document)).resourceMetrics[0].scopeMetrics[0].metrics
    assert.deepStrictEqual(more, [])
    assert.strictEqual(histogram.name, "http.server.request.duration")
    const [point] = histogram.histogram.dataPoints
    assert.deepInclude(point, { count: "6", sum: 9, explicitBounds: [0.1, 1], bucketCounts: ["2", "3", "1"] })
    assert.deepInclude(point.attributes, { key: "http.response.status_code", value: { intValue: "200" } })
    assert.deepInclude(gauge, { name: "assay.queue_age", unit: "s" })
  })
})

const until = (isSo: () => boolean) =>
  Effect.promise(async () => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5))
  })

const options = { headers: {}, extraAuthorities: null, timeoutMillis: 200, everyMillis: 20 }
const documentOf = (items: ReadonlyArray<number>) => ({ items })

describe("a collector", () => {
  it.scopedLive("that cannot be reached or never answers delays nothing, and what waits for it is bounded", () =>
    Effect.gen(function* () {
      const collector = yield* aCollector
      collector.state.answer = null
      const urls = [collector.url, "http://127.0.0.1:9"]
      for (const url of urls) {
        let built = 0
        const push = yield* batches<number>({
          ...options,
          url,
          queueSize: 100,
          documentOf: (items) => {
            built += items.length
            return {}
          }
        })
        for (let n = 0; n < 100_000; n++) push(n)
        yield* until(() => built > 0)
        assert.isAtMost(built, 100)
      }
    })
  )

  it.scopedLive("gets what it rejected for now once more, and the rest at the end", () =>
    Effect.gen(function* () {
      const collector = yield* aCollector
      collector.state.answer = { status: 503, headers: { "retry-after": "0.05" } }
      yield* Effect.scoped(
        Effect.gen(function* () {
          const push = yield* batches<number>({
            ...options,
            timeoutMillis: 5000,
            url: collector.url,
            queueSize: 10,
            documentOf
          })
          push(1)
          yield* until(() => collector.collected.length === 1)
          collector.state.answer = { status: 200 }
          yield* until(() => collector.collected.length === 2)
          push(2)
        })
      )
      assert.deepStrictEqual(
        collector.collected.map(({ text }) => JSON.parse(text).items),
        [[1], [1], [2]]
      )
    })
  )
})
