import { assert, describe, it } from "vitest"
import { buildScripts } from "../../../../src/engine/discovery/architecture/buildScripts.ts"
import { outputOf, surveyOf } from "../../../support/survey.ts"

const filesOf = (manifest: object): ReadonlyArray<string> => [
  ...buildScripts(surveyOf({ "package.json": JSON.stringify(manifest) }))
]

describe("Files that only the build runs", () => {
  it("are those of scripts that make the package", () => {
    const scripts = { "build:icons": "node tools/../icons.js", buildPages: "node ./lib/pages.js && tsx lib/more.ts" }
    assert.deepStrictEqual(filesOf({ scripts }), ["tools/../icons.js", "lib/pages.js", "lib/more.ts"])
    assert.deepStrictEqual(filesOf({ scripts: { postinstall: "node --no-warnings lib/fetch.mjs" } }), ["lib/fetch.mjs"])
  })

  it("are not those that a start runs as well, that the package names, or of other scripts", () => {
    const build = "node lib/index.js"
    assert.isEmpty(filesOf({ scripts: { build, start: "NODE_ENV=production node lib/index.js" } }))
    assert.isEmpty(filesOf({ scripts: { build }, bin: { kettle: "./lib/index.js" } }))
    assert.isEmpty(filesOf({ scripts: { builder: build, brew: build, buildPages: "tsc -p lib/index.js.json" } }))
  })

  it("say neither where the program starts nor what it writes", async () => {
    const text =
      '#!/usr/bin/env node\nconst fs = require("fs")\nfs.writeFileSync("pages.json", "{}")\nfs.writeFileSync("more.json", "{}")\n'
    const guideWith = async (script: string) =>
      (
        await outputOf({
          "package.json": JSON.stringify({ name: "kettle", scripts: { [script]: "node source/pages.js" } }),
          "source/pages.js": text,
          "source/kettle.js": "export const brew = () => 1\n"
        })
      ).guides.find(({ slug }) => slug === "architecture")?.content ?? ""
    assert.notInclude(await guideWith("buildPages"), "source/pages.js")
    const brewed = await guideWith("brew")
    assert.include(brewed, "`source/pages.js:3` writes files")
    assert.include(brewed, "Entry point: `source/pages.js")
  })
})
