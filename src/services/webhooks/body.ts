import type { Priority } from "../../schema/Observation.ts"
import type { JsonObject } from "../../schema/Text.ts"
import { isRecord } from "../support/isRecord.ts"

/** Bytes that a body has at most. */
export const maxBody = 20_000

/** An event as it is stored: its addresses are paths, and of observations those of every priority are named. */
export interface StoredEvent {
  readonly type: string
  readonly at: string
  readonly data: JsonObject
  /** The endpoint's filter when the event was written. */
  readonly min_priority: Priority | null
}

/** What is posted: refs, states and links, the same for every attempt. */
export const bodyOf = ({ type, at, data, min_priority }: StoredEvent, site: string): string => {
  const textOf = (content: JsonObject) => JSON.stringify({ type, timestamp: at, data: withLinks(content, site) })
  if (!isRecord(data.by_priority) || !Array.isArray(data.observations)) return textOf(data)
  const { by_priority, observations, ...rest } = data
  const isSent = (priority: unknown) => min_priority === null || String(priority) <= min_priority
  const counts = Object.entries(by_priority as Readonly<Record<string, number>>).filter(([priority]) =>
    isSent(priority)
  )
  const named = (observations as ReadonlyArray<{ readonly priority: string }>).filter(({ priority }) =>
    isSent(priority)
  )
  const count = counts.reduce((sum, [, n]) => sum + n, 0)
  const withNamed = (n: number) =>
    textOf({ ...rest, count, by_priority: Object.fromEntries(counts), observations: named.slice(0, n) })
  return withNamed(mostThatFit(named.length, (n) => Buffer.byteLength(withNamed(n)) <= maxBody))
}

/** The greatest number up to `most` that fits, where fewer always fit when more do; 0 when none does. */
const mostThatFit = (most: number, fits: (n: number) => boolean): number => {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const withLinks = (value: unknown, site: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => withLinks(item, site))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === "url" && typeof item === "string" ? `${site}${item}` : withLinks(item, site)
    ])
  )
}
