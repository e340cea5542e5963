import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { bucketsOf, startsOf } from "../../../src/services/overview/trendSeries.ts"

const now = Date.parse("2026-11-22T10:30:00.000Z") // a Sunday
const day = 24 * 60 * 60 * 1000
const at = (time: string) => Date.parse(time)
const buckets = (request: Partial<Parameters<typeof bucketsOf>[0]>) =>
  bucketsOf({ from: null, to: null, bucket: "day", now, ...request })

const instants = FastCheck.integer({ min: at("1900-01-01T00:00:00Z"), max: now })

describe("the buckets of a period", () => {
  it("are the last 30 days or 26 weeks without one, up to the end of today or Sunday", () => {
    assert.deepInclude(buckets({}), { from: "2026-10-24T00:00:00.000Z", to: "2026-11-23T00:00:00.000Z", count: 30 })
    assert.deepInclude(buckets({ bucket: "week" }), {
      from: "2026-05-25T00:00:00.000Z",
      to: "2026-11-23T00:00:00.000Z",
      count: 26
    })
  })

  it("leave out the day that starts at the end of the period", () => {
    const [from, to] = [at("2026-11-01T00:00:00Z"), at("2026-11-03T00:00:00Z")]
    assert.strictEqual(buckets({ from, to })?.to, "2026-11-03T00:00:00.000Z")
    assert.strictEqual(buckets({ from, to: to + 1 })?.to, "2026-11-04T00:00:00.000Z")
  })

  it("end with now, however late the period ends", () => {
    assert.deepStrictEqual(buckets({ to: now + 400 * day }), buckets({ to: now }))
  })

  it("are none where the period has no moment before now", () => {
    assert.isNull(buckets({ from: now }))
    assert.isNull(buckets({ from: now - day, to: now - day }))
    assert.isNull(buckets({ from: now + day, to: now + 2 * day }))
  })

  it.prop(
    "are whole, follow each other, hold the period and nothing more, and start on Mondays when they are weeks",
    { from: instants, to: instants, bucket: FastCheck.constantFrom("day" as const, "week" as const) },
    ({ from, to, bucket }) => {
      const found = bucketsOf({ from, to, bucket, now })
      if (found === null) return assert.isAtLeast(from, to)
      const size = found.days * day
      const starts = startsOf(found).map(at)
      assert.strictEqual(starts.length, found.count)
      assert.isTrue(starts.every((start, index) => start === starts[0]! + index * size))
      assert.isTrue(starts[0]! <= from && from < starts[0]! + size)
      assert.isTrue(starts.at(-1)! < to && to <= at(found.to))
      assert.strictEqual(at(found.to), starts.at(-1)! + size)
      assert.strictEqual(starts[0]! % day, 0)
      if (bucket === "week") assert.strictEqual(new Date(starts[0]!).getUTCDay(), 1)
    }
  )
})
