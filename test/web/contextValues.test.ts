import { assert, it } from "@effect/vitest"
import { scopes } from "../../src/schema/Key.ts"
import { rowsOf } from "../../web/src/parts/entry_diff/rows.ts"
import { inTreeOrder } from "../../web/src/parts/level_tree/tree.ts"
import { changesBetween, conflictsBetween, noValues, rebased } from "../../web/src/views/context/values.ts"
import { isLive, lifeOf } from "../../web/src/views/keys/expiry.ts"
import { limitOf } from "../../web/src/views/keys/limits.ts"
import { presetName, presets, scopeGroups } from "../../web/src/views/keys/presets.ts"

const base = { ...noValues, title: "Retries", summary: "Three times.", body_md: "With jitter." }

it("a rebased draft keeps what I changed and follows theirs in the rest", () => {
  const mine = { ...base, summary: "Five times.", body_md: "With a budget." }
  const theirs = { ...base, title: "Retries of calls", summary: "Twice." }
  assert.deepStrictEqual(rebased(base, mine, theirs), {
    ...base,
    title: "Retries of calls",
    summary: "Five times.",
    body_md: "With a budget."
  })
  assert.deepStrictEqual(conflictsBetween(base, mine, theirs), ["summary"])
})

it("only what differs is sent, and lists are sent without empty and repeated words", () => {
  assert.deepStrictEqual(changesBetween(base, { ...base, tags: "a, , b,a" }), { tags: ["a", "b"] })
  assert.deepStrictEqual(changesBetween(base, base), {})
})

it("a rewritten line marks its changed words, and the other lines stay whole", () => {
  assert.deepStrictEqual(rowsOf("Kept.\nAfter 24 hours.\n", "Kept.\nAfter 72 hours.\nNew.\n"), [
    { kind: "same", pieces: [{ text: "Kept.", changed: false }] },
    {
      kind: "removed",
      pieces: [
        { text: "After ", changed: false },
        { text: "24", changed: true },
        { text: " hours.", changed: false }
      ]
    },
    {
      kind: "added",
      pieces: [
        { text: "After ", changed: false },
        { text: "72", changed: true },
        { text: " hours.", changed: false }
      ]
    },
    { kind: "added", pieces: [{ text: "New.", changed: false }] }
  ])
  assert.deepStrictEqual(rowsOf("", ""), [])
})

it("levels stand below the level that holds them; those below a hidden one stand at the top", () => {
  const levels = [
    { slug: "settlement", name: "Settlement", parent: "ledger" },
    { slug: "ledger", name: "Ledger", parent: "money" },
    { slug: "orphan", name: "Orphan", parent: "hidden" },
    { slug: "money", name: "Money", parent: null }
  ]
  assert.deepStrictEqual(
    inTreeOrder(levels).map(({ level, depth }) => [level.slug, depth]),
    [
      ["money", 0],
      ["ledger", 1],
      ["settlement", 2],
      ["orphan", 0]
    ]
  )
})

it("every scope is offered once, and presets are named by exactly their scopes", () => {
  const offered = scopeGroups.flatMap((group) => group.scopes.map(([scope]) => scope))
  assert.deepStrictEqual(offered.toSorted(), [...scopes].sort())
  for (const { name, scopes: granted } of presets) assert.strictEqual(presetName(granted.toReversed()), name)
  assert.strictEqual(presetName(["view_jobs"]), "Custom")
})

it("a key is marked a week before its end and no longer live from its end on", () => {
  const now = new Date("2026-11-20T08:00:00Z")
  const key = (expires_at: string | null, revoked_at: string | null = null) => ({ expires_at, revoked_at })
  assert.strictEqual(lifeOf(key(null), now), "live")
  assert.strictEqual(lifeOf(key("2026-11-27T08:00:00Z"), now), "live")
  assert.strictEqual(lifeOf(key("2026-11-27T07:59:59Z"), now), "expiring")
  assert.strictEqual(lifeOf(key("2026-11-20T08:00:00Z"), now), "expired")
  assert.isFalse(isLive(key(null, "2026-11-01T00:00:00Z"), now))
})

it("a limit that was typed is a number in its range, or none", () => {
  assert.strictEqual(limitOf(" ", 1, true), null)
  assert.strictEqual(limitOf("$2.50", 0.01, false), 2.5)
  assert.strictEqual(limitOf("1.5", 1, true), undefined)
  assert.strictEqual(limitOf("0", 0.01, false), undefined)
})
