import type { MetricObjectWithValues, MetricValue } from "prom-client"
import { type KeyValue, keyValues, type Resource, scope } from "./spanDocument.ts"

/** Prometheus' metrics that have a name in the semantic conventions. */
const conventional: Readonly<Record<string, { readonly name: string; readonly unit: string }>> = {
  http_request_duration_seconds: { name: "http.server.request.duration", unit: "s" },
  http_requests_in_flight: { name: "http.server.active_requests", unit: "{request}" },
  assay_database_connections: { name: "db.client.connection.count", unit: "{connection}" },
  process_cpu_seconds_total: { name: "process.cpu.time", unit: "s" },
  process_resident_memory_bytes: { name: "process.memory.usage", unit: "By" }
}

const conventionalLabels: Readonly<Record<string, string>> = {
  method: "http.request.method",
  route: "http.route",
  status: "http.response.status_code",
  pool: "db.client.connection.pool.name",
  state: "db.client.connection.state"
}

type Values = MetricObjectWithValues<MetricValue<string>>

interface Named {
  readonly name: string
  readonly unit: string
  readonly attributesOf: (labels: MetricValue<string>["labels"]) => ReadonlyArray<KeyValue>
}

const attributesBy = (nameOf: (label: string) => string) => (labels: MetricValue<string>["labels"]) =>
  keyValues(
    Object.entries(labels)
      .filter(([label]) => label !== "le")
      .map(([label, value]) => [
        nameOf(label),
        label === "status" && /^\d+$/.test(String(value)) ? Number(value) : value
      ])
  )

/** Of the metrics of Node itself, those that the conventions name are enough. */
const nameOf = (metric: string): Named | null => {
  const known = conventional[metric]
  if (known !== undefined)
    return { ...known, attributesOf: attributesBy((label) => conventionalLabels[label] ?? label) }
  if (!metric.startsWith("assay_")) return null
  const [, name = metric, unit] = /^(.*?)(?:_(seconds))?(?:_total)?$/.exec(metric) ?? []
  return {
    name: name.replace("_", "."),
    unit: unit === undefined ? "1" : "s",
    attributesOf: attributesBy((label) => `assay.${label}`)
  }
}

const cumulative = 2

interface Period {
  readonly start: string
  readonly end: string
}

const pointTime = ({ start, end }: Period) => ({ startTimeUnixNano: start, timeUnixNano: end })

/** Prometheus counts each bucket with those below it, OTLP without. */
const histogramPoints = ({ values }: Values, { attributesOf }: Named, period: Period) => {
  const series = new Map<
    string,
    { key: ReadonlyArray<KeyValue>; le: Map<number, number>; sum: number; count: number }
  >()
  for (const { labels, value, metricName = "" } of values as ReadonlyArray<
    MetricValue<string> & { readonly metricName?: string }
  >) {
    const key = attributesOf(labels)
    const id = JSON.stringify(key)
    const one = series.get(id) ?? { key, le: new Map<number, number>(), sum: 0, count: 0 }
    series.set(id, one)
    if (metricName.endsWith("_sum")) one.sum = value
    else if (metricName.endsWith("_count")) one.count = value
    else one.le.set(labels.le === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels.le), value)
  }
  return Array.from(series.values(), ({ key, le, sum, count }) => {
    const bounds = [...le.keys()].sort((a, b) => a - b)
    const below = bounds.map((bound) => le.get(bound) ?? 0)
    return {
      ...pointTime(period),
      attributes: key,
      count: `${count}`,
      sum,
      explicitBounds: bounds.filter(Number.isFinite),
      bucketCounts: below.map((total, at) => `${total - (below[at - 1] ?? 0)}`)
    }
  })
}

const numberPoints = ({ values }: Values, { attributesOf }: Named, period: Period) =>
  values.map(({ labels, value }) => ({ ...pointTime(period), attributes: attributesOf(labels), asDouble: value }))

const toMetric = (metric: Values, period: Period): ReadonlyArray<object> => {
  const named = nameOf(metric.name)
  if (named === null || metric.values.length === 0) return []
  const { name, unit } = named
  const about = { name, unit, description: metric.help }
  // prom-client names types by numbers in its types, and by words at run time.
  switch (String(metric.type)) {
    case "histogram":
      return [
        {
          ...about,
          histogram: { aggregationTemporality: cumulative, dataPoints: histogramPoints(metric, named, period) }
        }
      ]
    case "counter":
      return [
        {
          ...about,
          sum: {
            aggregationTemporality: cumulative,
            isMonotonic: true,
            dataPoints: numberPoints(metric, named, period)
          }
        }
      ]
    default:
      return [{ ...about, gauge: { dataPoints: numberPoints(metric, named, period) } }]
  }
}

/** An `ExportMetricsServiceRequest` in OTLP's JSON, of the same numbers that Prometheus reads. */
export const metricDocument = (resource: Resource, metrics: ReadonlyArray<Values>, period: Period) => ({
  resourceMetrics: [
    { resource, scopeMetrics: [{ scope: scope, metrics: metrics.flatMap((one) => toMetric(one, period)) }] }
  ]
})
