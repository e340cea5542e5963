import { assert, describe, it } from "@effect/vitest"
import type { Observation } from "../../web/src/api/observations.ts"
import { filterOf, requestOf } from "../../web/src/views/triage/address.ts"
import { arrange, moved, nearestRow } from "../../web/src/views/triage/arrange.ts"
import { isSameView, viewQuery, viewSearch } from "../../web/src/views/triage/viewSearch.ts"

const row = (ref: string, rule_id: string) => ({ ref, rule_id }) as Observation

const rows = [row("OBS-1", "sql"), row("OBS-2", "xss"), row("OBS-3", "sql")]

const shown = (items: ReturnType<typeof arrange>) =>
  items.map((item) => (item.kind === "group" ? `${item.value} ${item.count}` : item.observation.ref))

describe("the queue", () => {
  it("groups stand in the order of their first row, and keep the order of their rows", () => {
    assert.deepStrictEqual(shown(arrange(rows, "rule")), ["sql 2", "OBS-1", "OBS-3", "xss 1", "OBS-2"])
    assert.deepStrictEqual(shown(arrange(rows, null)), ["OBS-1", "OBS-2", "OBS-3"])
  })

  it("moving passes over headings and stops at both ends", () => {
    const items = arrange(rows, "rule")
    assert.strictEqual(moved(items, 2, 1), 4)
    assert.strictEqual(moved(items, 4, -1), 2)
    assert.strictEqual(moved(items, 4, 1), 4)
    assert.strictEqual(moved(items, 4, Number.NEGATIVE_INFINITY), 1)
    assert.strictEqual(moved(items, 1, Number.POSITIVE_INFINITY), 4)
  })

  it("the place of a row that left is taken by the next one, or by the last one above", () => {
    const items = arrange(rows, "rule")
    assert.strictEqual(nearestRow(items, 3), 4)
    assert.strictEqual(nearestRow(items, 5), 4)
    assert.strictEqual(nearestRow([], 0), -1)
  })

  it("holds new findings and advisories by rank where its address says no other", () => {
    assert.deepStrictEqual(requestOf({}), {
      filter: { kind: "finding,advisory", status: "new" },
      order: "display_rank"
    })
    assert.deepStrictEqual(filterOf({ status: "any", kind: "suggestion" }), { kind: "suggestion" })
    assert.strictEqual(requestOf({ close_reason: "dismissed" }).order, "resolved")
    assert.strictEqual(filterOf({ close_reason: "dismissed" }).status, "closed")
  })

  it("an age becomes days that begin at midnight", () => {
    const now = new Date(2026, 10, 23, 15, 30)
    assert.deepStrictEqual(filterOf({ age: "week" }, now).first_seen_since, new Date(2026, 10, 17).toISOString())
    assert.deepStrictEqual(filterOf({ age: "older" }, now).first_seen_until, new Date(2026, 9, 25).toISOString())
  })

  it("a saved view keeps filters and grouping in the words of the API, and opens the list that it was saved from", () => {
    const address = { priority: "P0,P1", open: "OBS-3", group: "rule" }
    assert.strictEqual(viewQuery(address), "priority=P0,P1&group=rule&status=new")
    assert.isTrue(isSameView(viewSearch({ priority: "P0,P1", group: "rule", status: "new" }), address))
    assert.strictEqual(viewQuery({ status: "any" }), "")
    assert.deepStrictEqual(viewSearch({}), { status: "any" })
    assert.isFalse(isSameView(viewSearch({ status: "closed" }), {}))
  })
})
