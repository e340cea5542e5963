import { filled, type WorstCase } from "../../support/worstCase.ts"

const around: readonly [string, string] = [
  'const ejs = require("ejs")\napp.get("/x", async (req, res) => {\nlet u = req.query.u\n',
  "\n})\n"
]

export const worstCases: ReadonlyArray<WorstCase> = [
  { rules: ["untrusted_code"], path: "src/a.js", text: (size) => filled(size, "eval(u + 1)\n", around) },
  { rules: ["untrusted_code"], path: "src/b.js", text: (size) => filled(size, "eval(", [around[0], ")\n})\n"]) },
  {
    rules: ["untrusted_code"],
    path: "src/a.php",
    text: (size) =>
      filled(size, 'preg_replace("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/m", $_GET["x"], $t);\n', ["<?php\n", ""])
  },
  { rules: ["untrusted_template"], path: "src/c.js", text: (size) => filled(size, "ejs.render(`${u}${u}`)\n", around) },
  {
    rules: ["untrusted_module"],
    path: "src/d.js",
    text: (size) => filled(size, "require(u)\nawait import(u)\n", around)
  },
  {
    rules: ["exported_code"],
    path: "index.js",
    text: (size) => filled(size, "eval(u + 1)\n", ["exports.x = (u) => {\n", "\n}\n"])
  }
]
