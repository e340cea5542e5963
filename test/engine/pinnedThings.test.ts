import { assert, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { treeOf } from "../support/audit.ts"

const workflow = (version: string): string =>
  `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: third/lint@${version}\n`

const unpinned = async (files: Record<string, string>) => {
  const { findings } = await scan(treeOf(files), { suite: "full", tools })
  return findings.filter(({ rule_id }) => /\.unpinned_(?:action|image)$/.test(rule_id))
}

it("an action that several workflows use is one finding, which names it", async () => {
  const found = await unpinned({ ".github/workflows/a.yml": workflow("v2"), ".github/workflows/b.yml": workflow("v2") })
  assert.deepStrictEqual(
    found.map(({ title }) => title),
    ["Unpinned third-party GitHub Action: `third/lint@v2`"]
  )
})

it("another version of the same action is the same observation", async () => {
  const [before] = await unpinned({ ".github/workflows/a.yml": workflow("v2") })
  const [after] = await unpinned({ ".github/workflows/a.yml": workflow("v3") })
  assert.strictEqual(after?.signatures.moved, before?.signatures.moved)
  assert.isDefined(before)
})

it("an image that several files name is one finding", async () => {
  const pod = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: redis }] }\n"
  const found = await unpinned({ "a.yaml": pod, "b.yaml": pod })
  assert.deepStrictEqual(
    found.map(({ title }) => title),
    ["Unpinned base image: `redis`"]
  )
})
