import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { tools } from "../../src/engine/rules/index.ts"

const here = import.meta.dirname
const listed = readdirSync(join(here, "../../src/engine/rules"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe("the catalogue of audit tools", () => {
  it("lists each tool once, in a folder named after its id", () => {
    const ids = tools.map((tool) => tool.id)
    assert.deepStrictEqual(ids, [...new Set(ids)])
    assert.deepStrictEqual([...ids].sort(), [...listed].sort())
  })

  it("lists them in the order of their ids", () => {
    const ids = tools.map((tool) => tool.id)
    assert.deepStrictEqual(ids, [...ids].sort())
  })

  for (const tool of tools) {
    describe(tool.id, () => {
      it("has rules with snake_case ids, and says why and how for each", () => {
        assert.match(tool.id, /^[a-z][a-z0-9_]*$/)
        assert.isAbove(Object.keys(tool.rules).length, 0)
        for (const [id, rule] of Object.entries(tool.rules)) {
          assert.match(id, /^[a-z][a-z0-9_]*$/)
          assert.isAtLeast(rule.title.length, 8, id)
          assert.isAtMost(rule.title.length, 70, id)
          assert.isAtLeast(rule.description.length, 80, id)
          assert.isTrue(rule.confidence > 0 && rule.confidence <= 1, `${id} has a usable confidence`)
          assert.isTrue(
            rule.cwe.every((cwe) => Number.isInteger(cwe) && cwe > 0),
            `${id} has CWE numbers`
          )
        }
      })

      it("inspects files or has a cross-file pass", () => {
        assert.isTrue(tool.inspect !== undefined || tool.finish !== undefined)
        assert.isTrue(Number.isInteger(tool.version) && tool.version >= 1)
      })

      it("has fixtures", () => {
        assert.isTrue(existsSync(join(here, "../fixtures/audit", tool.id)))
      })
    })
  }
})
