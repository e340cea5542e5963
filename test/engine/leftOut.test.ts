import { assert, it } from "vitest"
import { MAX_FILE_BYTES } from "../../src/engine/core/files/fileText.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { patternTool, treeOf } from "../support/audit.ts"

const numbered = (folder: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i}.js`, "export const a = 1\n"]))

const leftOutOf = async (texts: Readonly<Record<string, string | Uint8Array>>) => {
  const { left_out } = await scan(treeOf(texts), { suite: "standard", tools: [patternTool(/never/)] })
  return left_out.map(({ reason, files, examples }) => [reason, files, examples])
}

it("what is left out is counted by reason, with the first files of each", async () => {
  const texts = {
    ...numbered("node_modules/a", 5),
    ...numbered("dist", 2),
    "src/a.js": "export const a = 1\n",
    "src/large.js": "a()\n".repeat(MAX_FILE_BYTES / 4 + 1),
    "src/logo.png": "text",
    "src/data": new Uint8Array([97, 0, 98])
  }
  assert.deepStrictEqual(await leftOutOf(texts), [
    ["vendored", 5, ["node_modules/a/0.js", "node_modules/a/1.js", "node_modules/a/2.js"]],
    ["binary", 2, ["src/data", "src/logo.png"]],
    ["generated", 2, ["dist/0.js", "dist/1.js"]],
    ["too_large", 1, ["src/large.js"]]
  ])
})

it("every file is inspected, however many there are", { timeout: 600_000 }, async () => {
  const source = treeOf({ "src/a.js": "a\n" })
  const [content] = await source.list()
  const entries = Array.from({ length: 100_001 }, (_, i) => ({ ...content!, path: `src/${i}.bin` }))
  const many = { ...source, list: async () => [...entries, content!] }
  const { left_out, inventory } = await scan(many, { suite: "standard", tools: [patternTool(/never/)] })
  assert.deepStrictEqual(
    left_out.map(({ reason, files }) => [reason, files]),
    [["binary", 100_001]]
  )
  assert.strictEqual(inventory.files, 1)
})
