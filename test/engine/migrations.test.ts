import { assert, describe, it } from "vitest"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import dependency_structure from "../../src/engine/rules/dependency_structure/tool.ts"
import { treeOf } from "../support/audit.ts"

const migrationsIn = async (texts: Readonly<Record<string, string>>, suggestions = true) => {
  const options = { suite: "standard", tools: [dependency_structure], suggestions } as const
  const { findings } = await scan(treeOf(texts), options)
  return findings.filter(({ rule_id }) => rule_id.endsWith("_migration"))
}

const importing = (folder: string, count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/part${i}.py`, text]))

describe("a pending migration", () => {
  it("is one suggestion with its remaining locations in all files, and counts both sides", async () => {
    const found = await migrationsIn({
      ...importing("app/new", 2, "import zoneinfo\nfrom importlib import metadata\n"),
      ...importing("app/fresh", 1, "import importlib.metadata\n"),
      ...importing("app/old", 3, "import pkg_resources\n")
    })
    assert.deepStrictEqual(
      found.map(({ kind, rule_id, title }) => ({ kind, rule_id, title })),
      [
        {
          kind: "suggestion",
          rule_id: "dependency_structure.library_migration",
          title: "Migrate from pkg_resources to importlib.metadata"
        }
      ]
    )
    const [{ locations, description }] = found as [(typeof found)[number]]
    assert.deepStrictEqual(
      locations.map(({ file_path }) => file_path),
      ["app/old/part0.py", "app/old/part1.py", "app/old/part2.py"]
    )
    assert.include(description, "3 locations in 3 files still use pkg_resources, and 1 file of this repository uses")
  })

  it("is reported only where suggestions are asked for", async () => {
    const texts = { "a.py": "import imp\n", "b.py": "import importlib\n" }
    assert.lengthOf(await migrationsIn(texts), 1)
    assert.deepStrictEqual(await migrationsIn(texts, false), [])
  })

  it("needs the successor in the repository, however deprecated the old library is", async () => {
    assert.deepStrictEqual(await migrationsIn({ "a.py": "import imp\n" }), [])
  })

  it("needs most files to have moved where nothing is stated about the old library", async () => {
    const moved = importing("app/new", 4, "import argparse\n")
    assert.lengthOf(await migrationsIn({ ...moved, ...importing("app/old", 2, "import optparse\n") }), 1)
    assert.deepStrictEqual(await migrationsIn({ ...moved, ...importing("app/old", 3, "import optparse\n") }), [])
  })

  it("does not count a fallback for older versions", async () => {
    const fallback = "try:\n    from importlib import metadata\nexcept ImportError:\n    import pkg_resources\n"
    assert.deepStrictEqual(await migrationsIn({ "a.py": fallback, "b.py": "import importlib.metadata\n" }), [])
  })
})
