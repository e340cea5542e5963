import { randomFillSync } from "node:crypto"
import { Context, type Exit, Option, Tracer } from "effect"
import { Trace } from "../../engine/index.ts"
import type { SamplerName } from "./telemetrySettings.ts"

export interface SamplerOptions {
  readonly sampler: SamplerName
  readonly ratio: number
}

/** Whether a trace is recorded that begins here. The last 7 bytes of its ID are random by W3C's rules. */
const isChosen = ({ sampler, ratio }: SamplerOptions, traceId: string): boolean => {
  if (sampler.endsWith("always_on")) return true
  if (sampler.endsWith("always_off")) return false
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** Hexadecimal digits; a call to the system for each would cost more than the span. */
const randomId = (bytes: number): string => {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += bytes
  return pool.toString("hex", used - bytes, used)
}

type SpanOptions = Pick<Tracer.Span, "name" | "traceId" | "spanId" | "parent" | "context" | "links" | "kind"> & {
  readonly startTime: bigint
}

/** A span whose trace is not recorded: it only carries the IDs on. */
class UnsampledSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly sampled: boolean = false
  readonly attributes: ReadonlyMap<string, unknown> = new Map()
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  status: Tracer.SpanStatus

  constructor({ startTime, ...options }: SpanOptions) {
    this.name = options.name
    this.traceId = options.traceId
    this.spanId = options.spanId
    this.parent = options.parent
    this.context = options.context
    this.links = options.links
    this.kind = options.kind
    this.status = { _tag: "Started", startTime }
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>) {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
  }

  attribute(_key: string, _value: unknown) {}

  event() {}

  addLinks() {}
}

export class RecordedSpan extends UnsampledSpan {
  override readonly sampled = true
  override readonly attributes = new Map<string, unknown>()
  private readonly ended: (span: RecordedSpan) => void

  constructor(options: SpanOptions, ended: (span: RecordedSpan) => void) {
    super(options)
    this.ended = ended
  }

  override attribute(key: string, value: unknown) {
    this.attributes.set(key, value)
  }

  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>) {
    if (this.status._tag === "Ended") return
    super.end(endTime, exit)
    this.ended(this)
  }
}

/** Only requests and jobs begin traces: what loops do in the background would hide them. */
const beginsTraces: ReadonlySet<Tracer.SpanKind> = new Set(["server", "consumer"])

/** Makes spans of the traces that the sampler chooses, and hands each to `ended` at its end. */
export const spanTracer = (options: SamplerOptions, ended: (span: RecordedSpan) => void): Tracer.Tracer => {
  const isParentBased = options.sampler.startsWith("parentbased_")

  const isSampled = (parent: Option.Option<Tracer.AnySpan>, kind: Tracer.SpanKind, traceId: string): boolean => {
    if (Option.isNone(parent)) return beginsTraces.has(kind) && isChosen(options, traceId)
    const { _tag, sampled, context } = parent.value
    if (_tag === "Span") return sampled
    return isParentBased && !Context.get(context, Trace.UnsampledYet) ? sampled : isChosen(options, traceId)
  }

  return Tracer.make({
    span: (name, parent, context, links, startTime, kind) => {
      const known = Option.getOrNull(Context.getOption(context, Trace.KnownIds))
      const traceId = known?.traceId ?? (Option.isSome(parent) ? parent.value.traceId : randomId(16))
      const spanId = known?.spanId ?? randomId(8)
      const span: SpanOptions = { name, traceId, spanId, parent, context, links, startTime, kind }
      return isSampled(parent, kind, traceId) ? new RecordedSpan(span, ended) : new UnsampledSpan(span)
    },
    context: (run) => run()
  })
}
