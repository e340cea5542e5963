import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import configuration_management from "../../src/engine/rules/configuration_management/tool.ts"
import { treeOf } from "../support/audit.ts"

const findings = async (texts: Readonly<Record<string, string | Uint8Array>>) => {
  const result = await scan(treeOf(texts), { suite: "full", tools: [configuration_management] })
  return result.findings
}

describe("files that are produced", () => {
  it("are reported once, at the file that should have kept them out", async () => {
    const found = await findings({
      ".gitignore": "*.log\n",
      "src/__pycache__/app.cpython-312.pyc": new Uint8Array([0, 1]),
      ".DS_Store": new Uint8Array([0, 0, 0, 1]),
      "node_modules/a/package.json": "{}",
      "node_modules/a/index.js": "",
      "node_modules/b/index.js": ""
    })
    assert.deepStrictEqual(
      found.map(({ rule_id, locations: [first] }) => [rule_id, first.file_path, first.line_start]),
      [["configuration_management.tracked_artefact", ".gitignore", 1]]
    )
    for (const word of ["compiled Python", ".DS_Store", "3 files, such as `node_modules/a/index.js`"]) {
      assert.include(found[0]!.description, word)
    }
  })

  it("are not looked for in tests and samples, nor where nothing is ignored", async () => {
    const pyc = new Uint8Array([0, 1])
    assert.deepStrictEqual(
      await findings({ ".gitignore": "", "test/data/a.pyc": pyc, "examples/node_modules/a.js": "" }),
      []
    )
    assert.deepStrictEqual(await findings({ "src/a.pyc": pyc }), [])
  })

  it("reports no value of a committed environment file", async () => {
    const found = await findings({ ".env": "DB_PASSWORD=Kolibri-27-Fenster\n" })
    assert.deepStrictEqual(
      found.map(({ rule_id }) => rule_id),
      ["configuration_management.committed_env_file"]
    )
    assert.notInclude(JSON.stringify(found), "Kolibri")
  })
})
