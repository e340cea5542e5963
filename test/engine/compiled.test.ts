import { assert, it } from "vitest"
import { isCompiledScript } from "../../src/engine/core/files/compiled.ts"
import { scan } from "../../src/engine/core/scan/Engine.ts"
import { tools } from "../../src/engine/rules/index.ts"
import { treeOf } from "../support/audit.ts"

const byCompiler = {
  typescript: `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.a = 1;\n`,
  babel: `"use strict";\n\nvar _fs = _interopRequireDefault(require("fs"));\n`,
  bundler: `(function () {\n  var commonjsGlobal = typeof globalThis !== 'undefined' ? globalThis : {};\n})();\n`,
  mapped: `exports.a = 1\n//# sourceMappingURL=a.js.map\n`,
  mappedInline: `export const a = 1\n//# sourceMappingURL=data:application/json;base64,${"eyJ2ZXJzaW9uIjozfQ".repeat(40)}`,
  helper: `function _extends() { return (_extends = Object.assign || copy).apply(this, arguments) }\nexport const a = 1\n`,
  helpers: `import _extends from "@babel/runtime/helpers/extends"\nexport const a = 1\n`,
  markup: `export const A = () => /*#__PURE__*/React.createElement("p", null)\n`,
  runtime: `import { jsx as _jsx } from "react/jsx-runtime"\nexport const A = () => _jsx("p", {})\n`
}

it("scripts that compilers wrote are known by what only compilers write", () => {
  for (const [name, text] of Object.entries(byCompiler)) assert.isTrue(isCompiledScript("lib/a.js", text), name)
  assert.isFalse(isCompiledScript("lib/a.ts", byCompiler.typescript))
  const byHand = `const fs = require("fs")\n// Their sourceMappingURL= line comes last.\nexports.a = () => fs.statSync(".")\n`
  assert.isFalse(isCompiledScript("lib/a.js", byHand))
  const elementsByHand = `const extend = Object.assign\nexports.A = () => React.createElement("p", extend({}))\n`
  assert.isFalse(isCompiledScript("lib/a.js", elementsByHand))
})

it("of a compiled script only security is reported, and it is named as left out", async () => {
  const program = `const { exec } = require("child_process")
const express = require("express")
const app = express()
app.get("/", (request, response) => {
  if (request.query.folder === undefined) throw "no folder"
  exec("ls " + request.query.folder)
  response.send("ok")
})
`
  const rulesIn = async (text: string) => {
    const { findings, left_out } = await scan(treeOf({ "lib/app.js": text }), { suite: "full", tools })
    return { tools: new Set(findings.map(({ tool }) => tool)), left: left_out.map(({ reason }) => reason) }
  }
  const byHand = await rulesIn(program)
  assert.includeMembers([...byHand.tools], ["command_injection", "error_handling"])
  assert.deepStrictEqual(byHand.left, [])
  const compiled = await rulesIn(byCompiler.typescript + program)
  assert.include([...compiled.tools], "command_injection")
  assert.notInclude([...compiled.tools], "error_handling")
  assert.deepStrictEqual(compiled.left, ["compiled"])
})

it("built files are audited where a package has no other code, and then for security only", async () => {
  const manifest = '{ "name": "served", "version": "1.0.0", "main": "dist/index.js" }'
  const server = `const fs = require("fs")
exports.serve = (root) => (req, res) => {
  if (root === undefined) throw "no folder"
  fs.createReadStream(root + req.url).pipe(res)
}
`
  const toolsIn = async (texts: Readonly<Record<string, string>>) => {
    const { findings } = await scan(treeOf(texts), { suite: "full", tools })
    return findings.filter(({ locations }) => locations[0]?.file_path.startsWith("dist/")).map(({ tool }) => tool)
  }
  const published = { "package.json": manifest, "dist/index.js": server }
  const besides = {
    "dist/index.d.ts": "export const serve: unknown\n",
    "bin/serve.js": "require('../dist')\n",
    "dist/index.cjs.js": server
  }
  assert.deepStrictEqual(await toolsIn({ ...published, ...besides }), ["path_traversal"])
  assert.deepStrictEqual(await toolsIn({ ...published, "src/index.ts": "export const serve = 1\n" }), [])
  assert.deepStrictEqual(await toolsIn({ "dist/index.js": server }), [])
})
