import { assert, describe, it } from "vitest"
import dependencyStructure from "../../src/engine/rules/dependency_structure/tool.ts"
import { componentsOf, cyclesOf } from "../../src/engine/structure/importGraph/cycles.ts"
import { inspectProject } from "../support/audit.ts"

const rowsOf = (lists: ReadonlyArray<ReadonlyArray<number>>) => {
  const offsets = new Int32Array(lists.length + 1)
  lists.forEach((list, node) => {
    offsets[node + 1] = offsets[node]! + list.length
  })
  return { size: lists.length, offsets, targets: Int32Array.from(lists.flat()), counts: () => true }
}

describe("cycles of a graph", () => {
  it("are one per knot, each shown by its shortest way round", () => {
    const found = cyclesOf(rowsOf([[1], [2], [0, 3], [4], [3, 5], []]))
    assert.deepStrictEqual(
      found.map(({ members, edges }) => [members, edges.length]),
      [
        [[0, 1, 2], 3],
        [[3, 4], 2]
      ]
    )
  })

  it("are found in a chain of a hundred thousand files without running out of stack", () => {
    const size = 100_000
    const ring = Array.from({ length: size }, (_, node) => [(node + 1) % size])
    assert.strictEqual(new Set(componentsOf(rowsOf(ring))).size, 1)
    const chain = Array.from({ length: size }, (_, node) => (node + 1 < size ? [node + 1] : []))
    assert.strictEqual(new Set(componentsOf(rowsOf(chain))).size, size)
  })
})

const rulesIn = async (texts: Readonly<Record<string, string>>) =>
  (await inspectProject(dependencyStructure, texts)).map(({ path, rule }) => `${path} ${rule}`)

const pages = Object.fromEntries(
  Array.from({ length: 12 }, (_, i) => [
    `src/components/Part${i}.ts`,
    `import { f } from "../utils/f"\nexport const p${i} = f`
  ])
)

describe("layers", () => {
  it("are broken by the few imports that go against the many", async () => {
    const texts = {
      ...pages,
      "src/utils/f.ts": "export const f = 1",
      "src/utils/g.ts": 'import { p1 } from "../components/Part1"\nexport const g = p1'
    }
    assert.deepStrictEqual(await rulesIn(texts), ["src/utils/g.ts layer_inversion"])
  })

  it("are not broken by types, nor where no direction prevails", async () => {
    const typed = {
      ...pages,
      "src/utils/f.ts": "export const f = 1",
      "src/utils/g.ts": 'import type { p1 } from "../components/Part1"\nexport type G = typeof p1'
    }
    assert.deepStrictEqual(await rulesIn(typed), [])
    const few = {
      "src/utils/g.ts": 'import { p } from "../components/P"\nexport const g = p',
      "src/components/P.ts": "export const p = 1"
    }
    assert.deepStrictEqual(await rulesIn(few), [])
  })
})

describe("hubs", () => {
  it("are imported by very many and import very many themselves", async () => {
    const texts: Record<string, string> = {}
    const lines = Array.from({ length: 40 }, (_, i) => `import { below${i} } from "./below${i}"`)
    for (let i = 0; i < 40; i++) texts[`src/below${i}.ts`] = `export const below${i} = 1`
    for (let i = 0; i < 70; i++) texts[`src/above${i}.ts`] = 'import { hub } from "./hub"\nexport const a = hub'
    texts["src/hub.ts"] = `${lines.join("\n")}\nexport const hub = [${lines.map((_, i) => `below${i}`).join(", ")}]`
    assert.deepStrictEqual(await rulesIn(texts), ["src/hub.ts hub_module"])
  })
})
