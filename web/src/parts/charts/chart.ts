import { scaleLinear } from "d3-scale"

/** One value of a chart: when it was, how much, in words, and the list that it counts. */
export interface Point {
  readonly at: string
  /** Null where there was nothing to measure. */
  readonly value: number | null
  readonly words: string
  readonly href?: string
}

export interface Series {
  readonly name: string
  readonly points: ReadonlyArray<Point>
  /** A value as the axis and the label at the end write it. */
  readonly format: (value: number) => string
}

export const margin = { top: 8, right: 96, bottom: 24, left: 44 } as const
export const chartHeight = 200

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })

/** A date as the axes write it: `24 Aug`. */
export const dayOf = (at: string): string => day.format(new Date(at))

/** The axis of values: from 0 to a round number, with three or four lines. */
export const valueAxis = (highest: number) => {
  const scale = scaleLinear([0, Math.max(highest, 1)], [chartHeight - margin.bottom, margin.top]).nice(4)
  const lines = scale.ticks(4)
  return { y: (value: number) => scale(value), lines: highest <= 4 ? lines.filter(Number.isInteger) : lines }
}

/** Where the bucket of an index stands. */
export const indexAxis = (count: number, width: number) => {
  const end = Math.max(width - margin.right, margin.left + 1)
  const scale = scaleLinear([0, Math.max(count - 1, 1)], [margin.left, end])
  return (index: number) => scale(index)
}

const pixelsPerDate = 110

/** Indices of the dates that have room on the axis; the first and the last are among them. */
export const shownDates = (count: number, width: number): ReadonlyArray<number> => {
  if (count <= 1) return count === 1 ? [0] : []
  const room = Math.max(2, Math.min(count, Math.floor((width - margin.left - margin.right) / pixelsPerDate) + 1))
  return Array.from({ length: room }, (_, n) => Math.round((n * (count - 1)) / (room - 1)))
}

const labelHeight = 16

/** Moves labels apart that would stand on each other; their order stays. Of equal ones the last is on top, as layers are. */
export const spreadLabels = (positions: ReadonlyArray<number>): ReadonlyArray<number> => {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || b - a)
  const moved = [...positions]
  let free = margin.top
  for (const index of order) {
    moved[index] = Math.max(moved[index] ?? 0, free)
    free = (moved[index] ?? 0) + labelHeight
  }
  const excess = free - labelHeight - (chartHeight - margin.bottom)
  return excess <= 0 ? moved : moved.map((position) => Math.max(margin.top, position - excess))
}
