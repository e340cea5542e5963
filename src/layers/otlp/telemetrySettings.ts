import { Either, Redacted } from "effect"
import { listOf, matching, parsed, secret, setting, siteOf, switches, wholeNumber } from "../settingReaders.ts"

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export type SamplerName = (typeof samplers)[number]

/** `name=value,name=value`, with values percent-encoded; undefined where it is something else. */
const pairsOf = (text: string): ReadonlyArray<readonly [string, string]> | undefined => {
  const pairs = listOf(text, ",").map((item) => {
    const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(item) ?? []
    const decoded = Either.try(() => decodeURIComponent(value ?? ""))
    return name === undefined || Either.isLeft(decoded) ? undefined : ([name, decoded.right] as const)
  })
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined
}

export const headersOf = (text: Redacted.Redacted | null): Readonly<Record<string, string>> =>
  Object.fromEntries(text === null ? [] : (pairsOf(Redacted.value(text)) ?? []))

const collector = "an http:// or https:// address without a query or a user"
const exporter = parsed<"otlp", "otlp" | "none">(
  "otlp",
  (text) => (["otlp", "none"] as const).find((name) => name === text),
  "otlp or none"
)
const ratio = (text: string) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.test(text) ? Number(text) : undefined)

/** OpenTelemetry's own variables; see docs/telemetry.md. */
export const telemetrySettings = {
  otelEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "none",
    "OpenTelemetry collector (OTLP over HTTP) that gets traces and metrics; see [Telemetry](docs/telemetry.md).",
    parsed(null, siteOf, collector)
  ),
  otelTracesEndpoint: setting(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "`/v1/traces` below it",
    "Whole address for traces alone.",
    parsed(null, siteOf, collector)
  ),
  otelMetricsEndpoint: setting(
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "`/v1/metrics` below it",
    "Whole address for metrics alone.",
    parsed(null, siteOf, collector)
  ),
  otelHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "none",
    "Headers for the collector, `name=value` (comma-separated, values percent-encoded).",
    (name) => secret(name, (text) => pairsOf(text) !== undefined, "name=value pairs, comma-separated")
  ),
  otelProtocol: setting(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "`http/json`",
    "Only `http/json`, which every collector accepts on its HTTP port.",
    parsed("http/json", matching(/^http\/json$/), "http/json; collectors accept it where they accept http/protobuf")
  ),
  otelTimeoutMillis: setting(
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "`10000`",
    "Milliseconds that one export may take.",
    wholeNumber(10_000, 1)
  ),
  otelServiceName: setting(
    "OTEL_SERVICE_NAME",
    "`assay`",
    "Name of the service in traces and metrics.",
    parsed("assay", matching(/^[^\p{C}]{1,200}$/u), "a name of at most 200 characters")
  ),
  otelResourceAttributes: setting(
    "OTEL_RESOURCE_ATTRIBUTES",
    "none",
    "Attributes of every trace and metric, `name=value` (comma-separated, values percent-encoded).",
    parsed<ReadonlyArray<readonly [string, string]>, ReadonlyArray<readonly [string, string]>>(
      [],
      pairsOf,
      "name=value pairs, comma-separated"
    )
  ),
  otelSampler: setting(
    "OTEL_TRACES_SAMPLER",
    "`parentbased_always_on`",
    "Which traces are recorded: `always_on`, `always_off`, `traceidratio`, or one of these after `parentbased_`.",
    parsed<SamplerName, SamplerName>(
      "parentbased_always_on",
      (text) => samplers.find((name) => name === text),
      samplers.join(", ")
    )
  ),
  otelSamplerRatio: setting(
    "OTEL_TRACES_SAMPLER_ARG",
    "`1`",
    "Share of traces that `traceidratio` records, 0 to 1.",
    parsed(1, ratio, "a number from 0 to 1")
  ),
  otelTracesExporter: setting("OTEL_TRACES_EXPORTER", "`otlp`", "`none` sends no traces.", exporter),
  otelMetricsExporter: setting("OTEL_METRICS_EXPORTER", "`otlp`", "`none` sends no metrics.", exporter),
  otelMetricMillis: setting(
    "OTEL_METRIC_EXPORT_INTERVAL",
    "`60000`",
    "Milliseconds between two exports of metrics.",
    wholeNumber(60_000, 100)
  ),
  otelSpanMillis: setting(
    "OTEL_BSP_SCHEDULE_DELAY",
    "`5000`",
    "Milliseconds between two exports of spans.",
    wholeNumber(5_000, 10)
  ),
  otelQueueSize: setting(
    "OTEL_BSP_MAX_QUEUE_SIZE",
    "`2048`",
    "Spans that wait for the collector; further ones are dropped.",
    wholeNumber(2_048, 1)
  ),
  otelDisabled: setting(
    "OTEL_SDK_DISABLED",
    "`false`",
    "`true` switches traces and metrics off, whatever else is set.",
    parsed(false, (text) => switches[text.toLowerCase()], "true or false")
  )
} as const

type Telemetry = { readonly [K in keyof typeof telemetrySettings]: unknown }

/** Whether traces or metrics are sent anywhere. */
export const hasCollector = (config: Telemetry): boolean =>
  config.otelDisabled !== true &&
  [config.otelEndpoint, config.otelTracesEndpoint, config.otelMetricsEndpoint].some((address) => address !== null)
