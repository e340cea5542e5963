import { readFileSync } from "node:fs"
import { SqlClient } from "@effect/sql"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "yaml"
import { metrics } from "../../src/layers/metrics.ts"
import { JobStatus } from "../../src/schema/Job.ts"
import { ObservationStatus } from "../../src/schema/Observation.ts"
import { aFolder } from "../support/gitRepository.ts"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")

interface Rule {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
}
interface Dashboard {
  readonly panels: ReadonlyArray<{ readonly id: number; readonly targets: ReadonlyArray<{ readonly expr: string }> }>
}

const { groups } = parse(read("deploy/monitoring/alerts.yaml")) as {
  readonly groups: ReadonlyArray<{ readonly rules: ReadonlyArray<Rule> }>
}
const rules = groups.flatMap(({ rules }) => rules)
const { panels } = JSON.parse(read("deploy/monitoring/grafana-dashboard.json")) as Dashboard
const adapter = parse(read("deploy/monitoring/prometheus-adapter.yaml")) as {
  readonly rules: {
    readonly external: ReadonlyArray<{
      readonly seriesQuery: string
      readonly metricsQuery: string
      readonly name: { readonly as: string }
    }>
  }
}

const expressions = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...adapter.rules.external.flatMap(({ seriesQuery, metricsQuery }) => [seriesQuery, metricsQuery])
]

/** Functions, operators and modifiers of PromQL that the expressions use. */
const language = new Set("sum max min rate increase histogram_quantile topk time vector by and or on".split(" "))

const strings = /"[^"]*"/g
const grouping = /\bby\s*\(([^)]*)\)/g
const selector = /([a-zA-Z_:][\w:]*)\{([^}]*)\}/g
const matcher = /(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g

/** Names of series: what is left of an expression without strings, labels and words of the language. */
const seriesIn = (expression: string) =>
  [
    ...expression
      .replace(strings, '""')
      .replace(grouping, " ")
      .replace(/\{[^}]*\}|\[[^\]]*\]/g, " ")
      .matchAll(/[a-zA-Z_:][\w:]*/g)
  ]
    .map(([name]) => name)
    .filter((name) => !language.has(name))

const withoutSuffix = (name: string) => name.replace(/_(?:bucket|count|sum)$/, "")

/** Labels by metric, as the operator's guide lists them; a test compares its names with those of the service. */
const documented = new Map(
  [...read("docs/operations.md").matchAll(/^\| `((?:http|assay)_[a-z_]+)` \|([^|]*)\|/gm)].map(
    ([, name = "", labels = ""]) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label)] as const
  )
)
/** Set by Prometheus itself. */
const ofPrometheus = ["job", "instance", "le"]

const noDatabase = (() => Effect.die("no database")) as unknown as SqlClient.SqlClient // Names need no rows.

it.effect("dashboard, alerts and the autoscaling metric name only metrics that the service exposes", () =>
  Effect.gen(function* () {
    const { text } = yield* Effect.provideService(metrics(aFolder()), SqlClient.SqlClient, noDatabase)
    const served = new Set([...(yield* text).matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name))
    const recorded = new Set(rules.flatMap(({ record }) => (record === undefined ? [] : [record])))
    const unknown = expressions
      .flatMap(seriesIn)
      .filter((name) => name !== "up" && !recorded.has(name) && !served.has(name) && !served.has(withoutSuffix(name)))
    assert.deepStrictEqual(unknown, [])
    for (const name of documented.keys()) {
      assert.isTrue(
        panels.some(({ targets }) => targets.some(({ expr }) => seriesIn(expr).some((s) => withoutSuffix(s) === name))),
        `the dashboard lacks ${name}`
      )
    }
  })
)

it("selectors and groupings name labels that the metrics have", () => {
  for (const expression of expressions) {
    for (const [, series = "", matchers = ""] of expression.matchAll(selector)) {
      const labels = documented.get(withoutSuffix(series)) ?? []
      for (const [, label = ""] of matchers.matchAll(matcher)) {
        assert.include([...labels, ...ofPrometheus], label, `${series} in ${expression}`)
      }
    }
    const possible = seriesIn(expression).flatMap((series) => documented.get(withoutSuffix(series)) ?? [])
    for (const [, labels = ""] of expression.matchAll(grouping)) {
      for (const label of labels.split(",")) assert.include([...possible, ...ofPrometheus], label.trim(), expression)
    }
  }
})

it("selectors name states that jobs and observations have", () => {
  const states: Readonly<Record<string, ReadonlyArray<string>>> = {
    assay_jobs: JobStatus.literals,
    assay_jobs_ended_total: JobStatus.literals,
    assay_observations: ObservationStatus.literals
  }
  for (const expression of expressions) {
    for (const [, series = "", matchers = ""] of expression.matchAll(selector)) {
      for (const [, label, value = ""] of matchers.matchAll(matcher)) {
        if (label === "status" && states[series] !== undefined) assert.include(states[series], value, expression)
      }
    }
  }
})

it("what every process counts in the one database is never summed over processes", () => {
  const shared = /^assay_(?:jobs|jobs_ended_total|queue_age_seconds|observations|outbox_mails)$/
  for (const expression of expressions) {
    for (const [, aggregate, series = ""] of expression.matchAll(
      /\b(sum|max|min)(?:\s+by\s*\([^)]*\))?\s*\((?:\w+\()?(\w+)/g
    )) {
      if (shared.test(series)) assert.strictEqual(aggregate, "max", expression)
    }
  }
})

it("the worker's autoscaling asks for the metric that the adapter serves", () => {
  const { worker } = parse(read("deploy/helm/assay/values.yaml")) as {
    readonly worker: { readonly autoscaling: { readonly metricName: string } }
  }
  assert.deepStrictEqual(
    adapter.rules.external.map(({ name }) => name.as),
    [worker.autoscaling.metricName]
  )
})

it("every alert says what it means and what to do", () => {
  const guide = read("docs/deployment.md")
  for (const { alert } of rules) if (alert !== undefined) assert.include(guide, `\`${alert}\``)
  assert.strictEqual(new Set(panels.map(({ id }) => id)).size, panels.length)
})
