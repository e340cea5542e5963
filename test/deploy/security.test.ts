import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const page = readFileSync(join(root, "docs/security.md"), "utf8")

/** Sections of ASVS 5.0.0 with the number of their requirements of levels 1 and 2, which come before those of level 3. */
const sections = `
  1.1 2, 1.2 9, 1.3 11, 1.4 3, 1.5 2, 2.1 3, 2.2 3, 2.3 4, 2.4 1, 3.2 2, 3.3 4, 3.4 6, 3.5 5, 3.7 2, 4.1 3, 4.2 1, 4.3 2,
  4.4 4, 5.1 1, 5.2 3, 5.3 2, 5.4 3, 6.1 3, 6.2 12, 6.3 4, 6.4 4, 6.5 5, 6.6 3, 6.8 4, 7.1 3, 7.2 4, 7.3 2, 7.4 5, 7.5 2,
  7.6 2, 8.1 2, 8.2 3, 8.3 1, 8.4 1, 9.1 3, 9.2 4, 10.1 2, 10.2 2, 10.3 4, 10.4 11, 10.5 5, 10.6 2, 10.7 3, 11.1 2, 11.2 3,
  11.3 3, 11.4 4, 11.5 1, 11.6 1, 12.1 3, 12.2 2, 12.3 4, 13.1 1, 13.2 5, 13.3 2, 13.4 5, 14.1 2, 14.2 4, 14.3 3, 15.1 3,
  15.2 3, 15.3 7, 16.1 1, 16.2 5, 16.3 4, 16.4 3, 16.5 3, 17.1 1, 17.2 4, 17.3 2`

const required = [...sections.matchAll(/(\d+\.\d+) (\d+)/g)].flatMap(([, section, count]) =>
  Array.from({ length: Number(count) }, (_, i) => `${section}.${i + 1}`)
)

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, id = "", requirement = "", state = "", evidence = ""]) => ({ id, requirement, state, evidence })
)

const testFiles = (text: string) => [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path)

describe("the page on security", () => {
  it("has each requirement of ASVS 5.0, levels 1 and 2, once and in order", () => {
    assert.strictEqual(required.length, 253)
    assert.deepStrictEqual(
      rows.map(({ id }) => id),
      required
    )
  })

  it("names test files that exist", () => {
    const named = testFiles(page)
    assert.isAbove(named.length, 100)
    for (const path of new Set(named)) assert.isTrue(existsSync(join(root, path)), path)
  })

  it("names a test where a test holds a requirement, and otherwise a reason", () => {
    for (const { id, state, evidence } of rows) {
      if (state === "test") assert.isNotEmpty(testFiles(evidence), id)
      else assert.isAbove(evidence.trim().length, 3, id)
    }
  })

  it("counts its states right", () => {
    for (const state of ["test", "design", "operator", "n/a", "**open**"]) {
      const count = rows.filter((row) => row.state === state).length
      assert.match(page, new RegExp(`^\\| ${state.replaceAll("*", "\\*")} \\|[^|]+\\| ${count} \\|$`, "m"))
    }
    assert.isTrue(rows.every(({ state }) => ["test", "design", "operator", "n/a", "**open**"].includes(state)))
  })
})
