import { randomBytes } from "node:crypto"

/** What a child process reports of its time: it has no network, so its parent hands the spans on. */
export interface ChildSpan {
  readonly name: string
  readonly span_id: string
  readonly parent_span_id: string
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
}

export interface ChildSpans {
  /** The stage that begins ends the one before. */
  readonly stage: (name: string) => void
  /** All spans up to now, each after its parent. */
  readonly end: () => ReadonlyArray<ChildSpan>
}

const now = () => performance.timeOrigin + performance.now()

const newId = () => randomBytes(8).toString("hex")

/** Spans of this process and its stages below the span that `TRACEPARENT` names; null where nothing is traced. */
export const childSpans = (traceparent: string | undefined, process: string): ChildSpans | null => {
  const [, parent] = /^00-[\da-f]{32}-([\da-f]{16})-01$/.exec(traceparent ?? "") ?? []
  if (parent === undefined) return null
  const whole = { name: process, span_id: newId(), parent_span_id: parent, start: performance.timeOrigin }
  const stages: Array<Omit<ChildSpan, "end">> = []
  return {
    stage: (name) => stages.push({ name, span_id: newId(), parent_span_id: whole.span_id, start: now() }),
    end: () => {
      const last = now()
      return [{ ...whole, end: last }, ...stages.map((stage, at) => ({ ...stage, end: stages[at + 1]?.start ?? last }))]
    }
  }
}
