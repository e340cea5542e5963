import { Cause, Exit, Option } from "effect"
import { readMark } from "../../services/support/requestStatements.ts"
import type { RecordedSpan } from "./SpanTracer.ts"

type Value =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }

export interface KeyValue {
  readonly key: string
  readonly value: Value
}

const valueOf = (value: unknown): Value => {
  if (typeof value === "boolean") return { boolValue: value }
  if (typeof value === "number") return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value }
  return { stringValue: String(value) }
}

export const keyValues = (entries: Iterable<readonly [string, unknown]>): ReadonlyArray<KeyValue> =>
  Array.from(entries, ([key, value]) => ({ key, value: valueOf(value) }))

/** What may leave the service. Nothing else does, whatever a library writes on its spans. */
const exported: ReadonlySet<string> = new Set([
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "db.system.name",
  "db.namespace",
  "server.address",
  "server.port",
  "assay.job.id",
  "assay.job.run",
  "assay.job.stage",
  "assay.job.status",
  "assay.job.workflow",
  "assay.request.id",
  "assay.workspace.id"
])

interface StatementNames {
  readonly name: string
  readonly attributes: ReadonlyArray<readonly [string, string]>
}

const mostStatements = 1000
const knownStatements = new Map<string, StatementNames>()

const longestQuery = 1000

const describeStatement = (text: string): StatementNames => {
  const query = text
    .replaceAll(/\/\*.*?\*\/|--[^\n]*/gs, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
  const operation = /^\w+/.exec(query)?.[0].toUpperCase() ?? "QUERY"
  // What a statement writes says more about it than what it reads first.
  const table = (/\b(?:INSERT INTO|UPDATE|DELETE FROM) (?!SKIP|NOWAIT|OF\b)([\w.]+)/.exec(query) ??
    /\bFROM ([a-z_][\w.]*)/.exec(query))?.[1]
  return {
    name: table === undefined ? operation : `${operation} ${table}`,
    attributes: [
      ["db.operation.name", operation],
      ...(table === undefined ? [] : ([["db.collection.name", table]] as const)),
      // Its parameters are placeholders.
      ["db.query.text", query.slice(0, longestQuery)]
    ]
  }
}

/** Statements are few: their texts hold no values. Those of filters are more, and are not kept for ever. */
const statementNames = (marked: string): StatementNames => {
  const { text } = readMark(marked)
  const known = knownStatements.get(text)
  if (known !== undefined) return known
  const names = describeStatement(text)
  if (knownStatements.size < mostStatements) knownStatements.set(text, names)
  return names
}

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

const failed = 2

/** The name of what went wrong; its text may hold what a person has typed. */
const errorOf = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause)) return null
  const error = Cause.squash(exit.cause)
  if (typeof error !== "object" || error === null) return typeof error
  return "_tag" in error ? String(error._tag) : error instanceof Error ? error.name : "object"
}

const namesOf = ({ name, kind, attributes }: RecordedSpan): StatementNames => {
  const statement = attributes.get("db.query.text")
  if (typeof statement === "string") return statementNames(statement)
  const route = attributes.get("http.route")
  return { name: kind === "server" && route !== undefined ? `${name} ${String(route)}` : name, attributes: [] }
}

const toSpan = (span: RecordedSpan) => {
  const { status } = span
  if (status._tag !== "Ended") return []
  const { name, attributes } = namesOf(span)
  const error = errorOf(status.exit)
  const own = [...span.attributes].filter(([key]) => exported.has(key))
  const errorAttribute = error === null ? [] : ([["error.type", error]] as const)
  return [
    {
      traceId: span.traceId,
      spanId: span.spanId,
      ...(Option.isSome(span.parent) ? { parentSpanId: span.parent.value.spanId } : {}),
      flags: 1,
      name,
      kind: kinds[span.kind],
      startTimeUnixNano: `${status.startTime}`,
      endTimeUnixNano: `${status.endTime}`,
      attributes: keyValues([...own, ...attributes, ...errorAttribute]),
      ...(error === null ? {} : { status: { code: failed } })
    }
  ]
}

export interface Resource {
  readonly attributes: ReadonlyArray<KeyValue>
}

export const scope = { name: "assay" }

/** An `ExportTraceServiceRequest` in OTLP's JSON. */
export const spanDocument = (resource: Resource, spans: ReadonlyArray<RecordedSpan>) => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope: scope, spans: spans.flatMap(toSpan) }] }]
})
