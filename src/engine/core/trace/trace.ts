import { Context, Effect, Exit, Option, Tracer } from "effect"
import type { ChildSpan } from "./childSpans.ts"

const traceparent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/

const sampledFlag = 1

/** The span that a W3C `traceparent` names; null where it is not one. */
export const parentOf = (text: string | null | undefined): Tracer.ExternalSpan | null => {
  const [, traceId, spanId, flags] = traceparent.exec(text ?? "") ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) === 1 })
}

const printed = ({ traceId, spanId, sampled }: Tracer.AnySpan) => `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`

/** The current span as a W3C `traceparent`; null where nothing is traced. */
export const currentTraceparent: Effect.Effect<string | null> = Effect.match(Effect.currentParentSpan, {
  onFailure: () => null,
  // The span of a tracer that is switched off has no valid IDs.
  onSuccess: (span) => (traceparent.test(printed(span)) ? printed(span) : null)
})

/** IDs of a span that are known before it begins; a tracer takes them from the span's context. */
export class KnownIds extends Context.Tag("KnownIds")<
  KnownIds,
  { readonly traceId: string; readonly spanId: string }
>() {}

/** In the context of a parent that no one has recorded: whether its trace is sampled is for the tracer to decide. */
export class UnsampledYet extends Context.Reference<UnsampledYet>()("UnsampledYet", { defaultValue: () => false }) {}

export const unsampledYet = Context.make(UnsampledYet, true) as Context.Context<never> // as a span's context is typed

export interface FinishedSpan {
  readonly name: string
  readonly kind: Tracer.SpanKind
  readonly traceId: string
  readonly spanId: string
  readonly parent: Option.Option<Tracer.AnySpan>
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Readonly<Record<string, unknown>>
}

const nanosOf = (millis: number) => BigInt(Math.round(millis * 1000)) * 1000n

/** Hands a span to the tracer that has ended already. */
export const recordSpan = ({ name, kind, traceId, spanId, parent, start, end, attributes }: FinishedSpan) =>
  Effect.map(Effect.tracer, (tracer) => {
    const ids = Context.make(KnownIds, { traceId, spanId }) as Context.Context<never> // as a span's context is typed
    const span = tracer.span(name, parent, ids, [], nanosOf(start), kind)
    for (const [key, value] of Object.entries(attributes)) span.attribute(key, value)
    span.end(nanosOf(end), Exit.void)
  })

const mostSpans = 50

const isSpan = (span: ChildSpan) =>
  /^[\w ./-]{1,80}$/.test(span.name) &&
  /^[\da-f]{16}$/.test(span.span_id) &&
  [span.start, span.end].every((time) => Number.isFinite(time) && time > 0)

/** Records what a child process reports of its own spans. The child reads untrusted code: what it reports is checked. */
export const recordChildSpans = (spans: ReadonlyArray<ChildSpan>) =>
  Effect.flatMap(Effect.option(Effect.currentParentSpan), (current) => {
    if (Option.isNone(current) || !Array.isArray(spans)) return Effect.void
    const { traceId, sampled } = current.value
    const known = new Map<string, Tracer.AnySpan>([[current.value.spanId, current.value]])
    return Effect.forEach(
      spans.slice(0, mostSpans).filter(isSpan),
      ({ name, span_id: spanId, parent_span_id, start, end }) => {
        const parent = known.get(parent_span_id)
        if (parent === undefined) return Effect.void
        known.set(spanId, Tracer.externalSpan({ traceId, spanId, sampled }))
        return recordSpan({
          name,
          kind: "internal",
          traceId,
          spanId,
          parent: Option.some(parent),
          start,
          end,
          attributes: {}
        })
      },
      { discard: true }
    )
  })
